package mirror

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Kinds of notes this source writes.
const (
	noteDamage   = "damage"
	noteGap      = "gap"
	notePartial  = "partial"
	noteLive     = "live"
	noteBranch   = "branch"
	noteCut      = "cut"
	noteUnknown  = "unknown_fields"
	noteRepaired = "repaired_text"
)

// place is where a line stands.
type place struct {
	file   uint8
	length uint32
	off    int64
}

// Log is the logs of one conversation, indexed. It is safe for concurrent use once open.
type Log struct {
	folder *os.Root
	files  []*file
	// marks are, once the log is open, the current lines by ascending index; before, all lines of all files.
	marks     []mark
	abandoned []mark
	notes     []*transcriptv1.Note
	words     words
	// tools are the tools of all calls, asked the lines of calls that were answered.
	tools []toolClass
	asked []place
	// behind are notes by the step they stand behind, made by the reader.
	behind  map[string][]*transcriptv1.Note
	title   string
	refused bool
}

const (
	// attempts is how often a log that changes is read anew, pause how long the product gets to finish writing.
	attempts = 4
	pause    = 40 * time.Millisecond
)

// Open indexes all logs of a conversation. It reads every byte once and holds a few dozen bytes a line. No log at all is
// sources.ErrNotFound; logs that do not stop changing are sources.ErrBusy. Nothing outside ref.Root is read.
func Open(ctx context.Context, ref sources.Ref) (*Log, error) {
	var err error
	for i := range attempts {
		if i > 0 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(pause << i):
			}
		}
		var l *Log
		if l, err = openOnce(ctx, ref); err == nil {
			return l, nil
		}
		if !errors.Is(err, sources.ErrBusy) {
			break
		}
	}
	return nil, err
}

func openOnce(ctx context.Context, ref sources.Ref) (*Log, error) {
	l, err := open(ref)
	if err != nil {
		return nil, err
	}
	if len(l.files) == 0 {
		l.Close()
		if l.refused {
			return nil, fmt.Errorf("%w: %s", sources.ErrUnreadable, l.notes[0].GetText())
		}
		return nil, fmt.Errorf("%w: there is no transcript log", sources.ErrNotFound)
	}
	if err := l.scanAll(ctx); err != nil {
		l.Close()
		return nil, err
	}
	if err := l.unite(); err != nil {
		l.Close()
		return nil, err
	}
	l.pair()
	return l, nil
}

// Notes returns what is to be said about the logs as such: broken records, one that is still being written, files that were
// refused. Truncated texts have notes behind their steps.
func (l *Log) Notes() []*transcriptv1.Note { return l.notes }

// Last returns the highest index of the logs.
func (l *Log) Last() (uint32, bool) {
	if len(l.marks) == 0 {
		return 0, false
	}
	return l.marks[len(l.marks)-1].index, true
}

// Location names the logs: their base names, joined when there are several.
func (l *Log) Location() string {
	var names []string
	for _, f := range l.files {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func (l *Log) fileOf(m *mark) string { return filepath.Base(l.files[m.file].name) }

// Close lets go of the logs. No batch may be decoded afterwards.
func (l *Log) Close() {
	for _, f := range l.files {
		f.close()
	}
	if l.folder != nil {
		l.folder.Close()
	}
}

func (l *Log) note(kind string, incomplete bool, text string) *transcriptv1.Note {
	n := &transcriptv1.Note{Kind: kind, Severity: transcriptv1.Severity_SEVERITY_INFO, Text: text, Incomplete: incomplete}
	if incomplete {
		n.Severity = transcriptv1.Severity_SEVERITY_WARNING
	}
	l.notes = append(l.notes, n)
	return n
}

func (l *Log) renamed(title string) {
	if title != "" {
		l.title = title
	}
}

func anchor(index uint32) string { return "step-" + strconv.FormatUint(uint64(index), 10) }
