package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

// checkStrict: strict reading refuses what ordinary reading marks as incomplete with the same reason, and takes the rest.
func checkStrict(t *testing.T, path string, d *document) {
	t.Helper()
	_, err := readDocument(t, New(), path, sources.Want{Blocks: true, Strict: true})
	notes := d.notes()
	i := slices.IndexFunc(notes, func(n string) bool { return strings.Contains(n, " incomplete: ") })
	if i < 0 {
		if err != nil {
			t.Errorf("strict reading refuses what is known and whole: %v", err)
		}
		return
	}
	kind := sources.ErrPartial
	if strings.HasPrefix(notes[i], trajectory.NoteUnknown) {
		kind = sources.ErrUnknown
	}
	// The text follows the kind of the error, or its last part the name of the step.
	text := notes[i][strings.LastIndex(notes[i], ": ")+2:]
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), strings.TrimSuffix(text, ".")) {
		t.Errorf("strict reading: %v, want %q", err, notes[i])
	}
}

// A record that is no message is named and keeps its place and its bytes; strict reading refuses it.
func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "text")
	w.exec("INSERT INTO gen_metadata VALUES (0, x'0a0c', 2)")
	const text = "a record could not be decoded, its bytes are kept: generatorMetadata[0]: not a exa.cortex_pb.CortexStepGeneratorMetadata: malformed at byte 0"
	d := mustRead(t, w.path, sources.Want{Records: true})
	if diff := cmp.Diff([]string{"damage WARNING incomplete: " + text}, d.notes()); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	var kept []string
	for _, e := range d.events {
		if rec := e.GetRecord(); rec != nil {
			kept = append(kept, fmt.Sprintf("%s %s %x", rec.GetUnknown()[0].GetPath(), rec.GetJson(), rec.GetUnknown()[0].GetValue()))
		}
	}
	if diff := cmp.Diff([]string{"generatorMetadata[0] {} 0a0c"}, kept); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	_, err := readDocument(t, New(), w.path, sources.Want{Records: true, Strict: true})
	if !errors.Is(err, sources.ErrPartial) || !strings.Contains(err.Error(), text) {
		t.Errorf("strict reading: %v", err)
	}
}
