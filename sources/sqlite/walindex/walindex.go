// Package walindex reads the header of a database's WAL index (`-shm`), in which SQLite publishes a commit: the frames of a
// commit are written to the log first, and count only once the header says so. Whoever remembers what a database held must
// remember the header too: publishing changes neither the size nor the time of any file.
//
// Facts: https://sqlite.org/walformat.html, sections 2.1 and 4.
package walindex

import (
	"bytes"
	"encoding/binary"
	"io"
)

const (
	// headerSize is the length of one copy of the header; two stand at the front of the index.
	headerSize = 48
	// logHeader and frameHeader are the lengths of the headers in the log.
	logHeader, frameHeader = 32, 24
	// version is the only one there is.
	version = 3007000
)

// Header is what the index publishes.
type Header [headerSize]byte

// Read returns the header and whether a log of the given size holds nothing that the header does not publish: then the
// header and the files' metadata together identify what a reader sees. It is false when the header cannot be read whole,
// because somebody is writing it or never finished, or does not fit the log. Neither file is changed, no lock is taken.
func Read(index, log io.ReaderAt, logSize int64) (h Header, settled bool) {
	var copies [2 * headerSize]byte
	if _, err := index.ReadAt(copies[:], 0); err != nil {
		return h, false
	}
	copy(h[:], copies[:headerSize])
	if !bytes.Equal(copies[:headerSize], copies[headerSize:]) {
		return h, false // read in the middle of a change
	}
	// The index is in the byte order of the machine that wrote it, which is this one.
	order := binary.NativeEndian
	if order.Uint32(h[:]) != version || h[12] != 1 {
		return h, false
	}
	if a, b := checksum(h[:40]); a != order.Uint32(h[40:]) || b != order.Uint32(h[44:]) {
		return h, false
	}
	pageSize := int64(order.Uint16(h[14:]))
	pageSize = pageSize&0xfe00 | (pageSize&1)<<16
	if pageSize < 512 {
		return h, false
	}
	return h, !follows(log, logSize, int64(order.Uint32(h[16:])), pageSize, h[32:40])
}

// follows reports whether the log may hold a frame behind the published ones. Frames of an earlier round of the log lie
// there too; they bear other salts than the log's own header.
func follows(log io.ReaderAt, size, frames, pageSize int64, salts []byte) bool {
	next := logHeader + frames*(frameHeader+pageSize)
	if size < logHeader || next > size {
		return true // the index speaks of another log
	}
	var own [8]byte
	if _, err := log.ReadAt(own[:], 16); err != nil {
		return true
	}
	if frames > 0 && !bytes.Equal(own[:], salts) {
		return true
	}
	if next+frameHeader > size {
		return false
	}
	var frame [8]byte
	if _, err := log.ReadAt(frame[:], next+8); err != nil {
		return true
	}
	return bytes.Equal(frame[:], own[:]) || bytes.Equal(frame[:], salts)
}

// checksum is SQLite's over 32-bit words in native order.
func checksum(data []byte) (a, b uint32) {
	for ; len(data) >= 8; data = data[8:] {
		a += binary.NativeEndian.Uint32(data) + b
		b += binary.NativeEndian.Uint32(data[4:]) + a
	}
	return a, b
}
