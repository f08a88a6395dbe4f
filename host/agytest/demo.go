package agytest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"agy-reader/host/demo/build"
	"agy-reader/host/demo/session"
)

// Store returns a new CLI store with one session: the demo's without the step that holds a field nobody knows, so that it can
// be verified. path is its database.
func Store(t testing.TB) (root, path string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c, err := session.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	c.Steps = slices.DeleteFunc(c.Steps, func(r build.Row) bool { return bytes.Contains(r.Payload, []byte(session.UnknownText)) })
	for i := range c.Steps {
		c.Steps[i].Index = int64(i)
	}
	path = filepath.Join(root, "conversations", c.CascadeID+".db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := build.Database(path, c); err != nil {
		t.Fatal(err)
	}
	return root, path
}
