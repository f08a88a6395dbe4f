package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// maxCopy bounds what is copied to the folder for temporary files.
const maxCopy = 4 << 30

// journalSlack is how much longer than twice its database a rollback journal may be, for its headers.
const journalSlack = 64 << 20

// openCopy copies a database whose last writer died in the middle, together with the journal that undoes the damage, to a
// private folder, and lets SQLite undo it there. Too much to copy is sources.ErrLimit.
func (o opener) openCopy(ctx context.Context, before seen) (*database, error) {
	if err := o.worthCopying(before); err != nil {
		return nil, err
	}
	dir, err := temporaryFolder(copyFolder)
	if err != nil {
		return nil, fmt.Errorf("make a private copy of a database with a rollback journal: %w", err)
	}
	remove := func() { os.RemoveAll(dir) }
	target := filepath.Join(dir, "copy.db")
	for _, one := range []struct {
		suffix, source string
		info           fs.FileInfo
	}{{"", o.files.db, before.db}, {"-journal", o.files.journal, before.journal}, {"-wal", o.files.wal, before.wal}} {
		if one.info == nil {
			continue
		}
		err := copyPart(ctx, target+one.suffix, one.source, one.info.Size())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			remove()
			return nil, fmt.Errorf("copy a database with a rollback journal: %w", err)
		}
	}
	after, err := o.files.look()
	if err != nil || !same(before.db, after.db) || !same(before.journal, after.journal) || !same(before.wal, after.wal) {
		remove()
		return nil, errors.Join(err, errChanged)
	}
	if err := namesNoOther(target + "-journal"); err != nil {
		remove()
		return nil, err
	}
	d := &database{mode: modeCopy, cleanup: []func(){remove}}
	if err := d.begin(ctx, uriPath(target), url.Values{}, o.busy); err != nil {
		return nil, err
	}
	// Where open files can be removed, the copy has no name any more from here on, whatever happens to this process.
	remove()
	return d, nil
}

// worthCopying refuses sizes no writer leaves behind. A journal holds each page of the database as it was at most once.
func (o opener) worthCopying(s seen) error {
	was, err := o.sizeBefore()
	if err != nil {
		return err
	}
	journal := s.journal.Size()
	if most := 2*max(s.db.Size(), was) + journalSlack; journal > most {
		return fmt.Errorf("%w: its rollback journal has %d bytes, a real one has %d at most", sources.ErrLimit, journal, most)
	}
	total := s.db.Size() + journal
	if s.wal != nil {
		total += s.wal.Size()
	}
	if total > maxCopy {
		return fmt.Errorf("%w: it has a rollback journal, so that a copy must be made, and its files have %d bytes; at most %d are copied",
			sources.ErrLimit, total, int64(maxCopy))
	}
	return nil
}

// sizeBefore is the size the journal says the database had before its last transaction.
func (o opener) sizeBefore() (int64, error) {
	file, err := regular.Open(o.files.journal)
	if err != nil {
		return 0, errors.Join(err, errChanged)
	}
	defer file.Close()
	head := make([]byte, 28)
	if _, err := file.ReadAt(head, 0); err != nil {
		return 0, nil // too short for a header
	}
	return int64(binary.BigEndian.Uint32(head[16:])) * min(int64(binary.BigEndian.Uint32(head[24:])), 1<<16), nil
}

// namesNoOther refuses a journal that belongs to a transaction over several databases: it ends with the path of a file
// that decides whether it counts. SQLite would look for that file, wherever it is, and remove it.
func namesNoOther(journal string) error {
	file, err := regular.Open(journal)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() < 16 {
		return err
	}
	tail := make([]byte, len(journalMagic))
	if _, err := file.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return err
	}
	if bytes.Equal(tail, journalMagic) {
		return fmt.Errorf("%w: its rollback journal is part of a transaction over several databases (it names a super-journal), which is not followed",
			sources.ErrUnreadable)
	}
	return nil
}

// copyPart copies the first size bytes of a file.
func copyPart(ctx context.Context, target, source string, size int64) error {
	in, err := regular.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, &cancelled{ctx, io.LimitReader(in, size)})
	return errors.Join(err, out.Close())
}

// cancelled ends reading when its context does.
type cancelled struct {
	ctx context.Context
	in  io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.in.Read(p)
}
