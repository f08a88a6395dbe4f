package present

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// WholeTotals says what the totals of a selection are about.
const WholeTotals = "models, calls and tokens are those of the whole conversation"

// StepCount is `131`, and of a selection `3 of 131 (selected: 0-2)`.
func StepCount(f *transcriptv1.Footer) string {
	steps := Count(uint64(f.GetSteps()))
	if f.GetSelection() == "" {
		return steps
	}
	return steps + " of " + Count(uint64(f.GetStoredSteps())) + " (selected: " + f.GetSelection() + ")"
}

// State is how complete a document is.
type State struct {
	// Title and Text are what a banner says; empty when nothing needs one.
	Title, Text string
	Severity    transcriptv1.Severity
	// Line is the same in one line, never empty: `complete: 131 steps`.
	Line string
}

// StateOf judges a document by its end. Fields newer than the decoder are no alarm, as they are kept.
func StateOf(f *transcriptv1.Footer) State {
	line := f.GetCompleteness()
	if line == "" {
		line = NotRecorded
	}
	switch {
	case !f.GetIncomplete():
		return State{Line: line}
	case !f.GetMissing():
		return State{
			Title: "Newer than the decoder", Severity: transcriptv1.Severity_SEVERITY_INFO, Line: line,
			Text: Amount(uint64(f.GetUnknownFields()), "field") + " newer than the decoder; kept and marked",
		}
	}
	return State{Title: "Incomplete", Text: strings.TrimPrefix(line, "incomplete: "), Severity: transcriptv1.Severity_SEVERITY_WARNING, Line: line}
}

// NestedName is what a trajectory inside another one is called: `Subagent`, `Browser run`, `Other branch`.
func NestedName(h *transcriptv1.Header) string {
	if h.GetTrajectoryType() == "BRANCH" {
		return "Other branch"
	}
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
	return "End of the " + strings.ToLower(name[:1]) + name[1:] + " (" + StateOf(f).Line + ")"
}

// TotalUsage is the token counts of a conversation and how many model calls they are the sum of, each call counted once.
// Calls whose tokens nobody recorded are counted: `12 requests, tokens not recorded`.
func TotalUsage(u *transcriptv1.Usage) string {
	line := AppendUsage(nil, u)
	switch {
	case len(line) == 0 && u.GetCalls() > 0:
		return Amount(uint64(u.GetCalls()), "request") + ", " + NoTokens
	case len(line) == 0:
		return NotRecorded
	case u.GetCalls() > 0:
		return string(line) + " in " + Amount(uint64(u.GetCalls()), "model call")
	}
	return string(line)
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
