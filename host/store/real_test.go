package store

import (
	"os"
	"path/filepath"
	"testing"
)

// Wherever a file would be made below a folder, it is inside: links that lead nowhere yet, in parent folders, relative,
// one to the other, and with `..` behind them.
func TestInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, out := filepath.Join(dir, "store"), filepath.Join(dir, "out")
	for _, d := range []string{filepath.Join(store, "conversations"), out} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"dangling":  filepath.Join(store, "conversations", "new.md"),
		"relative":  filepath.Join("..", "store", "new.md"),
		"folder":    filepath.Join(store, "conversations"),
		"no-folder": filepath.Join("..", "store", "none"),
		"chain":     "dangling",
		"harmless":  filepath.Join("..", "elsewhere.md"),
		"circle":    "circle",
		"out-again": filepath.Join("folder", "..", "..", "elsewhere.md"),
	} {
		if err := os.Symlink(to, filepath.Join(out, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink(store, filepath.Join(dir, "alias")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"dangling": true, "relative": true, "chain": true, "folder": true,
		filepath.Join("folder", "x.md"):            true,
		filepath.Join("no-folder", "deep", "x.md"): true,
		"folder/../x.md":                           true, // the system goes up from the link's target
		"../out/../store/x.md":                     true,
		"harmless":                                 false,
		"circle":                                   false,
		"out-again":                                false,
		"plain.md":                                 false,
		"../store2/x.md":                           false,
	} {
		for _, folder := range []string{store, filepath.Join(dir, "alias")} {
			if got := Inside(out+string(filepath.Separator)+path, folder); got != want {
				t.Errorf("%s in %s: %v (%s)", path, folder, got, RealPath(out+string(filepath.Separator)+path))
			}
		}
	}
}
