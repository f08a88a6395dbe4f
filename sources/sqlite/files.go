package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// files are a database and what may lie beside it.
type files struct {
	db, wal, shm, journal string
}

// locate follows links as far as they stay in the store, as SQLite does before it looks for the other files, and makes sure
// there is an ordinary file.
func locate(ref sources.Ref) (files, error) {
	resolved, err := regular.Resolve(ref)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Lstat(resolved)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return files{}, fmt.Errorf("%w: %w", sources.ErrNotFound, err)
	case err != nil:
		return files{}, fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	case !info.Mode().IsRegular():
		return files{}, fmt.Errorf("%w: it is not a file", sources.ErrUnsupported)
	}
	return files{db: resolved, wal: resolved + "-wal", shm: resolved + "-shm", journal: resolved + "-journal"}, nil
}

// seen is what a moment's look at the files showed. A member is nil when the file does not exist.
type seen struct {
	db, wal, shm, journal fs.FileInfo
}

// look fails with sources.ErrUnreadable when one of the files is there and is no regular file, when a link took the place of the
// database or of a folder on the way to it, and when what lies beside it is a link, which could lead out of the store.
func (f files) look() (seen, error) {
	var s seen
	for _, one := range []struct {
		path string
		info *fs.FileInfo
	}{{f.db, &s.db}, {f.wal, &s.wal}, {f.shm, &s.shm}, {f.journal, &s.journal}} {
		info, err := os.Lstat(one.path)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return seen{}, fmt.Errorf("%w: %s: %w", sources.ErrUnreadable, filepath.Base(one.path), regular.ErrLink)
		case err == nil:
			if err := regular.Check(one.path, info); err != nil {
				return seen{}, err
			}
			*one.info = info
		case !errors.Is(err, fs.ErrNotExist):
			return seen{}, fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
		}
	}
	if now, err := filepath.EvalSymlinks(f.db); err == nil && now != f.db {
		return seen{}, fmt.Errorf("%w: %s: %w", sources.ErrUnreadable, filepath.Base(f.db), regular.ErrLink)
	}
	if s.db == nil {
		return seen{}, fmt.Errorf("%w: the file vanished", sources.ErrNotFound)
	}
	return s, nil
}

func nonEmpty(info fs.FileInfo) bool { return info != nil && info.Size() > 0 }

// same reports whether a file was neither replaced nor written between two looks.
func same(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// clockTick is longer than the resolution of file times on the file systems a store lies on.
const clockTick = 20 * time.Millisecond

// settle waits until a further write would show in the file's time, as far as clocks can tell.
func settle(info fs.FileInfo) bool {
	age := time.Since(info.ModTime())
	if age < 0 || age >= clockTick {
		return true
	}
	time.Sleep(clockTick - age)
	return false
}

// journalMagic starts a rollback journal that still has to be applied; a finished one is empty, zeroed or gone.
var journalMagic = []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}

func (f files) hotJournal(s seen) (bool, error) {
	if !nonEmpty(s.journal) {
		return false, nil
	}
	head := make([]byte, len(journalMagic))
	file, err := regular.Open(f.journal)
	if err == nil {
		defer file.Close()
		_, err = io.ReadFull(file, head)
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	return bytes.Equal(head, journalMagic), nil
}
