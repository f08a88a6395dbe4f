package trajectory

import (
	"fmt"
	"sync"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// BatchBytes is how much stored content one batch holds. A step that is bigger travels alone. About eight batches are
// under way at a time, each with the memory of its events, so that twice as much costs 8 MiB and gains nothing.
const BatchBytes = 128 << 10

// batchItems is how many elements one batch holds.
const batchItems = 4096

// Reading is what the batches of one conversation share. It is read-only once a batch is decoded.
type Reading struct {
	Profile     *profile.Profile
	Interpreter *interpret.Interpreter
	Session     *interpret.Session
}

// Batch is a run of stored steps, records and notes, a sources.Batch. Fill it from one goroutine, then hand it on.
type Batch struct {
	in    *Reading
	items []item
	// steps are the stored steps among the items.
	steps []interpret.Input
	// data holds what items refer to. It never grows, so that they stay valid.
	data []byte
	// size counts the stored bytes of the items, copied or not.
	size  int
	arena interpret.Arena
}

var _ sources.Batch = (*Batch)(nil)

// item is one element of the stream before it is decoded: a note, a record, or else the step at that place of Batch.steps.
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

// pooled batches keep the memory of their events. Those with memory of their own for copies wait apart.
var (
	pooled = sync.Pool{New: func() any { return &Batch{} }}
	copies = sync.Pool{New: func() any { return &Batch{data: make([]byte, 0, BatchBytes)} }}
)

// NewBatch returns an empty batch whose items will refer to memory that outlives it.
func NewBatch(in *Reading) *Batch {
	b := pooled.Get().(*Batch)
	b.in = in
	return b
}

// NewCopies returns an empty batch with BatchBytes of memory for Keep.
func NewCopies(in *Reading) *Batch {
	b := copies.Get().(*Batch)
	b.in = in
	return b
}

// Len is the number of items.
func (b *Batch) Len() int { return len(b.items) }

// Full reports whether n more bytes belong into the next batch. An empty batch takes anything.
func (b *Batch) Full(n int) bool {
	return len(b.items) > 0 && (b.size+n > BatchBytes || len(b.items) >= batchItems)
}

// Reserve makes room for copies of n bytes in an empty batch.
func (b *Batch) Reserve(n int) {
	if n > cap(b.data) {
		b.data = make([]byte, 0, n)
	}
}

// Keep copies bytes into the batch, for which there must be room. Empty stays nil.
func (b *Batch) Keep(v []byte) []byte {
	if len(v) == 0 {
		return nil
	}
	start := len(b.data)
	b.data = append(b.data, v...)
	return b.data[start:len(b.data):len(b.data)]
}

// Step adds a stored step.
func (b *Batch) Step(in interpret.Input) {
	b.size += len(in.Payload) + len(in.Metadata) + len(in.Error) + len(in.TaskDetails)
	b.items = append(b.items, item{step: len(b.steps)})
	b.steps = append(b.steps, in)
}

// Note adds a note.
func (b *Batch) Note(n *transcriptv1.Note) { b.items = append(b.items, item{note: n}) }

// Record adds a stored message that is not a step.
func (b *Batch) Record(section, message string, index uint32, raw []byte) {
	b.size += len(raw)
	b.items = append(b.items, item{record: &record{section: section, message: message, index: index, raw: raw}})
}

// Decode implements sources.Batch.
func (b *Batch) Decode(yield func(*transcriptv1.Event) error) error {
	if b.in.Session.Want.Strict {
		yield = RefuseIncomplete(yield)
	}
	for i := range b.items {
		var err error
		switch it := &b.items[i]; {
		case it.note != nil:
			err = yield(NoteEvent(it.note))
		case it.record != nil:
			err = b.decodeRecord(it.record, yield)
		default:
			err = b.in.Interpreter.Step(b.in.Session, &b.steps[it.step], &b.arena, yield)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) decodeRecord(rec *record, yield func(*transcriptv1.Event) error) error {
	var f profile.Findings
	path := fmt.Sprintf("%s[%d]", rec.section, rec.index)
	json, err := b.in.Profile.AppendJSON(nil, rec.message, rec.raw, &profile.JSONOptions{Path: path, Findings: &f})
	var notes []*transcriptv1.Note
	if err != nil {
		// The record keeps its place and its bytes.
		json, f = []byte("{}"), profile.Findings{Unknown: []*transcriptv1.UnknownField{{Path: path, WireType: 2, Value: rec.raw}}}
		notes = append(notes, &transcriptv1.Note{
			Kind: NoteDamage, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
			Text: fmt.Sprintf("a record could not be decoded, its bytes are kept: %v", err),
		})
	} else {
		notes = FindingsNotes(path, &f)
	}
	if err := yield(&transcriptv1.Event{Body: &transcriptv1.Event_Record{Record: &transcriptv1.Record{
		Section: rec.section, Index: rec.index, Json: json, Unknown: f.Unknown,
	}}}); err != nil {
		return err
	}
	for _, note := range notes {
		if err := yield(NoteEvent(note)); err != nil {
			return err
		}
	}
	return nil
}

// Release implements sources.Batch.
func (b *Batch) Release() {
	b.in = nil
	clear(b.items)
	clear(b.steps)
	b.items, b.steps, b.size = b.items[:0], b.steps[:0], 0
	b.arena.Reset()
	switch cap(b.data) {
	case 0:
		pooled.Put(b)
	case BatchBytes:
		b.data = b.data[:0]
		copies.Put(b)
	}
	// Memory for a huge step must not stay.
}
