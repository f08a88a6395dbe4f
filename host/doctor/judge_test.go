package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
)

func replace(text, id string) string { return strings.ReplaceAll(text, "ID", id) }

// Every state of a session and its sidecar, judged by their contents.
func TestSidecarStates(t *testing.T) {
	t.Parallel()
	s := newShop(t, "cli")
	wild := build.AppendUnknown(build.Step(t, `{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`), 5999, []byte("x"))
	for _, id := range []string{"altered", "bare", "changed", "corrupt", "folder", "foreign", "good", "huge", "missing", "old-profile"} {
		session := s.conversation(id)
		path := sidecar.Path(session.Path)
		if id != "missing" && id != "bare" {
			s.sync(session)
		}
		text, _ := os.ReadFile(path)
		name := id + sidecar.Suffix
		switch id {
		case "altered":
			s.write(name, strings.Replace(string(text), "Say hello", "Say no", 1))
		case "bare":
			s.write(name, replace(answered, id))
		case "changed":
			os.Remove(session.Path)
			s.conversation(id, build.Step(t, `{"type": 14, "status": 3, "userInput": {"userResponse": "Say more"}}`))
		case "corrupt":
			s.write(name, string(text[:len(text)/2]))
		case "folder":
			os.Remove(path)
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		case "foreign":
			s.write(name, strings.Replace(string(text), `"formatVersion":1`, `"formatVersion":99`, 1))
		case "huge":
			if err := os.Truncate(path, maxSidecar+1); err != nil {
				t.Fatal(err)
			}
		case "old-profile":
			s.write(name, strings.Replace(string(text), `"profileDigest":"sha256:`, `"profileDigest":"sha256:0`, 1))
		}
	}
	s.conversation("wild", wild)
	s.write("broken.db", "no database")
	s.write("short.pb", "x")
	s.write("good.pb", "the copy that a fork left; nobody reads it")
	got := s.examine(nobody).Roots[0].Sidecars
	if want := (Count{Verified: 1, Incomplete: 2, Unknown: 9}); got.SQLite != want {
		t.Errorf("databases: %+v, not %+v", got.SQLite, want)
	}
	if want := (Count{Unknown: 1}); got.Legacy != want {
		t.Errorf("encrypted files: %+v, not %+v", got.Legacy, want)
	}
	var classes []string
	for _, o := range got.Open {
		classes = append(classes, o.ID+": "+o.State+", "+string(o.Class))
		if o.Reason == "" {
			t.Errorf("%s without a reason", o.ID)
		}
	}
	want := []string{
		"altered: incomplete, " + string(Altered), "bare: unknown, " + string(Unattested), "broken: unknown, held", "changed: incomplete, " + string(Changed),
		"corrupt: unknown, corrupt sidecar", "folder: unknown, unreadable sidecar", "foreign: unknown, " + string(Unattested), "huge: unknown, unreadable sidecar",
		"missing: unknown, no sidecar yet", "old-profile: unknown, " + string(Unattested), "short: unknown, held", "wild: unknown, held",
	}
	if diff := cmp.Diff(want, classes); diff != "" {
		t.Error(diff)
	}
}

// A sidecar whose times say nothing is judged by what is in it: equal step counts and a newer time prove nothing.
func TestCaseK08EqualCountsProveNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t, "cli")
	session := s.conversation("a")
	s.sync(session)
	past, future := time.Unix(1, 0), time.Now().Add(time.Hour)
	for _, times := range [][2]time.Time{{past, future}, {future, past}} {
		for i, path := range []string{session.Path, sidecar.Path(session.Path)} {
			if err := os.Chtimes(path, times[i], times[i]); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.examine(nobody).Roots[0].Sidecars.SQLite; got.Verified != 1 {
			t.Errorf("%+v", got)
		}
	}
	os.Remove(session.Path)
	s.conversation("a", build.Step(t, `{"type": 14, "status": 3, "userInput": {"userResponse": "Say others"}}`))
	if err := os.Chtimes(session.Path, past, past); err != nil {
		t.Fatal(err)
	}
	if got := s.examine(nobody).Roots[0].Sidecars.SQLite; got.Incomplete != 1 {
		t.Errorf("%+v", got)
	}
}

// Nothing in the store is written, not even the time of a sidecar, and an implicit session counts for nothing.
func TestWritesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t, "cli")
	s.sync(s.conversation("a"))
	s.conversation("b")
	if err := os.MkdirAll(filepath.Join(s.root.Path, store.Implicit), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.file("b.db"), filepath.Join(s.root.Path, store.Implicit, "b.db")); err != nil {
		t.Fatal(err)
	}
	before := list(t, s.root.Path)
	if got := s.examine(nobody).Roots[0].Sidecars.SQLite; got != (Count{Verified: 1}) {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(before, list(t, s.root.Path)); diff != "" {
		t.Error(diff)
	}
}

func list(t *testing.T, root string) (all []string) {
	t.Helper()
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			all = append(all, path+" "+info.ModTime().String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What cannot be listed is unknown, and fails; a store that was named must be there, another one need not.
func TestSessionsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newShop(t, "cli")
	if err := os.Remove(s.file("")); err != nil {
		t.Fatal(err)
	}
	if got := s.examine(nobody).Roots[0].Sidecars; got.Cause != "" {
		t.Errorf("a store without the folder: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(s.root.Path, store.Conversations), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := s.examine(nobody); r.Roots[0].Sidecars.Cause == "" || r.Verdict().Healthy {
		t.Errorf("a file for a folder: %+v", r)
	}
	s.root.Path = filepath.Join(s.root.Path, "nowhere")
	if r := s.examine(nobody); !r.Verdict().Healthy {
		t.Errorf("the default store does not exist: %+v", r)
	}
	for _, path := range []string{s.root.Path, filepath.Join(filepath.Dir(s.root.Path), store.Conversations)} {
		s.root = store.Root{Path: path, Surface: "cli", Explicit: true}
		if r := s.examine(nobody); r.Roots[0].Sidecars.Cause == "" || r.Verdict().Healthy {
			t.Errorf("%s was named: %+v", path, r)
		}
	}
}

func TestExamineIsCancelled(t *testing.T) {
	t.Parallel()
	s := newShop(t, "cli")
	s.sync(s.conversation("a"))
	s.conversation("b")
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	r, err := Examine(ctx, Options{Roots: []store.Root{s.root}, Finder: nobody, Verifier: verifier(), Agy: noAgy, Progress: func(done, total int) {
		seen++
		if done != 0 || total != 2 {
			t.Errorf("%d of %d", done, total)
		}
		cancel()
	}})
	if r != nil || !errors.Is(err, context.Canceled) || seen != 1 {
		t.Errorf("%+v, %v, %d sessions", r, err, seen)
	}
}
