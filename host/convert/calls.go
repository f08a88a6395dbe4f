package convert

import (
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// calls pairs the calls a model announced with the steps that answer them, within one trajectory. It copies what it keeps:
// the events it learns from die with their batch.
type calls struct {
	// pending are announced and not yet answered, by key, in order of announcement.
	pending   map[uint64][]*pendingCall
	announced int
	// answered maps a call id to the anchor of the first step that answered it.
	answered map[uint64]string
}

type pendingCall struct {
	number int
	anchor string
	call   *transcriptv1.ToolCall
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
			c.pending = map[uint64][]*pendingCall{}
		}
		k := key(call)
		c.pending[k] = append(c.pending[k], &pendingCall{c.announced, strings.Clone(st.Anchor), cloneCall(call)})
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
	if len(waiting) > 1 {
		c.pending[k] = waiting[1:]
	} else {
		delete(c.pending, k)
	}
	if call.Id == "" {
		return ""
	}
	if len(waiting) == 0 {
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
		left = append(left, waiting...)
	}
	slices.SortFunc(left, func(a, b *pendingCall) int { return a.number - b.number })
	notes := make([]*transcriptv1.Note, len(left))
	for i, p := range left {
		notes[i] = &transcriptv1.Note{
			Kind: "call_without_result", Severity: transcriptv1.Severity_SEVERITY_INFO, Anchor: p.anchor, Call: p.call,
			Text: "The call of " + toolName(p.call) + " has no result in this conversation.",
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

func cloneCall(c *transcriptv1.ToolCall) *transcriptv1.ToolCall {
	return &transcriptv1.ToolCall{
		Id: strings.Clone(c.Id), Name: strings.Clone(c.Name), ArgumentsJson: strings.Clone(c.ArgumentsJson),
		InvalidJson: strings.Clone(c.InvalidJson), Summary: strings.Clone(c.Summary), Action: strings.Clone(c.Action),
	}
}
