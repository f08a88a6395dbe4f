package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// file is one log: a whole file, or slices that are read as one.
type file struct {
	// name is what people are told; it does not say where the store lies.
	name string
	// full: arguments are JSON and texts are uncut. overview: the old form for people, with headings when text is set.
	full, overview, text bool
	// size and mod are of the moment the file was opened; nothing behind size is read.
	size int64
	mod  time.Time

	// whole is nil for slices; path is where it was found.
	whole *os.File
	path  string
	// head and tail are samples of the bytes that were indexed, to tell a log that grew from one that was written anew.
	head, tail []byte

	// folder is the conversation's; the Log closes it.
	folder *os.Root
	slices []slice
	// gaps are the places between slices where one is missing, ascending.
	gaps   []int64
	mu     sync.Mutex
	open   *os.File
	opened int
}

// slice is one piece of a log.
type slice struct {
	name        string
	start, size int64
	info        fs.FileInfo
}

// errChanged: a log is not what it was when its reading began.
var errChanged = errors.New("the log was replaced or shortened while it was read")

// openRegular opens a regular file inside the folder. It never waits, follows no link and never leaves the folder.
func openRegular(folder *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, err := regular.OpenIn(folder, name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func isEOF(err error) bool { return err == nil || errors.Is(err, io.EOF) }

// ReadAt implements io.ReaderAt up to size.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.size {
		return 0, io.EOF
	}
	var end error
	if int64(len(p)) > f.size-off {
		p, end = p[:f.size-off], io.EOF
	}
	n, err := f.read(p, off)
	if err == nil {
		err = end
	}
	return n, err
}

func (f *file) read(p []byte, off int64) (int, error) {
	if f.whole != nil {
		n, err := f.whole.ReadAt(p, off)
		if n == len(p) {
			err = nil
		} else if errors.Is(err, io.EOF) {
			err = errChanged
		}
		return n, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	done := 0
	for done < len(p) {
		i := f.sliceAt(off + int64(done))
		s := &f.slices[i]
		if err := f.use(i); err != nil {
			return done, err
		}
		at := off + int64(done) - s.start
		want := min(int64(len(p)-done), s.size-at)
		n, err := f.open.ReadAt(p[done:done+int(want)], at)
		done += n
		if int64(n) < want {
			if errors.Is(err, io.EOF) {
				err = errChanged
			}
			return done, err
		}
	}
	return done, nil
}

// sliceAt returns the slice that holds an offset below size.
func (f *file) sliceAt(off int64) int {
	low, high := 0, len(f.slices)-1
	for low < high {
		if mid := (low + high + 1) / 2; f.slices[mid].start <= off {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// use opens slice i and makes sure that it is still the one that was found.
func (f *file) use(i int) error {
	if f.open != nil && f.opened == i {
		return nil
	}
	if f.open != nil {
		f.open.Close()
		f.open = nil
	}
	h, info, err := openRegular(f.folder, f.slices[i].name)
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	if err != nil {
		return err
	}
	if !os.SameFile(info, f.slices[i].info) || info.Size() < f.slices[i].size {
		h.Close()
		return errChanged
	}
	f.open, f.opened = h, i
	return nil
}

// sampleSize is how much of both ends of a log is remembered.
const sampleSize = 4 << 10

// sample remembers both ends.
func (f *file) sample() error {
	n := min(f.size, sampleSize)
	f.head, f.tail = make([]byte, n), make([]byte, n)
	if _, err := f.ReadAt(f.head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	_, err := f.ReadAt(f.tail, f.size-n)
	if isEOF(err) {
		return nil
	}
	return err
}

// unchanged fails when the bytes that were read are not there any more. That more was appended is no change.
func (f *file) unchanged() error {
	if f.whole == nil {
		return f.slicesUnchanged()
	}
	info, err := f.whole.Stat()
	if err != nil {
		return fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	}
	if info.Size() < f.size {
		return errChanged
	}
	if info.Size() == f.size && info.ModTime().Equal(f.mod) {
		return nil
	}
	return f.sameEnds()
}

// slicesUnchanged looks at the last slice only: the product appends to it, and the others are never written again.
func (f *file) slicesUnchanged() error {
	last := &f.slices[len(f.slices)-1]
	info, err := f.folder.Stat(last.name)
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	if err != nil {
		return fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	}
	if !os.SameFile(info, last.info) || info.Size() < last.size {
		return errChanged
	}
	if info.Size() == last.size && info.ModTime().Equal(last.info.ModTime()) {
		return nil
	}
	return f.sameEnds()
}

func (f *file) sameEnds() error {
	now := file{name: f.name, size: f.size, whole: f.whole, folder: f.folder, slices: f.slices}
	err := now.sample()
	if now.open != nil {
		now.open.Close()
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(now.head, f.head) || !bytes.Equal(now.tail, f.tail) {
		return errChanged
	}
	return nil
}

// same reports whether slices hold what a whole file holds, by size and both ends.
func (f *file) same(whole *file) bool {
	return f.size == whole.size && f.sample() == nil && whole.sample() == nil &&
		bytes.Equal(f.head, whole.head) && bytes.Equal(f.tail, whole.tail)
}

func (f *file) close() {
	if f.whole != nil {
		f.whole.Close()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open != nil {
		f.open.Close()
		f.open = nil
	}
}

// replaced fails when another file has taken the log's place.
func (f *file) replaced() error {
	if f.whole == nil {
		return nil
	}
	now, err := f.folder.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	if err != nil {
		return err
	}
	mine, err := f.whole.Stat()
	if err == nil && !os.SameFile(now, mine) {
		err = errChanged
	}
	return err
}
