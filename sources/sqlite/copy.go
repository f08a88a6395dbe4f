package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// openCopy copies a database whose last writer died in the middle, together with the journal that undoes the damage, to a
// private folder, and lets SQLite undo it there.
func (o opener) openCopy(ctx context.Context, before seen) (*database, error) {
	dir, err := os.MkdirTemp("", "agy-reader-*")
	if err != nil {
		return nil, fmt.Errorf("make a private copy of a database with a rollback journal: %w", err)
	}
	remove := func() { os.RemoveAll(dir) }
	target := filepath.Join(dir, "copy.db")
	for suffix, source := range map[string]string{"": o.files.db, "-journal": o.files.journal, "-wal": o.files.wal} {
		if err := copyFile(target+suffix, source); err != nil && !errors.Is(err, fs.ErrNotExist) {
			remove()
			return nil, fmt.Errorf("copy a database with a rollback journal: %w", err)
		}
	}
	after, err := o.files.look()
	if err != nil || !same(before.db, after.db) || !same(before.journal, after.journal) || !same(before.wal, after.wal) {
		remove()
		return nil, errors.Join(err, errChanged)
	}
	d := &database{mode: modeCopy, cleanup: []func(){remove}}
	if err := d.begin(ctx, uriPath(target), url.Values{}, o.busy); err != nil {
		return nil, err
	}
	// Where open files can be removed, the copy has no name any more from here on, whatever happens to this process.
	remove()
	return d, nil
}

func copyFile(target, source string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
