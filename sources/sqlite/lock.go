package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// Byte ranges of SQLite's file locks, fixed by its file format.
const (
	pendingByte = 0x40000000
	sharedFirst = pendingByte + 2
	sharedSize  = 510
)

// errHeld: another process holds a lock that excludes readers.
var errHeld = errors.New("another process writes the database")

// guard is an open database file with a reader's lock on it. While it is held, no SQLite connection removes the -wal and
// -shm files, because the last one to close must have the file for itself to do so. Closing the guard gives the lock up;
// on systems whose locks belong to the process it would take the locks of an open connection with it, so a connection is
// always closed before its guard.
type guard struct {
	file *os.File
}

// guardFile waits for the lock for at most busy. File systems without locks are read without.
func guardFile(ctx context.Context, path string, busy time.Duration) (*guard, error) {
	file, err := regular.Open(path)
	if errors.Is(err, sources.ErrUnreadable) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	}
	deadline := time.Now().Add(busy)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := lockForReading(file)
		switch {
		case err == nil:
			return &guard{file}, nil
		case !errors.Is(err, errHeld):
			return &guard{file}, nil
		case time.Now().After(deadline):
			file.Close()
			return nil, fmt.Errorf("%w: %w for more than %v", sources.ErrBusy, errHeld, busy)
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// lockForReading takes the lock the way SQLite does: the pending byte first, so that a waiting writer is not starved.
func lockForReading(file *os.File) error {
	if err := lockRange(file, pendingByte, 1); err != nil {
		return err
	}
	err := lockRange(file, sharedFirst, sharedSize)
	if undo := unlockRange(file, pendingByte, 1); err == nil {
		err = undo
	}
	return err
}

func (g *guard) close() {
	if g != nil {
		g.file.Close()
	}
}

// unlock gives up the lock and keeps the file open.
func (g *guard) unlock() error {
	if err := unlockRange(g.file, sharedFirst, sharedSize); err != nil {
		return fmt.Errorf("unlock the database: %w", err)
	}
	return nil
}
