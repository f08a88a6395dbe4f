package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommittedSchemasAreFresh(t *testing.T) {
	t.Parallel()
	root, err := profilesFolder()
	if err != nil {
		t.Fatal(err)
	}
	if err := run(root, true); err != nil {
		t.Error(err)
	}
}

func TestCheckReportsStaleAndMissing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	folder := filepath.Join(root, "p")
	source := filepath.Join(folder, "a", "x.proto")
	write(t, filepath.Join(folder, "profile.json"), "{}")
	write(t, source, "syntax = \"proto3\";\npackage a;\nmessage X { string s = 1; }\n")

	if err := run(root, true); err == nil {
		t.Error("a missing schema.binpb passes the check")
	}
	if err := run(root, false); err != nil {
		t.Fatal(err)
	}
	if err := run(root, true); err != nil {
		t.Errorf("a fresh schema fails the check: %v", err)
	}
	write(t, source, "syntax = \"proto3\";\npackage a;\nmessage X { string s = 2; }\n")
	if err := run(root, true); err == nil {
		t.Error("a stale schema.binpb passes the check")
	}
	write(t, source, "syntax = \"proto3\";\npackage a;\nmessage X { strin s = 2; }\n")
	if err := run(root, false); err == nil || !strings.Contains(err.Error(), "a/x.proto:3") {
		t.Errorf("a broken schema is reported as %v, want file and line", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
