package artifact

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.md")
	s, err := OpenFile(path, Options{Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "conversation.md", "text/markdown", 0, "text")
	files, err := s.Commit(t.Context())
	if diff := cmp.Diff([]File{{"conversation.md", path, "text/markdown", 4}}, files); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := OpenFile(path, Options{Exclusive: true}); !errors.Is(err, ErrExists) {
		t.Errorf("opened over an existing file: %v", err)
	}
	two, err := OpenFile(filepath.Join(dir, "two.md"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, two, "a.md", "text/markdown", 0, "a")
	if _, err := two.Create("b.md", "text/markdown", 0); !errors.Is(err, ErrMany) {
		t.Errorf("second artifact: %v", err)
	}
	if err := two.Abort(); err != nil {
		t.Error(err)
	}
	got, hidden := read(t, dir)
	if diff := cmp.Diff(map[string]string{"out.md": "text"}, got); diff != "" || len(hidden) > 0 {
		t.Error(diff, hidden)
	}
}

func TestExclusiveLosesTheRace(t *testing.T) {
	t.Parallel()
	for _, noLinks := range []bool{false, true} {
		dir := t.TempDir()
		disk, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		f := &faults{folder: disk, at: -1, noLinks: noLinks}
		s := newSet(dir, &late{f, dir}, Options{Exclusive: true}, nil)
		write(t, s, "a.md", "x/y", 0, "ours")
		if _, err := s.Commit(t.Context()); err == nil {
			t.Error("replaced a file that came at the last moment")
		}
		got, hidden := read(t, dir)
		if diff := cmp.Diff(map[string]string{"a.md": "theirs"}, got); diff != "" || len(hidden) > 0 {
			t.Error(diff, hidden)
		}
	}
}

type late struct {
	*faults
	dir string
}

func (l *late) Link(name, second string) error {
	if err := os.WriteFile(filepath.Join(l.dir, second), []byte("theirs"), 0o600); err != nil {
		return err
	}
	return l.faults.Link(name, second)
}

func TestFoldersAreMadeAndRemoved(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join(base, "a", "b")
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "x.md", "x/y", 0, "text")
	if err := s.Abort(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(base, "a")); err == nil {
		t.Error("an aborted set leaves its folders")
	}
	s, err = Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "x.md", "x/y", 0, "text")
	if _, err := s.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, _ := read(t, dir); got["x.md"] != "text" {
		t.Error("not published")
	}
}

func TestStream(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	var out bytes.Buffer
	s, err := OpenStream(&out)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "a.md", "text/markdown", 1, " world")
	write(t, s, "a.md", "text/markdown", 0, "hello")
	if out.Len() > 0 {
		t.Error("wrote before the end")
	}
	files, err := s.Commit(t.Context())
	if diff := cmp.Diff([]File{{"a.md", "-", "text/markdown", 11}}, files); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if out.String() != "hello world" {
		t.Errorf("got %q", out.String())
	}
	s, err = OpenStream(&out)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "a.md", "text/markdown", 0, "hello")
	if _, err := s.Create("b.md", "text/markdown", 0); !errors.Is(err, ErrMany) {
		t.Errorf("second artifact: %v", err)
	}
	if _, err := s.Commit(t.Context()); err == nil {
		t.Error("committed after a refusal")
	}
	if out.String() != "hello world" {
		t.Errorf("a failed output wrote %q", out.String())
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

func TestOneRunWritesANameOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var thisRun Run
	publish := func(opt Options, content string, names ...string) error {
		s, err := Open(dir, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			write(t, s, name, "x/y", 0, content)
		}
		_, err = s.Commit(t.Context())
		return err
	}
	if err := publish(Options{Run: &thisRun}, "first", "a.md", "a.html"); err != nil {
		t.Fatal(err)
	}
	if err := publish(Options{Run: &thisRun, Force: true}, "second", "b.md", "A.md"); !errors.Is(err, ErrTaken) {
		t.Errorf("got %v", err)
	}
	if err := publish(Options{Run: &thisRun}, "second", "b.md"); err != nil {
		t.Errorf("the refused set keeps its names: %v", err)
	}
	if err := publish(Options{Run: &Run{}, Force: true}, "next run", "a.md"); err != nil {
		t.Error(err)
	}
	got, hidden := read(t, dir)
	if diff := cmp.Diff(map[string]string{"a.md": "next run", "a.html": "first", "b.md": "second"}, got); diff != "" || len(hidden) > 0 {
		t.Error(diff, hidden)
	}
}
