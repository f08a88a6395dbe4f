package present

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Selection returns what the user chose of the conversation, for example `0-2`, or nothing when the document holds all
// of it. The host says so in the footer's sentence.
func Selection(f *transcriptv1.Footer) string {
	_, chosen, found := strings.Cut(f.GetCompleteness(), " selected by ")
	if !found {
		return ""
	}
	if i := strings.IndexAny(chosen, "; "); i >= 0 {
		chosen = chosen[:i]
	}
	return strings.TrimRight(chosen, ",")
}

// WholeTotals says what the totals of a selection are about.
const WholeTotals = "models, calls and tokens are those of the whole conversation"

// StepCount is `131`, and of a selection `3 of 131 (selected: 0-2)`. announced is Header.announced_steps.
func StepCount(announced uint32, f *transcriptv1.Footer) string {
	chosen := Selection(f)
	steps := Count(uint64(f.GetSteps()))
	switch {
	case chosen == "":
		return steps
	case announced < f.GetSteps():
		return steps + " (selected: " + chosen + ")"
	}
	return steps + " of " + Count(uint64(announced)) + " (selected: " + chosen + ")"
}

// Missing tells whether an event says that something of the conversation is not there. Fields that the decoder does not
// know are there.
func Missing(ev *transcriptv1.Event) bool {
	n := ev.GetNote()
	return n.GetIncomplete() && n.GetKind() != "unknown_fields"
}

// State is how complete a document is.
type State struct {
	// Title and Text are what a banner says; empty when nothing needs one.
	Title, Text string
	Severity    transcriptv1.Severity
	// Line is the same in one line, never empty: `complete: 131 steps`.
	Line string
}

// StateOf judges a document by its end. missing: an event was Missing. Fields newer than the decoder are no alarm, as
// they are kept.
func StateOf(announced uint32, f *transcriptv1.Footer, missing bool) State {
	line := f.GetCompleteness()
	if line == "" {
		line = NotRecorded
		if f.GetIncomplete() {
			line = "incomplete"
		}
	}
	if chosen := Selection(f); chosen != "" {
		words := " selected by " + chosen
		if at := strings.Index(line, words); at >= 0 {
			start := strings.LastIndex(line[:at], ": ") + 1
			line = line[:start] + " " + StepCount(announced, f) + line[at+len(words):]
			line = strings.Replace(line, " (selected: ", " steps (selected: ", 1)
		}
	}
	reasons := strings.TrimPrefix(line, "incomplete: ")
	switch {
	case !f.GetIncomplete():
		return State{Line: line}
	case !missing && onlyUnknown(f):
		words := Amount(uint64(f.GetUnknownFields()), "field") + " newer than the decoder; kept and marked"
		return State{
			Title: "Newer than the decoder", Text: words, Severity: transcriptv1.Severity_SEVERITY_INFO,
			Line: strings.TrimSuffix(reasons, ", "+Amount(uint64(f.GetUnknownFields()), "unknown field")) + "; " + words,
		}
	}
	return State{Title: "Incomplete", Text: strings.TrimPrefix(reasons, "incomplete"), Severity: transcriptv1.Severity_SEVERITY_WARNING, Line: line}
}

// onlyUnknown tells whether unknown fields are the only reason that a document is incomplete: no gap is listed, and the
// source added nothing, which would stand behind a semicolon.
func onlyUnknown(f *transcriptv1.Footer) bool {
	for _, gap := range f.GetGaps() {
		if gap.GetIncomplete() {
			return false
		}
	}
	return f.GetUnknownFields() > 0 && !strings.Contains(f.GetCompleteness(), ";") && !strings.Contains(f.GetCompleteness(), " gap")
}

// NestedName is what a trajectory inside another one is called: `Subagent`, `Browser run`.
func NestedName(h *transcriptv1.Header) string {
	if kind := h.GetTrajectoryType(); kind != "" && kind != "CASCADE" {
		return Kind(kind) + " run"
	}
	return "Subagent"
}

// NestedTitle is its heading: `Browser run “Look it up” · 14 steps`. A title is clipped to limit characters.
func NestedTitle(h *transcriptv1.Header, limit int) string {
	title := NestedName(h)
	if words := Clip(h.GetTitle().GetValue(), limit); words != "" {
		title += " “" + words + "”"
	}
	if n := h.GetAnnouncedSteps(); n > 0 {
		title += Separator + Amount(uint64(n), "step")
	}
	return title
}

// NestedEnd says that it ends here: `End of the browser run (complete: 14 steps)`. name is its NestedName.
func NestedEnd(name string, f *transcriptv1.Footer) string {
	if name == "" {
		name = "Subagent"
	}
	return "End of the " + strings.ToLower(name[:1]) + name[1:] + " (" + StateOf(0, f, false).Line + ")"
}

// TotalUsage is the token counts of a conversation and how many model calls they are the sum of, each call counted once.
func TotalUsage(u *transcriptv1.Usage) string {
	line := Usage(u)
	if u.GetCalls() > 0 {
		line += " in " + Amount(uint64(u.GetCalls()), "model call")
	}
	return line
}

// ReferenceName says how a conversation hangs together with an earlier one: `Rewound from`, `Forked from`.
func ReferenceName(r *transcriptv1.Reference) string {
	switch r.GetKind() {
	case "PRUNE":
		return "Rewound from"
	case "FORK", "SUBAGENT_FORK":
		return "Forked from"
	default:
		return Kind(r.GetKind())
	}
}
