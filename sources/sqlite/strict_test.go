package sqlite

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"agy-reader/sources"
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
	if strings.HasPrefix(notes[i], noteUnknown) {
		kind = sources.ErrUnknown
	}
	// The text follows the kind of the error, or its last part the name of the step.
	text := notes[i][strings.LastIndex(notes[i], ": ")+2:]
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), strings.TrimSuffix(text, ".")) {
		t.Errorf("strict reading: %v, want %q", err, notes[i])
	}
}
