package sqlite

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"agy-reader/sources"
)

// A database of which only the beginning is left gives every step that lies there, says that it was cut off, and is refused
// by whoever wants it whole (case A02). Big files are not read at once, and take another way.
func TestCaseA02CutOffDatabase(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"in memory": 10_000, "on disk": 400_000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newConversation(t)
			for i := range 20 {
				w.step(i, strings.Repeat("text ", size/5))
			}
			w.close()
			info, err := os.Stat(w.path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(w.path, info.Size()*2/3+7); err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-time.Hour)
			if err := os.Chtimes(w.path, old, old); err != nil {
				t.Fatal(err)
			}
			d := mustRead(t, w.path, sources.Want{Blocks: true})
			whole := 0
			for _, e := range d.events {
				if b := e.GetStep().GetBlocks(); len(b) > 0 && len(b[0].GetText()) == size {
					whole++
				}
			}
			said := slices.ContainsFunc(d.notes(), func(n string) bool {
				return strings.HasPrefix(n, "damage ERROR incomplete: the database was cut off: it has ")
			})
			if whole < 11 || whole > 14 || !said {
				t.Errorf("%d whole steps, notes %q", whole, d.notes())
			}
			_, err = readDocument(t, New(), w.path, sources.Want{Blocks: true, Strict: true})
			if !errors.Is(err, sources.ErrPartial) {
				t.Errorf("strict: %v", err)
			}
		})
	}
}
