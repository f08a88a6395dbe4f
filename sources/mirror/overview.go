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
func (l *Log) scanOverview(ctx context.Context, at int) ([]Mark, error) {
	f := l.files[at]
	if f.size > maxOverview {
		l.note(noteDamage, true, fmt.Sprintf("%s was not read: it has %d bytes", f.name, f.size))
		return nil, nil
	}
	text := make([]byte, f.size)
	if _, err := f.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimLeft(text, "\xef\xbb\xbf \t\r\n\x00"), []byte("{")) {
		return l.scan(ctx, at)
	}
	f.text = true
	var list []Mark
	start, before := int64(-1), true
	for line := range bytes.Lines(text) {
		start = max(start, 0)
		if m := overviewHead().FindSubmatch(bytes.TrimRight(line, "\r\n")); m != nil && l.knownKind(string(m[2])) {
			list = append(list, l.overviewMark(at, start, m))
			before = false
		} else if before && len(bytes.TrimSpace(line)) > 0 && !bytes.HasPrefix(line, []byte("#")) {
			l.note(noteDamage, true, fmt.Sprintf("%s: its beginning is no step: %s", f.name, excerpt(bytes.TrimSpace(line))))
			before = false
		}
		start += int64(len(line))
		if n := len(list); n > 0 {
			list[n-1].length = uint32(start - list[n-1].off)
		}
	}
	return list, ctx.Err()
}

// knownKind tells headings from sentences that begin with a number and a word in capitals.
func (l *Log) knownKind(kind string) bool {
	return scaffolding[kind] || typed[kind] || kind == "GENERIC" || strings.Contains(kind, "_")
}

func (l *Log) overviewMark(at int, start int64, m [][]byte) Mark {
	index, _ := strconv.ParseUint(string(m[1]), 10, 32) // nine digits at most
	mark := Mark{Index: uint32(index), Kind: l.word(string(m[2])), file: uint8(at), off: start}
	if s := overviewStatus().FindSubmatch(m[3]); s != nil {
		mark.Status = l.word(string(s[1]))
	}
	if t, err := time.Parse(time.RFC3339Nano, string(overviewTime().Find(m[3]))); err == nil && t.Unix() > 0 {
		mark.CreatedNS = t.Unix() * int64(time.Second)
	}
	return mark
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
