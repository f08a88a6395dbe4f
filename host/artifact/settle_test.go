package artifact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Settle leaves a folder with one whole set, wherever the process was killed, without waiting for a day to pass.
func TestSettle(t *testing.T) {
	t.Parallel()
	completed := 0
	for _, sc := range scenarios {
		for at := 0; ; at++ {
			dir := sc.prepare(t)
			f := &faults{at: at, mode: kill}
			if err := sc.publish(dir, f); err == nil && !f.dead {
				break
			}
			_, hidden := read(t, dir)
			journaled := strings.Contains(strings.Join(hidden, " "), journalPrefix)
			if err := Settle(dir); err != nil {
				t.Fatalf("%s, killed at call %d: %v", sc.name, at, err)
			}
			files, hidden := read(t, dir)
			claimed := sc.opt.Exclusive && sc.noLinks && files["a.md"] == ""
			if !sc.isOld(files) && !cmp.Equal(sc.want, files) && !claimed {
				t.Errorf("%s, killed at call %d: %v", sc.name, at, files)
			}
			if strings.Contains(strings.Join(hidden, " "), journalPrefix) {
				t.Errorf("%s, killed at call %d: the journal is still there", sc.name, at)
			}
			if journaled {
				completed++
			}
		}
	}
	if completed == 0 {
		t.Error("nothing was to be completed")
	}
}
