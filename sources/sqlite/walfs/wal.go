package walfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	headerSize      = 32
	frameHeaderSize = 24
	magic           = 0x377f0682
	version         = 3007000
	// readAhead is how much of the log is read at once, at least.
	readAhead = 256 << 10
)

// Log is the committed content of a write-ahead log. The zero Log holds nothing.
type Log struct {
	// PageSize in bytes; 0 when the log holds no committed frame.
	PageSize int
	// Pages is the size of the database in pages after the last commit.
	Pages uint32
	// Frames is the number of committed frames.
	Frames int
	// End is the offset behind the last committed frame.
	End int64
	// Header are the first 32 bytes, or fewer; a log that was restarted has others.
	Header []byte
	// Damage says in words which committed content is missing because it cannot be trusted; empty when none is known to be.
	Damage string

	offsets map[uint32]int64
}

// Offset returns where the newest committed version of a page (counted from 1) lies in the log.
func (l *Log) Offset(page uint32) (int64, bool) {
	off, ok := l.offsets[page]
	return off, ok
}

// Parse reads the log of the given size. Damage is not an error: everything before it is returned and Log.Damage tells the
// rest. An error means that reading failed.
func Parse(r io.ReaderAt, size int64) (*Log, error) {
	log := &Log{offsets: map[uint32]int64{}}
	if size == 0 {
		return log, nil
	}
	head := make([]byte, min(size, headerSize))
	if err := readFull(r, head, 0); err != nil {
		return nil, fmt.Errorf("read the header of the write-ahead log: %w", err)
	}
	log.Header = head
	sum, reason := parseHeader(head)
	switch {
	case reason == "":
	case allZero(head):
		return log, nil
	default:
		log.Damage = "the write-ahead log " + reason + "; what it held is missing"
		return log, nil
	}
	pageSize := int(binary.BigEndian.Uint32(head[8:]))
	s := frameReader{r: r, size: size, off: headerSize, sum: sum, pageSize: pageSize}
	copy(s.salt[:], head[16:24])
	return log, s.readInto(log)
}

// parseHeader returns the checksum the first frame continues, or why the header is not one.
func parseHeader(head []byte) (checksum, string) {
	if len(head) < headerSize {
		return checksum{}, "is shorter than its header"
	}
	if m := binary.BigEndian.Uint32(head); m&^1 != magic {
		return checksum{}, "has no valid header"
	}
	if n := binary.BigEndian.Uint32(head[8:]); n&(n-1) != 0 || n < 512 || n > 65536 {
		return checksum{}, "names an impossible page size"
	}
	sum := checksum{big: head[3]&1 == 1}
	sum.add(head[:24])
	if !sum.equals(head[24:32]) {
		return checksum{}, "has a header that does not match its checksum"
	}
	if v := binary.BigEndian.Uint32(head[4:]); v != version {
		return checksum{}, fmt.Sprintf("is of unknown version %d", v)
	}
	return sum, ""
}

type frameReader struct {
	r         io.ReaderAt
	size, off int64
	sum       checksum
	salt      [8]byte
	pageSize  int
	buf       []byte
	bufOff    int64
}

// readInto adds frames up to the last commit before the first bad frame.
func (s *frameReader) readInto(log *Log) error {
	type pending struct {
		page   uint32
		offset int64
	}
	var open []pending
	step := int64(frameHeaderSize + s.pageSize)
	for s.off+step <= s.size {
		frame, err := s.frame(int(step))
		if err != nil {
			return err
		}
		page := binary.BigEndian.Uint32(frame)
		if [8]byte(frame[8:16]) != s.salt || page == 0 {
			break
		}
		s.sum.add(frame[:8])
		s.sum.add(frame[frameHeaderSize:])
		if !s.sum.equals(frame[16:24]) {
			break
		}
		open = append(open, pending{page, s.off + frameHeaderSize})
		s.off += step
		if pages := binary.BigEndian.Uint32(frame[4:]); pages != 0 {
			for _, p := range open {
				log.offsets[p.page] = p.offset
			}
			log.Frames += len(open)
			log.Pages, log.PageSize, log.End = pages, s.pageSize, s.off
			open = open[:0]
		}
	}
	return s.reportLost(log, step)
}

// reportLost looks behind the first bad frame for commits of the same generation. They were content once.
func (s *frameReader) reportLost(log *Log, step int64) error {
	var head [frameHeaderSize]byte
	lost := 0
	for off := s.off; off+step <= s.size; off += step {
		if err := readFull(s.r, head[:], off); err != nil {
			return fmt.Errorf("read the write-ahead log at %d: %w", off, err)
		}
		if [8]byte(head[8:16]) == s.salt && binary.BigEndian.Uint32(head[4:]) != 0 {
			lost++
		}
	}
	if lost > 0 {
		log.Damage = fmt.Sprintf("the write-ahead log is damaged behind frame %d; what its last %d commits changed is missing",
			(s.off-headerSize)/step, lost)
	}
	return nil
}

// frame returns the frame at s.off, valid until the next call.
func (s *frameReader) frame(n int) ([]byte, error) {
	if at := s.off - s.bufOff; at < 0 || at+int64(n) > int64(len(s.buf)) {
		want := min(int64(max(readAhead, n)), s.size-s.off)
		if int64(cap(s.buf)) < want {
			s.buf = make([]byte, want)
		}
		s.buf = s.buf[:want]
		if err := readFull(s.r, s.buf, s.off); err != nil {
			return nil, fmt.Errorf("read the write-ahead log at %d: %w", s.off, err)
		}
		s.bufOff = s.off
	}
	at := s.off - s.bufOff
	return s.buf[at : at+int64(n)], nil
}

// checksum is the rolling sum of the log: two words over pairs of 32-bit numbers in the byte order the header names.
type checksum struct {
	big    bool
	s0, s1 uint32
}

func (c *checksum) add(b []byte) {
	s0, s1 := c.s0, c.s1
	if c.big {
		for ; len(b) >= 8; b = b[8:] {
			s0 += binary.BigEndian.Uint32(b) + s1
			s1 += binary.BigEndian.Uint32(b[4:]) + s0
		}
	} else {
		for ; len(b) >= 8; b = b[8:] {
			s0 += binary.LittleEndian.Uint32(b) + s1
			s1 += binary.LittleEndian.Uint32(b[4:]) + s0
		}
	}
	c.s0, c.s1 = s0, s1
}

func (c *checksum) equals(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == c.s0 && binary.BigEndian.Uint32(stored[4:]) == c.s1
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// readFull reads exactly len(b) bytes; a file that ended early is io.ErrUnexpectedEOF.
func readFull(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
