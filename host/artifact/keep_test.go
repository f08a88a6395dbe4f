package artifact

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A file that already holds the bytes keeps its time and its place; the rest of the set is published around it.
func TestKeepLeavesEqualFilesAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, text := range map[string]string{"same.md": "same", "other.md": "first", "size.md": "aaaa"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	publish := func(other string) []File {
		s, err := Open(dir, Options{Force: true, Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		write(t, s, "same.md", "text/markdown", 0, "same")
		write(t, s, "other.md", "text/markdown", 0, other)
		write(t, s, "size.md", "text/markdown", 0, "aaaa")
		files, err := s.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	if files := publish("second"); len(files) != 3 {
		t.Errorf("files %v", files)
	}
	if files := publish("second"); len(files) != 3 { // now nothing at all moves
		t.Errorf("files %v", files)
	}
	got, hidden := read(t, dir)
	if diff := cmp.Diff(map[string]string{"same.md": "same", "other.md": "second", "size.md": "aaaa"}, got); diff != "" || len(hidden) > 0 {
		t.Error(diff, hidden)
	}
	for name, kept := range map[string]bool{"same.md": true, "size.md": true, "other.md": false} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.ModTime().Equal(old) != kept {
			t.Errorf("%s: changed at %v", name, info.ModTime())
		}
	}
}
