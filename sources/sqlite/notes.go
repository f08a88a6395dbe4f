package sqlite

import (
	"fmt"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/trajectory"
)

// gapNote says that steps are missing, from first to last. cause is empty when the database simply has none.
func gapNote(first, last int64, cause string) *transcriptv1.Note {
	n := &transcriptv1.Note{
		Kind: trajectory.NoteGap, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
		FirstIndex: index32(first), LastIndex: index32(last),
	}
	switch {
	case first == last:
		n.Text = fmt.Sprintf("step %d is missing", first)
	case last >= maxKey:
		n.LastIndex = nil
		n.Text = fmt.Sprintf("all steps from %d on are missing", first)
	default:
		n.Text = fmt.Sprintf("steps %d to %d are missing", first, last)
	}
	if cause != "" {
		n.Severity = transcriptv1.Severity_SEVERITY_ERROR
		n.Text += ": " + cause
	}
	return n
}

// rowNote is about one stored step.
func rowNote(index int64, severity transcriptv1.Severity, incomplete bool, text string) *transcriptv1.Note {
	kind := trajectory.NoteRow
	if incomplete {
		kind = trajectory.NoteDamage
	}
	return &transcriptv1.Note{
		Kind: kind, Severity: severity, Incomplete: incomplete, Anchor: fmt.Sprintf("step-%d", index),
		Text: fmt.Sprintf("step %d: %s", index, text),
	}
}

func index32(i int64) *uint32 {
	u := uint32(i)
	return &u
}
