package trajectory

import (
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// Kinds of notes that sources write.
const (
	NoteDamage  = "damage"
	NoteGap     = "gap"
	NoteUnknown = interpret.NoteUnknown
	NoteUsage   = "usage"
	NoteRow     = "row"
)

// FindingsNotes says what of a stored message the profile does not know or cannot be; whole names the message itself.
func FindingsNotes(whole string, f *profile.Findings) []*transcriptv1.Note {
	return interpret.FindingsNotes(whole, f)
}

// NoteEvent makes an event of a note. A note may quote names out of damaged bytes.
func NoteEvent(n *transcriptv1.Note) *transcriptv1.Event {
	n.Text = strings.ToValidUTF8(n.Text, "\uFFFD")
	return &transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: n}}
}

// RefuseIncomplete makes a note about something unknown, missing or damaged an error.
func RefuseIncomplete(yield func(*transcriptv1.Event) error) func(*transcriptv1.Event) error {
	return func(ev *transcriptv1.Event) error {
		n := ev.GetNote()
		if !n.GetIncomplete() {
			return yield(ev)
		}
		kind := sources.ErrPartial
		if n.GetKind() == NoteUnknown {
			kind = sources.ErrUnknown
		}
		return fmt.Errorf("%w: %s", kind, strings.TrimSuffix(n.GetText(), "."))
	}
}

// Some spells out the first few of a list.
func Some(list []string) string {
	const most = 12
	if len(list) > most {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", len(list)-most)
	}
	return strings.Join(list, ", ")
}

// Ranges writes increasing numbers as 3, 7-9; long lists are cut.
func Ranges(list []int64) string {
	var out []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if i == j {
			out = append(out, fmt.Sprint(list[i]))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", list[i], list[j]))
		}
		i = j + 1
	}
	return Some(out)
}
