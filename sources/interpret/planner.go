package interpret

import (
	"agy-reader/sources/profile"
)

func plannerResponseStep(b *builder, v profile.View) {
	if u := b.step.GetUsage(); u != nil && u.MessageId == "" {
		u.MessageId = v.Str(plannerMessage)
	}
	b.thinking(v)
	response, modified := v.Str(plannerResponse), v.Str(plannerModified)
	switch {
	case response == "" || response == modified:
		b.summary(modified)
		b.markdown("", modified)
	case modified == "":
		b.summary(response)
		b.markdown("", response)
	default:
		b.summary(modified)
		b.markdown("", modified)
		b.markdown("Before clean-up", response)
	}
	b.citations(v.Sub(plannerQuotes))
	v.Each(plannerItems, func(item profile.View) bool {
		b.webResult(item.Sub(scoredItem))
		b.fact("Source", item.Str(scoredName))
		b.fact("Index", item.Str(scoredIndex))
		return true
	})
	b.webResults("")
	v.Each(plannerItems, func(item profile.View) bool {
		b.resultMedia(item.Sub(scoredItem))
		return true
	})
	v.Each(plannerCalls, func(call profile.View) bool {
		b.summary(call.Str(callName))
		b.toolCall(call)
		return true
	})
	switch stop := v.Enum(plannerStop); stop {
	case "", "UNSPECIFIED", "STOP_PATTERN", "FUNCTION_CALL":
	default:
		b.warning(b.a.join("The model stopped: ", stop, "."))
	}
}

// thinking adds the model's thoughts.
func (b *builder) thinking(v profile.View) {
	text, raw := v.Str(plannerThinking), v.Str(plannerRaw)
	if text == "" {
		text, raw = raw, ""
	}
	redacted := v.Bool(plannerRedacted)
	if text == "" && !redacted {
		return
	}
	c := b.a.cells.thinking.next()
	c.detail.Redacted = redacted
	if ns, ok := v.Duration(plannerDuration); ok {
		c.detail.DurationNs = b.a.int64(ns)
	}
	c.wrap.Thinking = &c.detail
	c.block.Detail = &c.wrap
	if text == "" {
		text = "The provider kept the thoughts back."
	}
	b.push(&c.block, "thinking", "", text)
	if raw != "" && raw != text {
		b.code("Raw thinking", "", raw)
	}
}

// toolCall adds a call the model made. The step that answers it carries the same call.
func (b *builder) toolCall(v profile.View) {
	c := b.a.cells.toolCall.next()
	call := b.a.call(v)
	c.detail.Call = call
	c.wrap.ToolCall = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "tool_call", "", b.a.join(call.GetName(), " ", call.GetArgumentsJson()))
	b.callOrigin(v)
}

// otherCall shows a call that this step only mentions. It is no block of kind `tool_call`, which announces a call.
func (b *builder) otherCall(label string, v profile.View) {
	b.fact("Call", v.Str(callID))
	b.fact("Tool", v.Str(callName))
	b.flushFacts(label)
	b.json("Arguments of that call", v.Str(callArguments))
	b.fact("Invalid", v.Str(callInvalidErr))
	b.callOrigin(v)
}

// callOrigin shows how the model wrote a call, as far as that differs from what ran.
func (b *builder) callOrigin(v profile.View) {
	ran := v.Str(callArguments)
	if original := v.Str(callOriginal); original != "" && original != ran {
		b.json("Arguments as the model wrote them", original)
	}
	if invalid := v.Str(callInvalid); invalid != "" && invalid != ran && ran != "" {
		b.code("Invalid arguments", "", invalid)
	}
	if name := v.Str(callOldName); name != v.Str(callName) {
		b.fact("Name as the model wrote it", name)
	}
}

func (b *builder) citations(v profile.View) {
	v.Each(quoteList, func(q profile.View) bool {
		c := q.Sub(quoteCitation)
		b.fact("Cites", c.Str(citationURI))
		b.fact("Title", c.Str(citationTitle))
		b.fact("License", c.Str(citationTerms))
		b.code("Cited text", "", q.Str(quoteContent))
		return true
	})
	b.flushFacts("Citations")
}
