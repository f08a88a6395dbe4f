package mirror

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"unicode/utf8"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// Settings is how lines are interpreted.
type Settings struct {
	// Profile names the fields that lines are written to.
	Profile *profile.Profile
	// Session is shared with whatever else the document is made of. Native and display JSON come out of the fields that a
	// line fills.
	Session *interpret.Session
	// Origin, when set, names for each step the file it was found in.
	Origin bool
}

// Batch makes a batch of the lines. It costs nothing: the lines are read when it is decoded. The marks are copied.
func (l *Log) Batch(marks []Mark, s Settings) sources.Batch {
	b := l.batch(nil, s)
	for i := range marks {
		b.marks = append(b.marks, marks[i].at)
	}
	return b
}

func (l *Log) batch(marks []mark, s Settings) *batch {
	b := pooled.Get().(*batch)
	b.log, b.settings, b.codec = l, s, codecOf(s.Profile)
	b.marks = append(b.marks[:0], marks...)
	return b
}

// pooled batches keep the memory of their events.
var pooled = sync.Pool{New: func() any { return &batch{} }}

type batch struct {
	log      *Log
	marks    []mark
	settings Settings
	codec    *codec
	arena    interpret.Arena
	// asked is the line of the last call, taken apart.
	asked  place
	askedR *record
	// line is memory for one line at a time; what is taken out of it is copied. written holds what was written of each.
	line, written []byte
}

const (
	// keptLine is the longest line whose memory survives, keptWritten how much is kept for what is written.
	keptLine    = 256 << 10
	keptWritten = 256 << 10
	// hugeLine is the length from which a collection costs less than what the line does.
	hugeLine = 64 << 20
)

// Decode implements sources.Batch.
func (b *batch) Decode(yield func(*transcriptv1.Event) error) error {
	for _, f := range b.log.files {
		if f.whole != nil {
			continue // looked at with every line
		}
		if err := f.unchanged(); err != nil {
			return b.log.readError(f, err)
		}
	}
	for i := range b.marks {
		if err := b.step(&b.marks[i], yield); err != nil {
			return err
		}
	}
	return nil
}

// Release implements sources.Batch.
func (b *batch) Release() {
	b.arena.Reset()
	b.log, b.settings, b.codec, b.asked, b.askedR = nil, Settings{}, nil, place{}, nil
	if cap(b.line) > keptLine {
		b.line = nil
	}
	if b.written = b.written[:0]; cap(b.written) > keptWritten {
		b.written = nil
	}
	pooled.Put(b)
}

// read returns the bytes of a line.
func (b *batch) read(p place) ([]byte, error) {
	f := b.log.files[p.file]
	if cap(b.line) < int(p.length) {
		b.line = make([]byte, p.length)
	}
	line := b.line[:p.length]
	if _, err := f.ReadAt(line, p.off); err != nil && !errors.Is(err, io.EOF) {
		return nil, b.log.readError(f, err)
	}
	return line, nil
}

// record reads a line and takes it apart. A line that is another one by now is sources.ErrBusy.
func (b *batch) record(p place) (*record, error) {
	line, err := b.read(p)
	if err != nil {
		return nil, err
	}
	f := b.log.files[p.file]
	if f.whole != nil {
		if err := f.unchanged(); err != nil {
			return nil, b.log.readError(f, err)
		}
	}
	var r *record
	if f.text {
		r, err = overviewRecord(line)
	} else {
		r, err = parse(line, !f.full)
	}
	if err != nil {
		return nil, b.unlike(f, err)
	}
	r.repaired = !utf8.Valid(line)
	if n := cap(b.line); n > keptLine {
		b.line = nil
		relieve(n)
	}
	return r, nil
}

// relieve gives memory back once nothing refers to a huge line, or to its texts: the collector comes too late between one
// allocation of that size and the next.
func relieve(n int) {
	if n >= hugeLine {
		debug.FreeOSMemory()
	}
}

// errUnlike: a line says something else when it is taken apart than the index took it for, and the log did not change.
var errUnlike = errors.New("its line in the log cannot be taken apart")

// unlike decides what it means that a line is not what the index says.
func (b *batch) unlike(f *file, cause error) error {
	if err := f.unchanged(); err != nil {
		return b.log.readError(f, err)
	}
	return fmt.Errorf("%w: %w", errUnlike, cause)
}

// ask returns the call that a line answers, nil when none is known.
func (b *batch) ask(m *mark) (*call, error) {
	if m.link == 0 || b.log.kind(m) == plannerKind {
		return nil, nil
	}
	at := b.log.asked[m.link-1]
	if b.askedR == nil || b.asked != at {
		r, err := b.record(at)
		if errors.Is(err, errUnlike) {
			return nil, nil // its own step says so
		}
		if err != nil {
			return nil, err
		}
		r.drop()
		b.asked, b.askedR = at, r
	}
	if int(m.n) >= len(b.askedR.calls) {
		return nil, nil
	}
	return &b.askedR.calls[m.n], nil
}

func (b *batch) step(m *mark, yield func(*transcriptv1.Event) error) error {
	here := m.place()
	r, err := b.record(here)
	if err == nil && (r.kind != b.log.kind(m) || r.index != m.index) {
		err = b.unlike(b.log.files[m.file], errNoRecord)
	}
	if errors.Is(err, errUnlike) {
		return yield(stepNote(m, noteDamage, fmt.Sprintf("step %d: %v", m.index, err)))
	}
	if err != nil {
		return err
	}
	if r.kind == plannerKind {
		b.asked, b.askedR = here, r
	}
	ask, err := b.ask(m)
	if err != nil {
		return err
	}
	if r.kind == errorKind && !strings.Contains(r.content, "invalid tool call") {
		ask = nil
	}
	w := newWriter(b.codec, r, ask, b.written[len(b.written):])
	if cap(w.buf) < r.size()+256 {
		// Earlier steps keep what they were written to.
		b.written = make([]byte, 0, max(r.size()+256, keptWritten))
		w.buf = b.written
	}
	w.write()
	r.drop()
	w.body = ""
	relieve(int(m.length))
	if cap(w.buf) == cap(b.written)-len(b.written) {
		b.written = b.written[:len(b.written)+len(w.buf)]
	}
	in := &interpret.Input{Index: m.index, Payload: w.buf, StepType: -1, Status: -1}
	var step *transcriptv1.Step
	err = b.codec.interpreter.Step(b.settings.Session, in, &b.arena, func(ev *transcriptv1.Event) error {
		if s := ev.GetStep(); s != nil && step == nil {
			step = s
			b.finish(m, w, s)
		}
		return yield(ev)
	})
	if err != nil {
		return err
	}
	return b.after(m, w, yield)
}
