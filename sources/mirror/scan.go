package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	scanBuffer = 256 << 10
	// maxLine is the longest line that is a step. A longer one could not be held by a reader of any output either.
	maxLine = 1 << 30
	// renamePrefix starts lines that another viewer appends when its user renames a conversation.
	renamePrefix = "$rename:"
	// quoted is how much of a broken line its note quotes.
	quoted = 120
	// maxBroken is how many broken lines of one log have a note of their own.
	maxBroken = 100
	// maxRecords bounds the index of all logs of a conversation: 128 MiB. A real log of this many records would have 20 GB.
	maxRecords = 4 << 20
)

// scanner passes over one log.
type scanner struct {
	log  *Log
	file *file
	at   uint8
	line lineScan
	// start is where the current line begins, head its first bytes, record its number among lines that are not empty.
	start  int64
	length int64
	head   []byte
	record int
	// blank: nothing but white space and NUL so far; nul: some NUL.
	blank, nul bool
	broken     int
	// over counts records beyond what the index holds.
	over int
	// before is how many lines the logs before this one have.
	before int
}

// scan adds the lines of one log to the index.
func (l *Log) scan(ctx context.Context, at int) error {
	f := l.files[at]
	s := &scanner{log: l, file: f, at: uint8(at), before: len(l.marks)}
	s.next(0)
	buf := make([]byte, min(scanBuffer, f.size))
	var off int64
	for off < f.size {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.ReadAt(buf, off)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n == 0 {
			return errChanged
		}
		s.bytes(buf[:n], off)
		off += int64(n)
	}
	if s.length > 0 {
		s.end(false)
	}
	s.sum()
	return nil
}

// sum says what the log has beyond what is noted or read of it.
func (s *scanner) sum() {
	if s.broken > maxBroken {
		s.log.note(noteDamage, true, fmt.Sprintf("%s: %d more records are unreadable", s.file.name, s.broken-maxBroken))
	}
	if s.over > 0 {
		s.log.note(noteCut, true, fmt.Sprintf("%s: %d more records are not read: no more than %d of one conversation are", s.file.name, s.over, maxRecords))
	}
}

// bytes takes the next bytes of the file, from off on.
func (s *scanner) bytes(b []byte, off int64) {
	if off == 0 {
		bom := len(b) - len(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
		b, off = b[bom:], int64(bom)
		s.next(off)
	}
	for len(b) > 0 {
		limit := s.file.gapBehind(off) - off
		part, ended := b, false
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			part, ended = b[:i], true
		}
		if int64(len(part)) > limit {
			// The slice behind this place is missing: what follows is another line.
			s.feed(part[:limit])
			b, off = b[limit:], off+limit
			s.end(true)
			s.next(off)
			continue
		}
		s.feed(part)
		b, off = b[len(part):], off+int64(len(part))
		if ended {
			b, off = b[1:], off+1
			s.end(true)
			s.next(off)
		}
	}
}

// gapBehind returns the first place from off on behind which bytes are missing.
func (f *file) gapBehind(off int64) int64 {
	i, _ := slices.BinarySearch(f.gaps, off+1)
	if i == len(f.gaps) {
		return math.MaxInt64
	}
	return f.gaps[i]
}

// next begins a line.
func (s *scanner) next(start int64) {
	s.start, s.length, s.head, s.blank, s.nul = start, 0, s.head[:0], true, false
	s.line.reset()
}

func (s *scanner) feed(b []byte) {
	s.length += int64(len(b))
	if s.blank {
		rest := bytes.TrimLeft(b, " \t\r\x00")
		s.nul = s.nul || bytes.IndexByte(b[:len(b)-len(rest)], 0) >= 0
		s.blank = len(rest) == 0
		b = rest
	}
	if keep := cap(s.head); keep == 0 {
		s.head = make([]byte, 0, 1024)
	}
	s.head = append(s.head, b[:min(len(b), cap(s.head)-len(s.head))]...)
	s.line.feed(b)
}

// end takes the line that has passed by. closed: a line break followed it.
func (s *scanner) end(closed bool) {
	if s.blank {
		if s.nul {
			s.bad("is %d NUL bytes", s.length)
		}
		return
	}
	s.record++
	if name, ok := renameOf(s.head); ok {
		s.log.renamed(name)
		return
	}
	l := &s.line
	if !l.whole() {
		if !closed && l.state != broken {
			s.log.note(noteLive, false, fmt.Sprintf("%s: the last record is still being written (bytes %d–%d)", s.file.name, s.start, s.start+s.length))
			return
		}
		s.bad("is unreadable")
		return
	}
	index, err := strconv.ParseUint(l.index, 10, 32)
	if err != nil || l.kind == "" || s.length > maxLine {
		s.bad("is no step")
		return
	}
	if len(s.log.marks) >= maxRecords {
		s.over++
		return
	}
	kind, known := s.log.words.of(l.kind)
	status, also := s.log.words.of(l.status)
	if !known || !also {
		s.bad("names one kind or status too many")
		return
	}
	m := mark{
		index: uint32(index), kind: kind, status: status, truncated: l.truncated,
		file: s.at, off: s.start, length: uint32(s.length),
	}
	if t, err := time.Parse(time.RFC3339Nano, l.created); err == nil {
		m.created = seconds(t)
	}
	if l.calls > 0 && l.kind == plannerKind {
		m.n, m.link = uint16(min(l.calls, maxCalls)), uint32(len(s.log.tools))
		for _, name := range l.names {
			s.log.tools = append(s.log.tools, classes[name])
		}
	}
	s.add(m)
}

// add keeps a mark. The list grows to what the rest of the file lets expect, since twice its memory would be much.
func (s *scanner) add(m mark) {
	list := s.log.marks
	if len(list) == cap(list) {
		n := int64(len(list) - s.before)
		expected := int64(float64(n+1) * float64(s.file.size) / float64(s.start+s.length+1) * 1.05)
		list = slices.Grow(list, int(min(max(expected-n, 64), n*3+64, int64(maxRecords-len(list)))))
	}
	s.log.marks = append(list, m)
}

// renameOf returns the title that a line gives the conversation.
func renameOf(line []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(renamePrefix))
	return strings.ToValidUTF8(string(bytes.TrimSpace(rest)), "\uFFFD"), ok
}

// wholeLines yields the lines of a piece of a log, without the one that is cut at its end.
func wholeLines(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(b) {
			if rest, ok := bytes.CutSuffix(line, []byte("\n")); ok && !yield(rest) {
				return
			}
		}
	}
}
