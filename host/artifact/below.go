package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// makeBelow makes the folders that artifacts of the set lie in. A link or a file in the place of one is refused.
func (s *Set) makeBelow(all []*staged) error {
	for _, name := range folders(all) {
		made, err := s.makeFolder(name)
		if err != nil {
			return outputError("open folder", name, err)
		}
		if made {
			s.below = append(s.below, name)
		}
	}
	return nil
}

func (s *Set) makeFolder(name string) (made bool, err error) {
	info, err := s.dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := s.dir.Mkdir(name); err == nil || !errors.Is(err, fs.ErrExist) {
			return err == nil, err
		}
		return false, nil
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, fmt.Errorf("%s is not a folder: %w", name, ErrExists)
	}
	return false, nil
}

// folders are the folders of the artifacts, each once, in order of appearance.
func folders(all []*staged) []string {
	var names []string
	seen := map[string]bool{"": true}
	for _, st := range all {
		if name := folderOf(st.target); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// sync flushes the entries of every folder the set writes to.
func (s *Set) sync(all []*staged) error {
	for _, name := range folders(all) {
		if err := s.dir.Sync(name); err != nil {
			return err
		}
	}
	return s.dir.Sync(".")
}

// same reports whether two files hold the same bytes. Such a file is never in the way, whoever wrote it.
func (s *Set) same(name, other string) (bool, error) {
	a, err := s.dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer a.Close()
	b, err := s.dir.OpenFile(other, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer b.Close()
	var left, right [32 << 10]byte
	for {
		n, err := io.ReadFull(a, left[:])
		m, otherErr := io.ReadFull(b, right[:])
		if !bytes.Equal(left[:n], right[:m]) {
			return false, nil
		}
		switch {
		case ended(err) && ended(otherErr):
			return true, nil
		case err != nil || otherErr != nil:
			return false, errors.Join(err, otherErr)
		}
	}
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
