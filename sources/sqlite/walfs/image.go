package walfs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// Image is a database file with the committed pages of its log laid over it. It implements io.ReaderAt and is safe for
// concurrent use when base and log are.
type Image struct {
	base     io.ReaderAt
	baseSize int64
	// whole is how long the file should be.
	whole int64
	wal   io.ReaderAt
	log   *Log
}

// NewImage joins a database file of the given size with a parsed log, which may be nil or empty.
func NewImage(base io.ReaderAt, baseSize int64, wal io.ReaderAt, log *Log) *Image {
	if log != nil && log.Frames == 0 {
		log = nil
	}
	return &Image{base: base, baseSize: baseSize, whole: baseSize, wal: wal, log: log}
}

// InMemory reports whether reading the database file costs no system call.
func (m *Image) InMemory() bool {
	_, ok := m.base.(*bytes.Reader)
	return ok
}

// Extend makes an image without a log as long as its header says when the file is shorter, and returns how long it was and
// is: a database that was cut off has its first pages all the same, and SQLite reads none of a file it finds too short. It
// comes before the image is read.
func (m *Image) Extend() (has, says int64) {
	header := make([]byte, 100)
	if m.log != nil || m.baseSize < int64(len(header)) || readFull(m.base, header, 0) != nil {
		return m.whole, m.whole
	}
	pageSize := int64(binary.BigEndian.Uint16(header[16:]))
	if pageSize == 1 {
		pageSize = 65536
	}
	// The number of pages counts only when the version that it is valid for is that of the last change.
	if pageSize >= 512 && bytes.Equal(header[24:28], header[92:96]) {
		m.whole = max(m.baseSize, pageSize*int64(binary.BigEndian.Uint32(header[28:])))
	}
	return m.baseSize, m.whole
}

// Size is the length of the finished file.
func (m *Image) Size() int64 {
	if m.log == nil {
		return m.whole
	}
	return int64(m.log.Pages) * int64(m.log.PageSize)
}

// ReadAt reads the finished file. Pages that neither file holds read as zeros.
func (m *Image) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	size := m.Size()
	if off >= size {
		return 0, io.EOF
	}
	short := int64(len(p)) > size-off
	if short {
		p = p[:size-off]
	}
	n, err := m.readPages(p, off)
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

func (m *Image) readPages(p []byte, off int64) (int, error) {
	if m.log == nil {
		return len(p), m.readBase(p, off)
	}
	pageSize := int64(m.log.PageSize)
	done := 0
	for done < len(p) {
		at := off + int64(done)
		inPage := at % pageSize
		page := uint32(at/pageSize) + 1
		end := min(int64(len(p)), int64(done)+pageSize-inPage)
		var err error
		part := p[done:end]
		if walOff, ok := m.log.Offset(page); ok {
			err = readFull(m.wal, part, walOff+inPage)
		} else {
			// Neighbours that the log does not hold either come with the same read.
			for end < int64(len(p)) {
				page++
				if _, ok := m.log.Offset(page); ok {
					break
				}
				end = min(int64(len(p)), end+pageSize)
			}
			part = p[done:end]
			err = m.readBase(part, at)
		}
		if err != nil {
			return done, err
		}
		done += len(part)
	}
	return done, nil
}

// readBase reads the database file; what lies behind its end is zeros.
func (m *Image) readBase(p []byte, off int64) error {
	n := min(max(m.baseSize-off, 0), int64(len(p)))
	clear(p[n:])
	return readFull(m.base, p[:n], off)
}
