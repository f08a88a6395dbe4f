//go:build unix

package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"agy-reader/sources"
)

func TestOnlyRegularFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("x"), 0o600), os.Symlink("file", at("link")), os.Symlink("/etc/passwd", at("out")),
		syscall.Mkfifo(at("fifo"), 0o600), os.Mkdir(at("folder"), 0o700),
		os.WriteFile(at("folder/file"), []byte("x"), 0o600), os.Symlink("folder", at("linked")), os.Mkdir(at("folder/sub"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, test := range []struct {
		name         string
		open, openIn error
	}{
		{"file", nil, nil},
		{"link", nil, ErrLink},
		{"out", nil, ErrLink},
		{"fifo", sources.ErrUnreadable, sources.ErrUnreadable},
		{"folder", sources.ErrUnreadable, sources.ErrUnreadable},
		{"folder/file", nil, nil},
		{"linked/file", nil, ErrLink},
		{"none", fs.ErrNotExist, fs.ErrNotExist},
	} {
		file, err := Open(at(test.name))
		if !errors.Is(err, test.open) || (err == nil) != (test.open == nil) {
			t.Errorf("Open(%s): %v", test.name, err)
		}
		file.Close()
		file, err = OpenIn(root, test.name)
		if !errors.Is(err, test.openIn) || (err == nil) != (test.openIn == nil) {
			t.Errorf("OpenIn(%s): %v", test.name, err)
		}
		file.Close()
	}
}
