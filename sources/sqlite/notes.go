package sqlite

import (
	"fmt"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Kinds of notes this source writes.
const (
	noteDamage  = "damage"
	noteGap     = "gap"
	noteUnknown = "unknown_fields"
	noteRow     = "row"
)

// gapNote says that steps are missing, from first to last. cause is empty when the database simply has none.
func gapNote(first, last int64, cause string) *transcriptv1.Note {
	n := &transcriptv1.Note{
		Kind: noteGap, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
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

func index32(i int64) *uint32 {
	u := uint32(i)
	return &u
}
