package sqlite

import (
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// Kinds of notes this source writes.
const (
	noteDamage  = "damage"
	noteGap     = "gap"
	noteUnknown = "unknown_fields"
	noteUsage   = "usage"
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

// rowNote is about one stored step.
func rowNote(index int64, severity transcriptv1.Severity, incomplete bool, text string) *transcriptv1.Note {
	kind := noteRow
	if incomplete {
		kind = noteDamage
	}
	return &transcriptv1.Note{
		Kind: kind, Severity: severity, Incomplete: incomplete, Anchor: fmt.Sprintf("step-%d", index),
		Text: fmt.Sprintf("step %d: %s", index, text),
	}
}

// findingsNote says what of a stored message the profile does not know, or is nil.
func findingsNote(path string, f *profile.Findings) *transcriptv1.Note {
	if f.Clean() {
		return nil
	}
	n := &transcriptv1.Note{Severity: transcriptv1.Severity_SEVERITY_WARNING}
	switch {
	case !f.Known():
		n.Kind, n.Incomplete = noteUnknown, true
		n.Text = path + ": the decoder profile does not know " + some(unknownIn(f))
	case len(f.BadText) > 0:
		n.Kind = "repaired_text"
		n.Text = path + ": text that is not valid UTF-8 was repaired in " + some(f.BadText)
	default:
		n.Kind = noteDamage
		n.Text = path + ": values that cannot be what they stand for: " + some(f.BadValues)
	}
	return n
}

func unknownIn(f *profile.Findings) []string {
	var what []string
	for _, u := range f.Unknown {
		what = append(what, fmt.Sprintf("field %d in %s", u.GetNumber(), u.GetPath()))
	}
	for _, e := range f.UnknownEnums {
		what = append(what, "enum value "+e)
	}
	for _, w := range f.UnknownWrappers {
		what = append(what, "wrapped message "+w)
	}
	if f.More > 0 {
		what = append(what, fmt.Sprintf("%d things that are not listed", f.More))
	}
	return what
}

// some spells out the first few.
func some(list []string) string {
	const most = 12
	if len(list) > most {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", len(list)-most)
	}
	return strings.Join(list, ", ")
}

func index32(i int64) *uint32 {
	u := uint32(i)
	return &u
}
