package convert

import (
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// calls pairs the calls a model announced with the steps that answer them, within one trajectory. It copies what it keeps:
// the events it learns from die with their batch.
type calls struct {
	// pending are announced and not yet answered, by key.
	pending   map[uint64]queue
	announced int
	// answered maps a call id to the anchor of the first step that answered it.
	answered map[uint64]string
}

// queue holds calls with one key in order of announcement.
type queue struct{ first, last *pendingCall }

type pendingCall struct {
	number int
	anchor string
	call   transcriptv1.ToolCall
	next   *pendingCall
}

// key identifies a call by its id, or by its name when it has none.
func key(c *transcriptv1.ToolCall) uint64 {
	if c.Id == "" {
		return hash('n', c.Name)
	}
	return hash('c', c.Id)
}

// announce remembers the calls a step announces.
func (c *calls) announce(st *transcriptv1.Step) {
	for _, b := range st.Blocks {
		call := b.GetToolCall().GetCall()
		if call == nil {
			continue
		}
		if c.pending == nil {
			c.pending = map[uint64]queue{}
		}
		p := newPendingCall(c.announced, st.Anchor, call)
		k := key(call)
		q := c.pending[k]
		if q.first == nil {
			q.first = p
		} else {
			q.last.next = p
		}
		q.last = p
		c.pending[k] = q
		c.announced++
	}
}

// answer pairs a step with the call it answers, and reports the anchor it continues when an earlier step already answered
// the same call. Equal ids are answered in the order of their announcement; a call without id is paired by its name and
// never continued.
func (c *calls) answer(st *transcriptv1.Step) (continues string) {
	call := st.GetCall()
	if call == nil {
		return ""
	}
	k := key(call)
	waiting := c.pending[k]
	if waiting.first != waiting.last {
		c.pending[k] = queue{waiting.first.next, waiting.last}
	} else {
		delete(c.pending, k)
	}
	if call.Id == "" {
		return ""
	}
	if waiting.first == nil {
		if first, again := c.answered[k]; again {
			return first
		}
	}
	if c.answered == nil {
		c.answered = map[uint64]string{}
	}
	c.answered[k] = strings.Clone(st.Anchor)
	return ""
}

// unanswered gives a note for every call that has no answer, with the complete call, in order of announcement.
func (c *calls) unanswered() []*transcriptv1.Note {
	var left []*pendingCall
	for _, waiting := range c.pending {
		for p := waiting.first; p != nil; p = p.next {
			left = append(left, p)
		}
	}
	slices.SortFunc(left, func(a, b *pendingCall) int { return a.number - b.number })
	notes := make([]*transcriptv1.Note, len(left))
	for i, p := range left {
		notes[i] = &transcriptv1.Note{
			Kind: "call_without_result", Severity: transcriptv1.Severity_SEVERITY_INFO, Anchor: p.anchor, Call: &p.call,
			Text: "The call of " + toolName(&p.call) + " has no result in this conversation.",
		}
	}
	return notes
}

func toolName(call *transcriptv1.ToolCall) string {
	if call.Name == "" {
		return "a tool"
	}
	return call.Name
}

// newPendingCall copies a call and all its texts into two pieces of memory: there is one for every step of a tool.
func newPendingCall(number int, anchor string, c *transcriptv1.ToolCall) *pendingCall {
	p := &pendingCall{number: number}
	texts := [...]struct {
		to   *string
		text string
	}{
		{&p.anchor, anchor},
		{&p.call.Id, c.Id},
		{&p.call.Name, c.Name},
		{&p.call.ArgumentsJson, c.ArgumentsJson},
		{&p.call.InvalidJson, c.InvalidJson},
		{&p.call.Summary, c.Summary},
		{&p.call.Action, c.Action},
	}
	size := 0
	for _, t := range texts {
		size += len(t.text)
	}
	var all strings.Builder
	all.Grow(size)
	for _, t := range texts {
		from := all.Len()
		all.WriteString(t.text)
		*t.to = all.String()[from:]
	}
	return p
}
