package interpret

import (
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// Arena owns the memory of the events of one batch. Its zero value is ready. It is not safe for concurrent use; Reset
// makes every event that came out of it invalid. A kept and reset arena makes interpreting nearly free of allocations.
type Arena struct {
	texts texts
	// side is for bytes that are kept while a text is open.
	side  texts
	cells cells
	lists lists

	stepEvents slab[stepEvent]
	noteEvents slab[noteEvent]
	begins     slab[beginEvent]
	ends       slab[endEvent]
	calls      slab[doc.ToolCall]
	usages     slab[doc.Usage]
	unknowns   slab[doc.UnknownField]
	onlys      slab[doc.SourceOnly]

	int32s  slab[int32]
	uint32s slab[uint32]
	int64s  slab[int64]
	uint64s slab[uint64]

	findings profile.Findings
	json     profile.JSONOptions
	onOnly   func(path, message string, value []byte)
	scratch  scratch
	// rows and levels are the steps on their way and their builders, one a nesting depth.
	rows   [maxDepth + 1]row
	levels [maxDepth + 1]builder
}

// Reset gives everything back for reuse.
func (a *Arena) Reset() {
	a.texts.reset()
	a.side.reset()
	a.cells.reset()
	a.lists.reset()
	a.stepEvents.reset()
	a.noteEvents.reset()
	a.begins.reset()
	a.ends.reset()
	a.calls.reset()
	a.usages.reset()
	a.unknowns.reset()
	a.onlys.reset()
	a.int32s.reset()
	a.uint32s.reset()
	a.int64s.reset()
	a.uint64s.reset()
	a.findings.Reset()
	a.json = profile.JSONOptions{}
	a.scratch.reset()
	clear(a.rows[:])
	clear(a.levels[:])
}

// Event cells hold an event, its oneof wrapper and its body in one piece.
type (
	stepEvent struct {
		event doc.Event
		wrap  doc.Event_Step
		step  doc.Step
	}
	noteEvent struct {
		event doc.Event
		wrap  doc.Event_Note
		note  doc.Note
	}
	beginEvent struct {
		event  doc.Event
		wrap   doc.Event_Begin
		header doc.Header
	}
	endEvent struct {
		event  doc.Event
		wrap   doc.Event_End
		footer doc.Footer
	}
)

func (a *Arena) step() *stepEvent {
	c := a.stepEvents.next()
	c.wrap.Step = &c.step
	c.event.Body = &c.wrap
	return c
}

func (a *Arena) note() *noteEvent {
	c := a.noteEvents.next()
	c.wrap.Note = &c.note
	c.event.Body = &c.wrap
	return c
}

func (a *Arena) begin() *beginEvent {
	c := a.begins.next()
	c.wrap.Begin = &c.header
	c.event.Body = &c.wrap
	return c
}

func (a *Arena) end() *endEvent {
	c := a.ends.next()
	c.wrap.End = &c.footer
	c.event.Body = &c.wrap
	return c
}

func (a *Arena) int32(v int32) *int32 {
	p := a.int32s.next()
	*p = v
	return p
}

func (a *Arena) uint32(v uint32) *uint32 {
	p := a.uint32s.next()
	*p = v
	return p
}

func (a *Arena) int64(v int64) *int64 {
	p := a.int64s.next()
	*p = v
	return p
}

func (a *Arena) uint64(v uint64) *uint64 {
	p := a.uint64s.next()
	*p = v
	return p
}
