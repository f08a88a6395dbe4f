package replace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.json", "below/a.json"} {
		for _, text := range []string{"first", "second, longer"} {
			if err := File(root, name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
				t.Errorf("%s holds %q, %v", name, got, err)
			}
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
				t.Errorf("%s: %v, %v", name, info, err)
			}
		}
	}
	if err := File(root, "missing/a.json", nil, 0o600); err == nil {
		t.Error("a file in a folder that does not exist")
	}
	if err := File(root, "../a.json", nil, 0o600); err == nil {
		t.Error("a file outside of the folder")
	}
}

// A folder in the place cannot be replaced: it stays, and nothing is left beside it.
func TestFileOverAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := File(root, "a", []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || !left[0].IsDir() {
		t.Errorf("left: %v", left)
	}
}

// Leftovers of the same file are removed when they are old; others are not touched.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	random := strings.Repeat("A2", 13)
	old := time.Now().Add(-2 * leftoverAge)
	for _, test := range []struct {
		name      string
		old, stay bool
	}{
		{".a.json.r" + random + ".tmp", true, false},
		{".a.json.r" + strings.Repeat("Z7", 13) + ".tmp", false, true},
		{".b.json.r" + random + ".tmp", true, true},
		{".a.json.r" + strings.ToLower(random) + ".tmp", true, true},
		{".a.json.r.tmp", true, true},
		{"a.json.r" + random + ".tmp", true, true},
	} {
		path := filepath.Join(dir, test.name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if test.old {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		if err := File(root, "a.json", []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); (err == nil) != test.stay {
			t.Errorf("%s: %v, want to stay: %v", test.name, err, test.stay)
		}
	}
}
