package sqlite

import (
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite/vfs"

	"agy-reader/sources/sqlite/walfs"
)

// served is an image that SQLite can open.
type served struct {
	// vfs and name are what a connection string needs: `file:NAME?vfs=VFS&immutable=1`.
	vfs, name string
}

// serve makes the image known to SQLite in this process. The image must stay readable until close.
func serve(m *walfs.Image) (*served, error) {
	vfsName, err := registerImages()
	if err != nil {
		return nil, fmt.Errorf("register the read-only file system with SQLite: %w", err)
	}
	s := &served{vfs: vfsName, name: "image-" + strconv.FormatUint(images.next.Add(1), 10)}
	images.byName.Store(s.name, m)
	return s, nil
}

// close forgets the image. Connections that have it open must be closed before.
func (s *served) close() { images.byName.Delete(s.name) }

// images is the one registration with SQLite that a process needs. SQLite keeps registered file systems in a process-wide
// list, so one is made on first use and kept.
var images catalog

var registerImages = sync.OnceValues(func() (string, error) {
	name, _, err := vfs.New(&images)
	return name, err
})

type catalog struct {
	next   atomic.Uint64
	byName sync.Map // string → *walfs.Image
}

// Open implements fs.FS. Journals and logs of images do not exist.
func (c *catalog) Open(name string) (fs.File, error) {
	m, ok := c.byName.Load(name)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &handle{image: m.(*walfs.Image), name: name}, nil
}

// readAhead is how much of a file is read at once when SQLite reads one page behind the other.
const readAhead = 128 << 10

// handle is one open image: fs.File and io.Seeker, which is what the file system bridge reads through.
type handle struct {
	image *walfs.Image
	name  string
	off   int64
	// buf holds what lies at bufOff; next is where the last read ended.
	buf          []byte
	bufOff, next int64
}

func (h *handle) Read(p []byte) (int, error) {
	n, err := h.read(p)
	h.off += int64(n)
	h.next = h.off
	return n, err
}

func (h *handle) read(p []byte) (int, error) {
	if n := h.buffered(p); n > 0 {
		return n, nil
	}
	if h.off != h.next || h.image.InMemory() || len(p) >= readAhead {
		return h.image.ReadAt(p, h.off)
	}
	if h.buf == nil {
		h.buf = make([]byte, 0, readAhead)
	}
	n, err := h.image.ReadAt(h.buf[:cap(h.buf)], h.off)
	if h.buf, h.bufOff = h.buf[:n], h.off; n == 0 {
		return 0, err
	}
	return h.buffered(p), nil
}

// buffered copies what is already read.
func (h *handle) buffered(p []byte) int {
	at := h.off - h.bufOff
	if at < 0 || at >= int64(len(h.buf)) {
		return 0
	}
	return copy(p, h.buf[at:])
}

func (h *handle) Seek(off int64, whence int) (int64, error) {
	if whence != io.SeekStart || off < 0 {
		return 0, fs.ErrInvalid
	}
	h.off = off
	return off, nil
}

func (h *handle) Stat() (fs.FileInfo, error) { return info{h.name, h.image.Size()}, nil }
func (h *handle) Close() error               { return nil }

type info struct {
	name string
	size int64
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o444 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
