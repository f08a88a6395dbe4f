package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"agy-reader/host/store"
)

// A file is found in its store from wherever it is named.
func TestFindByBareName(t *testing.T) {
	root := t.TempDir()
	const id = "c0ffee00-0000-4000-8000-000000000001"
	for _, dir := range []string{"conversations", filepath.Join("brain", id)} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "conversations", id+".db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, name := range map[string]string{
		filepath.Join(root, "conversations"): id + ".db",
		root:                                 filepath.Join("conversations", id+".db"),
	} {
		t.Chdir(dir)
		s, err := store.NewFinder(nil).Find(name)
		if err != nil || s.Bucket != store.Conversations || s.Path != name || filepath.Base(s.Brain) != id || !filepath.IsAbs(s.Root.Path) {
			t.Errorf("%s in %s: %+v, %v", name, dir, s, err)
		}
	}
}
