package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/regular"
	"agy-reader/sources/sqlite/walfs"
	"agy-reader/sources/trajectory"
)

// imageInMemory is up to which size a database without a writer is read at once. Then the check that nobody changed it
// meanwhile comes before the first row instead of behind the last.
const imageInMemory = 4 << 20

// openImage owns the guard.
func (o opener) openImage(ctx context.Context, g *guard) (*database, error) {
	d := &database{mode: modeImage, cleanup: []func(){g.close}}
	image, log, err := o.image(g, d)
	if err != nil {
		d.close()
		return nil, err
	}
	has, says := image.Extend()
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
	d.noteEnd(has, says)
	return d, nil
}

// openBase opens the file without its log.
func (o opener) openBase(ctx context.Context, log *walfs.Log) (*database, error) {
	file, err := regular.Open(o.files.db)
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
	image := walfs.NewImage(file, before.Size(), nil, nil)
	has, says := image.Extend()
	if err := d.beginImage(ctx, image, o.busy); err != nil {
		return nil, err
	}
	d.noteLog(log)
	d.noteEnd(has, says)
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
		d.noteDamage(log.Damage)
	}
}

// noteEnd says that the file is shorter than it should be.
func (d *database) noteEnd(has, says int64) {
	if has < says {
		d.noteDamage(fmt.Sprintf("the database was cut off: it has %d of its %d bytes", has, says))
	}
}

func (d *database) noteDamage(text string) {
	d.notes = append(d.notes, &transcriptv1.Note{
		Kind: trajectory.NoteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Text: text, Incomplete: true,
	})
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
	inMemory := size <= imageInMemory && !o.pages
	var image *walfs.Image
	if inMemory {
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
	if inMemory {
		d.close()
		d.cleanup, d.unchanged = nil, nil
	} else if err := g.unlock(); err != nil {
		return nil, nil, err
	}
	return image, log, nil
}

// log opens and parses the write-ahead log; both results are nil when there is none.
func (o opener) log(d *database) (*os.File, *walfs.Log, error) {
	wal, err := regular.Open(o.files.wal)
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
