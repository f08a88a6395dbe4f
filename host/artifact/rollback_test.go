package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRollBackFails lets every call fail from one on: the folder cannot be put back, but is completed later.
func TestRollBackFails(t *testing.T) {
	t.Parallel()
	sc := scenarios[3]
	for at := 0; ; at++ {
		dir := sc.prepare(t)
		f := &sticky{faults{at: -1}, at}
		disk, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		f.folder = disk
		s := newSet(dir, f, sc.opt, nil)
		for _, name := range []string{"a.md", "b.html", "c.json"} {
			w, err := s.Create(name, "text/plain", 0)
			if err != nil {
				break
			}
			_, _ = io.WriteString(w, sc.want[name])
			_ = w.Close()
		}
		_, err = s.Commit(background())
		_ = s.Abort()
		comeBack(t, dir, sc.opt)
		files, hidden := read(t, dir)
		if !sc.isOld(files) && !cmp.Equal(sc.want, files) || len(hidden) > 0 {
			t.Fatalf("broken from call %d on (%v): %v %v", at, err, files, hidden)
		}
		if err == nil && f.calls <= at {
			break
		}
	}
}

// sticky fails every rename, link, removal and flush of the folder from one on.
type sticky struct {
	faults
	from int
}

func (s *sticky) broken() error {
	s.calls++
	if s.calls > s.from {
		return fmt.Errorf("call %d: %w", s.calls, syscall.EIO)
	}
	return nil
}

func (s *sticky) Link(name, second string) error {
	return errors.Join(s.broken(), s.unless(func() error { return s.folder.Link(name, second) }))
}

func (s *sticky) Rename(o, n string) error {
	return errors.Join(s.broken(), s.unless(func() error { return s.folder.Rename(o, n) }))
}

func (s *sticky) Remove(n string) error {
	return errors.Join(s.broken(), s.unless(func() error { return s.folder.Remove(n) }))
}

func (s *sticky) Mkdir(name string) error { return s.folder.Mkdir(name) }

func (s *sticky) Sync(name string) error {
	return errors.Join(s.broken(), s.unless(func() error { return s.folder.Sync(name) }))
}

func (s *sticky) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	return s.folder.OpenFile(name, flag, perm)
}

func (s *sticky) Lstat(name string) (fs.FileInfo, error) { return s.folder.Lstat(name) }

func (s *sticky) Names() ([]string, error) { return s.folder.Names() }

func (s *sticky) unless(do func() error) error {
	if s.calls > s.from {
		return nil
	}
	return do()
}
