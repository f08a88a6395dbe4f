//go:build darwin || linux

package artifact

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Sets that publish the same names at the same moment never mix: the folder holds one of them, whole.
func TestSetsDoNotMix(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const names, writers, rounds = 4, 4, 12
	for round := range rounds {
		var all sync.WaitGroup
		for writer := range writers {
			all.Go(func() {
				set, err := Open(dir, Options{Force: true})
				if err != nil {
					t.Error(err)
					return
				}
				for n := range names {
					w, err := set.Create(fmt.Sprintf("%d.md", n), "text/markdown", 0)
					if err != nil {
						t.Error(err)
						return
					}
					fmt.Fprintf(w, "round %d writer %d", round, writer)
					if err := w.Close(); err != nil {
						t.Error(err)
					}
				}
				if _, err := set.Commit(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		first, err := os.ReadFile(filepath.Join(dir, "0.md"))
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n < names; n++ {
			if other, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.md", n))); err != nil || string(other) != string(first) {
				t.Fatalf("0.md holds %q, %d.md %q (%v)", first, n, other, err)
			}
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != names {
		t.Errorf("%d files, want %d (%v)", len(left), names, err)
	}
}
