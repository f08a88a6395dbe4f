package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"agy-reader/sources"
)

// maxOverview is the largest overview that is read. It was a short form for people.
const maxOverview = 64 << 20

// overviewHead is a line that begins a step in an overview: its index, its kind, and anywhere behind them a status and a
// time. No public file shows how the product wrote them, so that much is accepted.
var overviewHead = pattern(`^[#*\s]*(?:[Ss]tep\s+)?\[?([0-9]{1,9})\]?\s*[:.)|-]?\s*\[?(?:CORTEX_STEP_TYPE_)?([A-Z][A-Z_]{2,})\]?(.*)$`)

var (
	overviewStatus = pattern(`\b(?:CORTEX_STEP_STATUS_)?(PENDING|RUNNING|DONE|INVALID|CLEARED|CANCELED|ERROR|GENERATING|WAITING|QUEUED|INTERRUPTED)\b`)
	overviewTime   = pattern(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,18}(?:Z|[+-][0-9]{2}:[0-9]{2})`)
)

// scanOverview indexes the old log: JSON lines as in the short log, or headings with texts below them. A step whose text the
// product deleted is a heading with the status CLEARED and nothing below.
func (l *Log) scanOverview(ctx context.Context, at int) error {
	f := l.files[at]
	if f.size > maxOverview {
		l.note(noteDamage, true, fmt.Sprintf("%s was not read: it has %d bytes", f.name, f.size))
		return nil
	}
	text := make([]byte, f.size)
	if _, err := f.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bytes.HasPrefix(bytes.TrimLeft(text, "\xef\xbb\xbf \t\r\n\x00"), []byte("{")) {
		return l.scan(ctx, at)
	}
	f.text = true
	own := len(l.marks)
	start, before := int64(-1), true
	for line := range bytes.Lines(text) {
		start = max(start, 0)
		if m := overviewHead().FindSubmatch(bytes.TrimRight(line, "\r\n")); m != nil && l.knownKind(string(m[2])) {
			before = false
			m, ok := l.overviewMark(at, start, m)
			if !ok {
				return fmt.Errorf("%w: %s names too many kinds and statuses", sources.ErrUnreadable, f.name)
			}
			l.marks = append(l.marks, m)
		} else if before && len(bytes.TrimSpace(line)) > 0 && !bytes.HasPrefix(line, []byte("#")) {
			l.note(noteDamage, true, fmt.Sprintf("%s: its beginning is no step: %s", f.name, excerpt(bytes.TrimSpace(line))))
			before = false
		}
		start += int64(len(line))
		if n := len(l.marks); n > own {
			l.marks[n-1].length = uint32(start - l.marks[n-1].off)
		}
	}
	return ctx.Err()
}

// knownKind tells headings from sentences that begin with a number and a word in capitals.
func (l *Log) knownKind(kind string) bool {
	return scaffolding[kind] || typed[kind] || kind == "GENERIC" || strings.Contains(kind, "_")
}

func (l *Log) overviewMark(at int, start int64, m [][]byte) (mark, bool) {
	index, _ := strconv.ParseUint(string(m[1]), 10, 32) // nine digits at most
	status := ""
	if s := overviewStatus().FindSubmatch(m[3]); s != nil {
		status = string(s[1])
	}
	made := mark{index: uint32(index), file: uint8(at), off: start}
	var known, also bool
	made.kind, known = l.words.of(string(m[2]))
	made.status, also = l.words.of(status)
	if t, err := time.Parse(time.RFC3339Nano, string(overviewTime().Find(m[3]))); err == nil {
		made.created = seconds(t)
	}
	return made, known && also
}

// overviewRecord takes a heading and the text below it apart.
func overviewRecord(section []byte) (*record, error) {
	head, body, _ := bytes.Cut(section, []byte("\n"))
	m := overviewHead().FindSubmatch(bytes.TrimRight(head, "\r"))
	if m == nil {
		return nil, errNoRecord
	}
	index, _ := strconv.ParseUint(string(m[1]), 10, 32)
	r := &record{index: uint32(index), kind: string(m[2]), content: strings.Trim(string(body), "\r\n")}
	if s := overviewStatus().FindSubmatch(m[3]); s != nil {
		r.status = string(s[1])
	}
	r.created = string(overviewTime().Find(m[3]))
	return r, nil
}
