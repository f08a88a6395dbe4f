package sqlite

import (
	"fmt"
	"strings"
	"sync"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// batchBytes is how much copied content one batch holds. A row that is bigger travels alone. About eight batches are under way
// at a time, each with the memory of its events, so that twice as much costs 8 MiB and gains nothing.
const batchBytes = 128 << 10

// batchItems is how many elements one batch holds.
const batchItems = 4096

// batch is a run of copied rows, sources.Batch.
type batch struct {
	r     *reader
	items []item
	// steps are the stored steps among the items.
	steps []interpret.Input
	// data holds what items refer to. It never grows, so that they stay valid.
	data  []byte
	arena interpret.Arena
}

// item is one element of the stream before it is decoded: a note, a record, or else the step at that place of batch.steps.
type item struct {
	note   *transcriptv1.Note
	record *record
	step   int
}

// record is a stored message that is not a step.
type record struct {
	section string
	message string
	index   uint32
	raw     []byte
}

var batches = sync.Pool{New: func() any { return &batch{data: make([]byte, 0, batchBytes)} }}

func newBatch(r *reader) *batch {
	b := batches.Get().(*batch)
	b.r = r
	return b
}

// fits reports whether n more bytes can be kept. An empty batch takes any row.
func (b *batch) fits(n int) bool { return len(b.data)+n <= cap(b.data) }

// reserve makes room for one row of n bytes in an empty batch.
func (b *batch) reserve(n int) {
	if n > cap(b.data) {
		b.data = make([]byte, 0, n)
	}
}

// keep copies bytes into the batch. Empty stays nil.
func (b *batch) keep(v []byte) []byte {
	if len(v) == 0 {
		return nil
	}
	start := len(b.data)
	b.data = append(b.data, v...)
	return b.data[start:len(b.data):len(b.data)]
}

// Decode implements sources.Batch.
func (b *batch) Decode(yield func(*transcriptv1.Event) error) error {
	if b.r.want.Strict {
		yield = refuseIncomplete(yield)
	}
	for i := range b.items {
		var err error
		switch it := &b.items[i]; {
		case it.note != nil:
			err = yield(noteEvent(it.note))
		case it.record != nil:
			err = b.decodeRecord(it.record, yield)
		default:
			err = b.r.interpreter.Step(b.r.session, &b.steps[it.step], &b.arena, yield)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) decodeRecord(rec *record, yield func(*transcriptv1.Event) error) error {
	var f profile.Findings
	path := fmt.Sprintf("%s[%d]", rec.section, rec.index)
	json, err := b.r.profile.AppendJSON(nil, rec.message, rec.raw, &profile.JSONOptions{Path: path, Findings: &f})
	var damage *transcriptv1.Note
	if err != nil {
		// The record keeps its place and its bytes.
		json, f = []byte("{}"), profile.Findings{Unknown: []*transcriptv1.UnknownField{{Path: path, WireType: 2, Value: rec.raw}}}
		damage = &transcriptv1.Note{
			Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
			Text: fmt.Sprintf("a record could not be decoded, its bytes are kept: %v", err),
		}
	}
	if err := yield(&transcriptv1.Event{Body: &transcriptv1.Event_Record{Record: &transcriptv1.Record{
		Section: rec.section, Index: rec.index, Json: json, Unknown: f.Unknown,
	}}}); err != nil {
		return err
	}
	if damage != nil {
		return yield(noteEvent(damage))
	}
	if note := findingsNote(path, &f); note != nil {
		return yield(noteEvent(note))
	}
	return nil
}

// refuseIncomplete makes a note about something unknown, missing or damaged an error.
func refuseIncomplete(yield func(*transcriptv1.Event) error) func(*transcriptv1.Event) error {
	return func(ev *transcriptv1.Event) error {
		n := ev.GetNote()
		if !n.GetIncomplete() {
			return yield(ev)
		}
		kind := sources.ErrPartial
		if n.GetKind() == noteUnknown {
			kind = sources.ErrUnknown
		}
		return fmt.Errorf("%w: %s", kind, strings.TrimSuffix(n.GetText(), "."))
	}
}

// Release implements sources.Batch.
func (b *batch) Release() {
	b.r = nil
	clear(b.items)
	clear(b.steps)
	b.items, b.steps = b.items[:0], b.steps[:0]
	b.arena.Reset()
	if cap(b.data) != batchBytes {
		return // a huge row must not stay in memory
	}
	b.data = b.data[:0]
	batches.Put(b)
}

// noteEvent makes an event of a note. A note may quote names out of a damaged schema.
func noteEvent(n *transcriptv1.Note) *transcriptv1.Event {
	n.Text = strings.ToValidUTF8(n.Text, "\uFFFD")
	return &transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: n}}
}
