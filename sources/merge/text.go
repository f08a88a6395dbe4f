package merge

import (
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Kinds of notes this source writes.
const (
	noteDamage   = "damage"
	noteGap      = "gap"
	noteFilled   = "filled"
	noteRewind   = "rewind"
	noteFork     = "fork"
	noteBranch   = "branch"
	noteFallback = "fallback"
)

func event(n *transcriptv1.Note) *transcriptv1.Event {
	n.Text = strings.ToValidUTF8(n.Text, "\uFFFD")
	return &transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: n}}
}

// span names steps: `step 3` or `steps 0–379`.
func span(first, last uint32) string {
	if first == last {
		return fmt.Sprintf("step %d", first)
	}
	return fmt.Sprintf("steps %d–%d", first, last)
}

// lack says that steps are nowhere on disk. A lone missing index 4 is how the product hides the step that made the title.
func lack(first, last uint32, m sources.Missing) *transcriptv1.Note {
	n := &transcriptv1.Note{
		Kind: noteGap, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
		FirstIndex: &first, LastIndex: &last, Text: span(first, last) + " " + isAre(first, last) + " not on disk",
	}
	if m.End {
		n.LastIndex = nil
		n.Text = fmt.Sprintf("the steps from %d on cannot be read", first)
	}
	switch {
	case m.Cause != "":
		n.Severity = transcriptv1.Severity_SEVERITY_ERROR
		n.Text += ": " + m.Cause
	case first == 4 && m.First == 4 && m.Last == 4:
		n.Severity, n.Incomplete = transcriptv1.Severity_SEVERITY_INFO, false
	}
	return n
}

// filled says that steps come from the logs. m is the hole they lie in. Steps that the source never had, or lost without a
// trace, are all there again; what lies on damaged pages is more than a log knows.
func filled(first, last uint32, m sources.Missing, source, log string) *transcriptv1.Note {
	n := &transcriptv1.Note{
		Kind: noteFilled, Severity: transcriptv1.Severity_SEVERITY_WARNING, Anchor: fmt.Sprintf("step-%d", first),
		Text: fmt.Sprintf("%s %s not in %s; what follows is from %s", span(first, last), isAre(first, last), source, log),
	}
	if m.Cause != "" {
		n.Severity, n.Incomplete = transcriptv1.Severity_SEVERITY_ERROR, true
		n.Text = fmt.Sprintf("%s cannot be read in %s: %s; what follows is from %s", span(first, last), source, m.Cause, log)
	}
	return n
}

func isAre(first, last uint32) string {
	if first == last {
		return "is"
	}
	return "are"
}

// cut says where a conversation was rewound or forked; nil for a reference to no step.
func cut(r *transcriptv1.Reference) *transcriptv1.Note {
	if r.GetStepIndex() < 0 || r.StepIndex == nil {
		return nil
	}
	n := &transcriptv1.Note{Severity: transcriptv1.Severity_SEVERITY_INFO, Anchor: fmt.Sprintf("step-%d", r.GetStepIndex())}
	switch r.GetKind() {
	case "PRUNE":
		n.Kind = noteRewind
		n.Text = fmt.Sprintf("the conversation was rewound at step %d: what once followed was deleted", r.GetStepIndex())
	case "FORK", "SUBAGENT_FORK":
		n.Kind = noteFork
		n.Text = fmt.Sprintf("forked at step %d", r.GetStepIndex())
		if r.GetConversationId() != "" {
			n.Text += " of conversation " + r.GetConversationId()
		}
	default:
		n.Kind = noteFork
		n.Text = fmt.Sprintf("an earlier trajectory is referred to at step %d (%s)", r.GetStepIndex(), r.GetKind())
	}
	if r.GetTrajectoryId() != "" {
		n.Text += ", trajectory " + r.GetTrajectoryId()
	}
	return n
}
