package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/store"
)

// Adding the implicit conversations later gives the same list as listing them at once, and no second list when there are none.
func TestWithImplicit(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, map[string]int{
		".gemini/antigravity-cli/conversations/" + first + ".db": 1,
		".gemini/antigravity-cli/implicit/" + second + ".pb":     2,
		".gemini/antigravity/conversations/" + second + ".db":    3,
		".gemini/antigravity/implicit/" + third + ".pb":          4,
	})
	roots := store.AllRoots(nil, environment(home, nil))
	want, err := store.All(roots, true)
	if err != nil || len(want) != 3 {
		t.Fatalf("%v, %v", want, err)
	}
	without, err := store.All(roots, false)
	if err != nil || len(without) != 2 {
		t.Fatalf("%v, %v", without, err)
	}
	got, err := store.WithImplicit(without, roots)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if len(without) != 2 || len(without[0].Copies)+len(without[1].Copies) > 0 {
		t.Errorf("the first list changed: %+v", without)
	}
	bare := []store.Root{{Path: filepath.Join(home, ".gemini", "elsewhere")}}
	if same, err := store.WithImplicit(without, bare); err != nil || len(same) != 2 || &same[0] != &without[0] {
		t.Errorf("%v, %v", same, err)
	}
}
