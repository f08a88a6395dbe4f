package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	msqlite "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Ways to open a database; see opener.attempt.
const (
	modeShared = "shared" // through the -shm of a live or crashed writer, which is not written
	modeImage  = "image"  // an unchanging file, with its committed log laid over it
	modeCopy   = "copy"   // a private copy that may apply a rollback journal
)

// errChanged: the files changed under our hands; opening again may help.
var errChanged = errors.New("the database changed while it was read")

// database is one connection inside one read transaction.
type database struct {
	conn *sql.Conn
	mode string
	// notes say what of the database could not be used.
	notes []*transcriptv1.Note
	// unchanged proves that everything read so far was one committed state. It is nil where SQLite's locks prove it.
	unchanged func() error
	cleanup   []func()
}

// close undoes opening, in reverse order. It may be called once.
func (d *database) close() {
	for i := len(d.cleanup) - 1; i >= 0; i-- {
		d.cleanup[i]()
	}
}

// opener opens the database of one conversation.
type opener struct {
	files files
	busy  time.Duration
	// pages: only few pages of the database will be read, so it is not read at once, whatever its size.
	pages bool
}

// open starts a read transaction on one committed state. It waits for writers that exclude readers, and tries again when
// files change meanwhile, both bounded by busy; then the error is sources.ErrBusy.
func (o opener) open(ctx context.Context) (*database, error) {
	deadline := time.Now().Add(o.busy)
	for {
		d, err := o.attempt(ctx)
		if err == nil {
			return d, nil
		}
		if !errors.Is(err, errChanged) {
			return nil, sourceError(ctx, err)
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%w: %w, for more than %v", sources.ErrBusy, errChanged, o.busy)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// attempt decides by what exists. The guard keeps a closing writer from removing -shm and -wal between the decision and
// the opening; SQLite would otherwise create them anew.
func (o opener) attempt(ctx context.Context) (*database, error) {
	g, err := guardFile(ctx, o.files.db, o.busy)
	if err != nil {
		return nil, err
	}
	before, err := o.files.look()
	if err != nil {
		g.close()
		return nil, err
	}
	hot, err := o.files.hotJournal(before)
	if err != nil {
		g.close()
		return nil, err
	}
	if hot {
		g.close()
		return o.openCopy(ctx, before)
	}
	// Of an empty file SQLite would remove the log, even when it opened it for reading only.
	if before.shm != nil && before.wal != nil && nonEmpty(before.db) {
		d, err := o.openShared(ctx, g)
		if err == nil || !indexUnusable(err) && !damaged(err) {
			return d, err
		}
		if g, err = guardFile(ctx, o.files.db, o.busy); err != nil {
			return nil, err
		}
	}
	return o.openImage(ctx, g)
}

// indexUnusable: the -shm cannot be used without writing it, or not be read at all. The log itself can still be read.
func indexUnusable(err error) bool {
	switch primaryCode(err) {
	case lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY, lib.SQLITE_IOERR, lib.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// openShared owns the guard.
func (o opener) openShared(ctx context.Context, g *guard) (*database, error) {
	d := &database{mode: modeShared, cleanup: []func(){g.close}}
	return d, d.begin(ctx, uriPath(o.files.db), url.Values{"mode": {"ro"}, "readonly_shm": {"1"}}, o.busy)
}

// begin connects and starts the read transaction. After an error the database is closed.
func (d *database) begin(ctx context.Context, name string, query url.Values, busy time.Duration) error {
	db, conn, err := connect(ctx, name, query, busy)
	if err != nil {
		d.close()
		return err
	}
	d.conn = conn
	d.cleanup = append(d.cleanup, func() { conn.Close(); db.Close() })
	_, err = conn.ExecContext(ctx, "BEGIN")
	if err == nil {
		// The transaction begins with the first read.
		var objects int64
		err = conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&objects)
	}
	if err != nil {
		d.close()
	}
	return err
}

// limit bounds the size of a single value.
func (d *database) limit(bytes int) error {
	_, err := msqlite.Limit(d.conn, lib.SQLITE_LIMIT_LENGTH, bytes)
	return err
}
