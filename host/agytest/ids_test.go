package agytest_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	"agy-reader/host/agytest"
	"agy-reader/host/agytest/answers"
	"agy-reader/host/demo/build"
	"agy-reader/sources/daemon"
)

// A conversation is loaded by the name of its file and known by its cascade id, like the product's.
func TestCascadeIDInside(t *testing.T) {
	t.Parallel()
	root, path := smallStore(t)
	id := sessionOf(path).ID
	const file = "33333333-2222-4333-8444-555555555555"
	if err := os.Rename(path, filepath.Join(root, "conversations", file+".db")); err != nil {
		t.Fatal(err)
	}
	d := agytest.Start(t, agytest.Options{Root: root})
	c := client(t, d)
	var status *daemon.StatusError
	if _, err := daemon.Fetch(t.Context(), c, file, ""); !errors.As(err, &status) || status.Code != 404 {
		t.Errorf("by the name of the file: %v", err)
	}
	if a, err := daemon.Fetch(t.Context(), c, file, id); err != nil || a.ID != id || a.Steps != 12 {
		t.Errorf("by the id inside: %+v, %v", a, err)
	}
	if err := c.Load(t.Context(), id); !errors.As(err, &status) || status.Code != 404 {
		t.Errorf("loading by the id inside: %v", err)
	}
}

// An encrypted file is read too, but not beside a database of the same name, nor in implicit/.
func TestEncryptedFile(t *testing.T) {
	t.Parallel()
	root, path := smallStore(t)
	s, err := answers.Load(root, sessionOf(path).ID)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := proto.Marshal(s.Without(7).Trajectory.Interface())
	if err != nil {
		t.Fatal(err)
	}
	const other = "44444444-2222-4333-8444-555555555555"
	for _, name := range []string{"conversations/" + sessionOf(path).ID, "conversations/" + other, "implicit/55555555-2222-4333-8444-555555555555"} {
		file := filepath.Join(root, name+".pb")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, build.Seal(t, raw), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := client(t, agytest.Start(t, agytest.Options{Root: root}))
	for name, want := range map[string]int64{sessionOf(path).ID: 12, other: 5, "55555555-2222-4333-8444-555555555555": -1} {
		a, err := daemon.Fetch(t.Context(), c, name, s.CascadeID())
		if want < 0 && err == nil || want >= 0 && (err != nil || a.Steps != want) {
			t.Errorf("%s: %d steps, %v; want %d", name, a.Steps, err, want)
		}
	}
}
