package artifact

import (
	"os"
	"path/filepath"
	"slices"
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

// Sweep removes temporary files of the names it is told, and nothing that only looks like one.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mine := []string{tempName("mine.md"), tempName("mine.files/picture.png")}
	others := []string{tempName("other.md"), ".mine.md.tmp-1", ".mine.md", "mine.md", "mine.md.tmp-0123456789abcdef"}
	for _, name := range append(others, mine...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := tempName("mine.html")
	if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(dir, func(name string) bool { return strings.HasPrefix(name, "mine.") }); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := append(others, folder)
	slices.Sort(want)
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
}
