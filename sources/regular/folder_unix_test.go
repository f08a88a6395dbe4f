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

func TestOnlyFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("x"), 0o600), os.MkdirAll(at("folder/sub"), 0o700), os.Symlink("folder", at("link")),
		os.Symlink("/etc", at("out")), syscall.Mkfifo(at("fifo"), 0o600),
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
		name string
		want error
	}{
		{"folder", nil},
		{"file", sources.ErrUnreadable},
		{"fifo", sources.ErrUnreadable},
		{"folder/sub", nil},
		{"link/sub", ErrLink},
		{"link", ErrLink},
		{"out", ErrLink},
		{"none", fs.ErrNotExist},
	} {
		folder, err := OpenFolder(root, test.name)
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("OpenFolder(%s): %v", test.name, err)
		}
		folder.Close()
		below, err := Below(root, test.name)
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("Below(%s): %v", test.name, err)
		}
		if below != nil {
			below.Close()
		}
	}
}

func TestBrain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.MkdirAll(at("store/brain/here"), 0o700), os.MkdirAll(at("elsewhere/own"), 0o700), os.Symlink("../../elsewhere", at("store/brain/out")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		ref  sources.Ref
		want error
	}{
		"no folder":           {sources.Ref{Root: at("store")}, fs.ErrNotExist},
		"in its store":        {sources.Ref{Root: at("store"), Brain: at("store/brain/here")}, nil},
		"gone":                {sources.Ref{Root: at("store"), Brain: at("store/brain/gone")}, fs.ErrNotExist},
		"a link":              {sources.Ref{Root: at("store"), Brain: at("store/brain/out")}, ErrLink},
		"behind a link":       {sources.Ref{Root: at("store"), Brain: at("store/brain/out/own")}, ErrLink},
		"outside of a store":  {sources.Ref{Root: at("store"), Brain: at("elsewhere")}, nil},
		"of no store":         {sources.Ref{Brain: at("elsewhere")}, nil},
		"a store that is not": {sources.Ref{Root: at("none"), Brain: at("none/brain/here")}, fs.ErrNotExist},
	} {
		root, err := Brain(test.ref)
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if root != nil {
			root.Close()
		}
	}
}

func TestLinksWithin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("x"), 0o600), os.Symlink("file", at("link")), os.Symlink("/etc/passwd", at("out")),
		syscall.Mkfifo(at("fifo"), 0o600), os.Symlink("fifo", at("linked fifo")),
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
	for name, fine := range map[string]bool{"file": true, "link": true, "out": false, "fifo": false, "linked fifo": false} {
		file, err := OpenWithin(root, name)
		if (err == nil) != fine {
			t.Errorf("%s: %v", name, err)
		}
		file.Close()
	}
}
