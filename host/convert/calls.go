package convert

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// calls pairs the calls a model announced with the steps that answer them, within one trajectory. It copies what it keeps:
// the events it learns from die with their batch.
type calls struct {
	// pending are announced and not yet answered, by key.
	pending   map[uint64]queue
	announced int
	// waiting is how many are pending, bytes how much of them is kept.
	waiting, bytes int
	// free are pending calls that were answered, for use again: nearly every call is, soon after.
	free *pendingCall
	// answered maps a call id to the first step that answered it.
	answered table
	anchors  anchors
}

// maxWaiting and maxWaitingBytes bound the calls that wait for an answer. Products have a few at a time.
const (
	maxWaiting      = 100_000
	maxWaitingBytes = 64 << 20
)

// maxFree bounds the memory of a call that is kept for another.
const maxFree = 16 << 10

// queue holds calls with one key in order of announcement.
type queue struct{ first, last *pendingCall }

// pendingCall is a call in its serialized form, with the anchor of the step that announced it.
type pendingCall struct {
	number int
	anchor []byte
	call   []byte
	next   *pendingCall
}

// key identifies a call by its id, or by its name when it has none.
func key(c *transcriptv1.ToolCall) uint64 {
	if c.Id == "" {
		return hash('n', c.Name)
	}
	return hash('c', c.Id)
}

// announce remembers the calls a step announces. For those that are too many or too big to wait for an answer it returns
// notes with the complete calls, to be said behind the step.
func (c *calls) announce(st *transcriptv1.Step) (over []*transcriptv1.Note, err error) {
	for _, b := range st.Blocks {
		call := b.GetToolCall().GetCall()
		if call == nil {
			continue
		}
		if c.pending == nil {
			c.pending = map[uint64]queue{}
		}
		if c.waiting >= maxWaiting || c.bytes > maxWaitingBytes {
			over = append(over, callNote(strings.Clone(st.Anchor), call, "stands here alone, because too many calls wait for a result already."))
			continue
		}
		p, err := c.take(st.Anchor, call)
		if err != nil {
			return nil, err
		}
		c.waiting++
		c.bytes += len(p.call)
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
	return over, nil
}

// take returns a pending call that holds copies.
func (c *calls) take(anchor string, call *transcriptv1.ToolCall) (*pendingCall, error) {
	p := c.free
	if p == nil {
		p = &pendingCall{}
	} else {
		c.free = p.next
	}
	var err error
	p.number, p.next, p.anchor = c.announced, nil, append(p.anchor[:0], anchor...)
	if p.call, err = (proto.MarshalOptions{}).MarshalAppend(p.call[:0], call); err != nil {
		return nil, fmt.Errorf("keep a call of %s: %w", anchor, err)
	}
	return p, nil
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
	if done := waiting.first; done != nil {
		c.waiting--
		c.bytes -= len(done.call)
		if cap(done.call) <= maxFree {
			done.next, c.free = c.free, done
		}
	}
	if call.Id == "" {
		return ""
	}
	if waiting.first == nil {
		if first, again := c.answered.get(k); again {
			return c.anchors.of(first)
		}
	}
	c.answered.put(k, c.anchors.number(st))
	return ""
}

// unanswered says a note for every call that has no answer, with the complete call, in order of announcement.
func (c *calls) unanswered(say func(...*transcriptv1.Note) error) error {
	var left []*pendingCall
	for _, waiting := range c.pending {
		for p := waiting.first; p != nil; p = p.next {
			left = append(left, p)
		}
	}
	slices.SortFunc(left, func(a, b *pendingCall) int { return a.number - b.number })
	for _, p := range left {
		call := &transcriptv1.ToolCall{}
		if err := proto.Unmarshal(p.call, call); err != nil {
			return fmt.Errorf("read back a call of %s: %w", p.anchor, err)
		}
		if err := say(callNote(string(p.anchor), call, "has no result in this conversation.")); err != nil {
			return err
		}
	}
	return nil
}

func callNote(anchor string, call *transcriptv1.ToolCall, text string) *transcriptv1.Note {
	return &transcriptv1.Note{
		Kind: "call_without_result", Severity: transcriptv1.Severity_SEVERITY_INFO, Anchor: anchor, Call: call,
		Text: "The call of " + toolName(call) + " " + text,
	}
}

func toolName(call *transcriptv1.ToolCall) string {
	if call.Name == "" {
		return "a tool"
	}
	return call.Name
}
