package convert

import transcriptv1 "agy-reader/proto/agyreader/transcript/v1"

// turn is a prompt with what followed it. A transcriptv1.Prompt would take four times the memory.
type turn struct {
	text   string
	anchor uint32
	// steps and tools count the steps behind it.
	steps, tools uint32
	calls        uint32
	// recorded has a bit for each of tokens that was recorded.
	recorded uint8
	tokens   [6]uint64
}

// count adds a model call.
func (t *turn) count(u *transcriptv1.Usage) {
	t.calls++
	for i, n := range counts(u) {
		if *n != nil {
			t.recorded |= 1 << i
			t.tokens[i] = addTokens(t.tokens[i], **n)
		}
	}
}

// counts are the kinds of tokens of a call.
func counts(u *transcriptv1.Usage) [6]**uint64 {
	return [...]**uint64{&u.InputTokens, &u.OutputTokens, &u.CacheReadTokens, &u.CacheWriteTokens, &u.ThinkingTokens, &u.ResponseTokens}
}

// usage is what was counted, nil when there was no call.
func (t *turn) usage() *transcriptv1.Usage {
	if t.calls == 0 {
		return nil
	}
	u := &transcriptv1.Usage{Calls: t.calls}
	for i, n := range counts(u) {
		if t.recorded&(1<<i) != 0 {
			*n = &t.tokens[i]
		}
	}
	return u
}

// prompts are the turns as the document has them, which share memory with them.
func (o *overview) prompts() []*transcriptv1.Prompt {
	if len(o.turns) == 0 {
		return nil
	}
	list := make([]*transcriptv1.Prompt, len(o.turns))
	for i := range o.turns {
		t := &o.turns[i]
		list[i] = &transcriptv1.Prompt{Anchor: o.anchors.of(t.anchor), Text: t.text, StepsAfter: t.steps, ToolStepsAfter: t.tools, Usage: t.usage()}
	}
	return list
}
