package interpret

import (
	"fmt"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// step yields the events of one decoded step.
func (ip *Interpreter) step(s *Session, a *Arena, r *row, yield func(*doc.Event) error) error {
	b := ip.begin(s, a, r)
	bd, inner := ip.unwrap(b)
	ev := ip.envelope(b, r)
	step := &ev.step
	if inner.step.Valid() {
		ip.inherit(b, inner)
	}
	sub, carried := r.view.Sub(stepSub), inner.step.Sub(stepSub)
	var subFound, carriedFound map[uint32][]finding
	if r.depth < maxDepth {
		subFound, carriedFound = r.handDown("subtrajectory"), r.handDown(below(inner.path, "subtrajectory"))
	}
	if s.Want.Blocks {
		b.content(r, bd, inner)
		b.finish()
	} else {
		b.placeOnly(bd)
	}
	if b.refused != "" {
		return fmt.Errorf("step %s: %s: %w", r.anchor, b.refused, sources.ErrUnknown)
	}
	if r.depth > 0 {
		if err := ip.json(s, a, r); err != nil {
			return err
		}
	}
	step.NativeJson, step.DisplayJson, step.SourceOnly = r.native, r.display, r.onlys
	step.Unknown = b.unknown(r)
	if err := yield(&ev.event); err != nil {
		return err
	}
	if err := notes(a, r, theStep, yield); err != nil {
		return err
	}
	if err := ip.nested(s, a, r, sub, subFound, yield); err != nil {
		return err
	}
	return ip.nested(s, a, r, carried, carriedFound, yield)
}

// begin prepares the builder of this nesting depth.
func (ip *Interpreter) begin(s *Session, a *Arena, r *row) *builder {
	b := &a.levels[r.depth]
	*b = builder{a: a, s: s, ip: ip, row: r}
	a.scratch.blocks = a.scratch.blocks[:0]
	a.scratch.facts = a.scratch.facts[:0]
	return b
}

// envelope fills what every step has: kind, role, status, times, call, usage.
func (ip *Interpreter) envelope(b *builder, r *row) *stepEvent {
	a := b.a
	ev := a.step()
	step := &ev.step
	b.step = step
	step.Index, step.Anchor = r.index, r.anchor
	kind := ip.enum(r.view, stepType, r.kind)
	step.Kind, step.Status = kind, ip.enum(r.view, stepStatus, r.status)
	m := r.metadata
	if ns, ok := m.Time(metaCreated); ok {
		step.CreatedNs = a.int64(ns)
	}
	if ns, ok := m.Time(metaStarted); ok {
		step.StartedNs = a.int64(ns)
	}
	if ns, ok := m.Time(metaCompleted); ok {
		step.CompletedNs = a.int64(ns)
	}
	step.ExecutionId = m.Str(metaExecution)
	step.TaskId = r.task.Str(taskID)
	if call := m.Sub(metaCall); call.Valid() {
		step.Call = a.call(call)
		step.Call.Summary, step.Call.Action = m.Str(metaSummary), m.Str(metaAction)
	}
	b.usage(m)
	first := m.Sub(metaFirst).Str(firstCascade)
	step.Inherited = first != "" && b.s.ConversationID != "" && first != b.s.ConversationID
	step.Role = role(kind, m.Enum(metaSource), step.Call != nil)
	return ev
}

// enum names an enum value of the step, or the row's number when the step does not say; empty when neither does.
func (ip *Interpreter) enum(v profile.View, f profile.Field, column int64) string {
	if v.Int(f) != 0 {
		return v.Enum(f)
	}
	if column > 0 {
		return ip.res.EnumName(f, column)
	}
	return ""
}

// call copies a tool call into the document. Its strings are not copied.
func (a *Arena) call(v profile.View) *doc.ToolCall {
	c := a.calls.next()
	c.Id, c.Name, c.ArgumentsJson = v.Str(callID), v.Str(callName), v.Str(callArguments)
	if c.ArgumentsJson == "" {
		c.ArgumentsJson = v.Str(callInvalid)
	}
	c.InvalidJson = v.Str(callInvalidErr)
	return c
}

// finish hands the collected blocks to the step.
func (b *builder) finish() {
	b.flushFacts("")
	if b.step.Summary == "" {
		if c := b.step.GetCall(); c != nil {
			b.summary(c.GetSummary())
		}
	}
	b.step.Blocks = b.a.lists.blocks.keep(b.a.scratch.blocks)
	b.a.scratch.blocks = b.a.scratch.blocks[:0]
}
