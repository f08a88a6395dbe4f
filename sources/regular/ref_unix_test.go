//go:build unix

package regular

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"agy-reader/sources"
)

// A file of a conversation is read through links only as far as they stay in its store.
func TestRef(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, err := range []error{
		os.MkdirAll(at("store/conversations"), 0o700), os.MkdirAll(at("other/conversations"), 0o700),
		os.WriteFile(at("store/conversations/a.db"), []byte("in"), 0o600), os.WriteFile(at("other/conversations/a.db"), []byte("out"), 0o600),
		os.Symlink("a.db", at("store/conversations/in.db")), os.Symlink("../../other/conversations/a.db", at("store/conversations/out.db")),
		os.Symlink("../other/conversations", at("store/folder")), os.Symlink("store", at("home")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		root, path, want string
	}{
		"a file":                  {"store", "store/conversations/a.db", "in"},
		"a link that stays":       {"store", "store/conversations/in.db", "in"},
		"a link out":              {"store", "store/conversations/out.db", ""},
		"a folder that leads out": {"store", "store/folder/a.db", ""},
		"a store behind a link":   {"home", "home/conversations/a.db", "in"},
		"out of that":             {"home", "home/conversations/out.db", ""},
		"a file of no store":      {"", "store/conversations/out.db", "out"},
		"a file of another store": {"store", "other/conversations/a.db", "out"},
	} {
		ref := sources.Ref{Path: at(test.path)}
		if test.root != "" {
			ref.Root = at(test.root)
		}
		text := ""
		file, err := OpenRef(ref)
		if err == nil {
			all, _ := io.ReadAll(file)
			text = string(all)
			file.Close()
		}
		_, resolved := Resolve(ref)
		if text != test.want || (test.want == "") != (errors.Is(err, ErrLink) && errors.Is(err, sources.ErrUnreadable)) || (err == nil) != (resolved == nil) {
			t.Errorf("%s: %q, %v; resolved: %v", name, text, err, resolved)
		}
	}
}
