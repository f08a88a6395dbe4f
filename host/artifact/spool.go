package artifact

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
)

// bufferSize lets sinks write in small pieces.
const bufferSize = 64 << 10

// direct is the size of data that is not copied into the buffer.
const direct = 32 << 10

// piece is one artifact while it is being written.
type piece struct {
	name, mediaType string
	runs            []*run
}

// run is a temporary file that holds consecutive parts of one artifact. A part goes behind its predecessor when that one is
// closed by then, and gets a file of its own otherwise, so parts that come in order are written once.
type run struct {
	temp        string
	file        file
	size        int64
	first, last uint32
	writing     bool
}

// partWriter writes one part. Its first error sticks.
type partWriter struct {
	set    *Set
	name   string
	run    *run
	buf    *bufio.Writer
	size   int64
	err    error
	closed bool
}

// part starts part number n. The set's lock is held.
func (s *Set) part(p *piece, n uint32) (io.WriteCloser, error) {
	var behind *run
	if len(p.runs) > 0 && folderOf(p.name) != "" {
		return nil, errors.New("a file in a folder has one part")
	}
	for _, r := range p.runs {
		if n >= r.first && n <= r.last {
			return nil, fmt.Errorf("part %d was already created", n)
		}
		if !r.writing && r.last < math.MaxUint32 && r.last+1 == n {
			behind = r
		}
	}
	if behind == nil {
		temp := tempName(p.name)
		f, err := s.dir.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		s.temps = append(s.temps, temp)
		behind = &run{temp: temp, file: f, first: n}
		p.runs = append(p.runs, behind)
	}
	behind.last, behind.writing = n, true
	return &partWriter{set: s, name: p.name, run: behind, buf: bufio.NewWriterSize(behind.file, bufferSize)}, nil
}

func (w *partWriter) Write(data []byte) (int, error) {
	if w.closed {
		return 0, outputError("write", w.name, errors.New("the part is closed"))
	}
	if w.err != nil {
		return 0, w.err
	}
	to := io.Writer(w.buf)
	// The error of a flush sticks to the buffer.
	if len(data) >= direct && w.buf.Flush() == nil {
		to = w.run.file
	}
	n, err := to.Write(data)
	w.size += int64(n)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.err = outputError("write", w.name, err)
	}
	return n, w.err
}

func (w *partWriter) Close() error {
	if w.closed {
		return w.err
	}
	w.closed = true
	if err := w.buf.Flush(); err != nil && w.err == nil {
		w.err = outputError("write", w.name, err)
	}
	w.buf = nil
	sealed := folderOf(w.name) != ""
	if sealed {
		// There can be thousands of these: none stays open until the end.
		if err := errors.Join(w.run.file.Sync(), w.run.file.Close()); err != nil && w.err == nil {
			w.err = outputError("write", w.name, err)
		}
	}
	w.set.mu.Lock()
	defer w.set.mu.Unlock()
	w.run.size += w.size
	w.run.writing = false
	if sealed {
		w.run.file = nil
	}
	if w.err != nil && w.set.failed == nil {
		w.set.failed = w.err
	}
	return w.err
}

// join puts all parts of p into one file, flushed and closed, and returns its temporary name and size.
func (s *Set) join(p *piece) (temp string, size int64, err error) {
	slices.SortFunc(p.runs, func(a, b *run) int { return cmp.Compare(a.first, b.first) })
	whole := p.runs[0]
	if whole.file == nil {
		return whole.temp, whole.size, nil
	}
	for _, r := range p.runs[1:] {
		if err := s.append(whole, r); err != nil {
			return "", 0, err
		}
	}
	p.runs = p.runs[:1]
	if err := whole.file.Sync(); err != nil {
		return "", 0, err
	}
	err = whole.file.Close()
	whole.file = nil
	return whole.temp, whole.size, err
}

// append copies r behind whole and removes it.
func (s *Set) append(whole, r *run) error {
	if err := r.file.Close(); err != nil {
		return err
	}
	r.file = nil
	from, err := s.dir.OpenFile(r.temp, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	copied, err := io.Copy(whole.file, from)
	if err := errors.Join(err, from.Close()); err != nil {
		return err
	}
	if copied != r.size {
		return fmt.Errorf("a part of %d bytes gave back %d", r.size, copied)
	}
	whole.size += copied
	return s.drop(r.temp)
}

// drop removes a temporary file.
func (s *Set) drop(temp string) error {
	if err := s.dir.Remove(temp); err != nil {
		return err
	}
	s.temps = slices.DeleteFunc(s.temps, func(t string) bool { return t == temp })
	return nil
}

func random() string {
	var bytes [8]byte
	_, _ = rand.Read(bytes[:]) // never fails, by its contract
	return hex.EncodeToString(bytes[:])
}

// tempName names a temporary file for an artifact. It lies in the set's own folder, also for an artifact below it, which
// bears the name of its folder.
func tempName(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return "." + first + ".tmp-" + random()
}
