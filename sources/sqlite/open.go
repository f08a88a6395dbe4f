package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	msqlite "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/sqlite/walfs"
)

// Ways to open a database; see opener.attempt.
const (
	modeShared = "shared" // through the -shm of a live or crashed writer, which is not written
	modeImage  = "image"  // an unchanging file, with its committed log laid over it
	modeCopy   = "copy"   // a private copy that may apply a rollback journal
)

// imageInMemory is up to which size a database without a writer is read at once. Then the check that nobody changed it
// meanwhile comes before the first row instead of behind the last.
const imageInMemory = 4 << 20

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
		if err == nil || !indexUnusable(err) {
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

// openImage owns the guard.
func (o opener) openImage(ctx context.Context, g *guard) (*database, error) {
	d := &database{mode: modeImage, cleanup: []func(){g.close}}
	image, log, err := o.image(g, d)
	if err != nil {
		d.close()
		return nil, err
	}
	err = d.beginImage(ctx, image, o.busy)
	if damaged(err) && log != nil && log.Frames > 0 {
		// The log passes its checksums but makes no database of this file: the file alone may still be one.
		log.Damage = "the database is malformed with its write-ahead log; what the log changed is missing"
		return o.openBase(ctx, log)
	}
	if err != nil {
		return nil, err
	}
	d.noteLog(log)
	return d, nil
}

// openBase opens the file without its log.
func (o opener) openBase(ctx context.Context, log *walfs.Log) (*database, error) {
	file, err := os.Open(o.files.db)
	if err != nil {
		return nil, err
	}
	d := &database{mode: modeImage, cleanup: []func(){func() { file.Close() }}}
	before, err := file.Stat()
	if err != nil {
		d.close()
		return nil, err
	}
	d.unchanged = o.unchanged(before, nil, nil)
	if err := d.beginImage(ctx, walfs.NewImage(file, before.Size(), nil, nil), o.busy); err != nil {
		return nil, err
	}
	d.noteLog(log)
	return d, nil
}

func (d *database) beginImage(ctx context.Context, image *walfs.Image, busy time.Duration) error {
	s, err := serve(image)
	if err != nil {
		d.close()
		return err
	}
	d.cleanup = append(d.cleanup, s.close)
	return d.begin(ctx, s.name, url.Values{"vfs": {s.vfs}, "immutable": {"1"}}, busy)
}

func (d *database) noteLog(log *walfs.Log) {
	if log != nil && log.Damage != "" {
		d.notes = append(d.notes, &transcriptv1.Note{
			Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Text: log.Damage, Incomplete: true,
		})
	}
}

// image reads the log and, when it is small, the database. Afterwards the guard's lock is given up, its file stays open as
// long as it is needed.
func (o opener) image(g *guard, d *database) (*walfs.Image, *walfs.Log, error) {
	before, err := g.file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !settle(before) {
		return nil, nil, errChanged
	}
	wal, log, err := o.log(d)
	if err != nil {
		return nil, nil, err
	}
	d.unchanged = o.unchanged(before, wal, log)
	size := before.Size()
	if log != nil {
		size += log.End
	}
	var image *walfs.Image
	if size <= imageInMemory {
		image, err = memoryImage(g.file, before.Size(), wal, log)
	} else {
		var walAt io.ReaderAt
		if wal != nil {
			walAt = wal
		}
		image = walfs.NewImage(g.file, before.Size(), walAt, log)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errChanged
	}
	if err != nil {
		return nil, nil, err
	}
	if err := d.unchanged(); err != nil {
		return nil, nil, err
	}
	if size <= imageInMemory {
		d.close()
		d.cleanup, d.unchanged = nil, nil
	} else if err := g.unlock(); err != nil {
		return nil, nil, err
	}
	return image, log, nil
}

// log opens and parses the write-ahead log; both results are nil when there is none.
func (o opener) log(d *database) (*os.File, *walfs.Log, error) {
	wal, err := os.Open(o.files.wal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	d.cleanup = append(d.cleanup, func() { wal.Close() })
	info, err := wal.Stat()
	if err != nil {
		return nil, nil, err
	}
	log, err := walfs.Parse(wal, info.Size())
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, errChanged
	}
	return wal, log, err
}

func memoryImage(file *os.File, size int64, wal *os.File, log *walfs.Log) (*walfs.Image, error) {
	base := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, size), base); err != nil {
		return nil, err
	}
	if log == nil || log.Frames == 0 {
		return walfs.NewImage(bytes.NewReader(base), size, nil, nil), nil
	}
	frames := make([]byte, log.End)
	if _, err := io.ReadFull(io.NewSectionReader(wal, 0, log.End), frames); err != nil {
		return nil, err
	}
	return walfs.NewImage(bytes.NewReader(base), size, bytes.NewReader(frames), log), nil
}

// unchanged returns a check that the file was not written and the frames of the log that were used are still there. A log
// that only grew is no change: what it gained was committed later.
func (o opener) unchanged(before fs.FileInfo, wal *os.File, log *walfs.Log) func() error {
	return func() error {
		after, err := o.files.look()
		if err != nil {
			return errors.Join(err, errChanged)
		}
		if !same(before, after.db) {
			return errChanged
		}
		if log == nil || log.Frames == 0 {
			return nil
		}
		head := make([]byte, len(log.Header))
		if _, err := wal.ReadAt(head, 0); err != nil || !bytes.Equal(head, log.Header) {
			return errChanged
		}
		if info, err := wal.Stat(); err != nil || info.Size() < log.End {
			return errChanged
		}
		return nil
	}
}

// limit bounds the size of a single value.
func (d *database) limit(bytes int) error {
	_, err := msqlite.Limit(d.conn, lib.SQLITE_LIMIT_LENGTH, bytes)
	return err
}
