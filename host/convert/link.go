package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// relate says of the subagents that a step started what becomes of them, and reports whether it changed the step.
func (d *document) relate(f *frame, st *transcriptv1.Step) (changed bool, err error) {
	c := f.conversation
	if len(st.ChildConversationIds) == 0 && f.ownsConversation && st.Kind == "INVOKE_SUBAGENT" {
		st.ChildConversationIds = c.recordedFor(st.Index)
	}
	if len(st.ChildConversationIds) == 0 {
		return false, nil
	}
	ids := st.ChildConversationIds[:min(len(st.ChildConversationIds), maxStarted)]
	for _, id := range ids {
		c.start(kinKey(id), st.Anchor, f.lastShown)
	}
	if !f.lastShown {
		return false, nil
	}
	if more := len(st.ChildConversationIds) - len(ids); more > 0 && d.mode() != SubagentsNone {
		f.pending = append(f.pending, &relation{note: kinNote(noteCut, strings.Clone(st.Anchor), fmt.Sprintf(
			"this step names %d subagents; the last %d were not looked for", len(st.ChildConversationIds), more))})
	}
	for i, id := range ids {
		link, pending, err := d.link(c, id, st.Anchor)
		if err != nil {
			return false, err
		}
		st.Children = append(st.Children, link)
		if pending != nil {
			pending.number = uint32(i)
			f.pending = append(f.pending, pending)
		}
	}
	return true, nil
}

// maxStarted bounds how many subagents of one step are followed, far above what products start.
const maxStarted = 1000

// link decides what becomes of one subagent.
func (d *document) link(c *conversation, id, anchor string) (*transcriptv1.ChildLink, *relation, error) {
	id, anchor = strings.Clone(id), strings.Clone(anchor)
	l := &transcriptv1.ChildLink{ConversationId: id}
	if d.mode() == SubagentsNone {
		l.State = stateLeftOut
		return l, nil, nil
	}
	if slices.ContainsFunc(d.stack, func(f *frame) bool { return kinKey(f.conversation.id) == kinKey(id) }) {
		l.State = stateCycle
		return l, &relation{note: kinNote(noteCycle, anchor, "subagent "+id+" is this conversation or one above it: a circle, cut here")}, nil
	}
	if title, here := d.placed[kinKey(id)]; here {
		l.State, l.Title = stateInline, title // behind the step that named it first
		return l, nil, nil
	}
	found, err := d.plan.Family.Find(d.ctx, id)
	switch {
	case d.ctx.Err() != nil:
		return nil, nil, d.ctx.Err()
	case err != nil:
		l.State = stateNotFound
		n := kinNote(noteNoChild, anchor, "subagent "+id+" not found: "+cause(err, "it is in none of the stores"))
		n.Incomplete = !errors.Is(err, sources.ErrNotFound)
		return l, &relation{note: n}, nil
	}
	l.Title = found.Title
	if d.mode() == SubagentsSeparate {
		l.State, l.Href = stateSeparate, found.Href
		return l, nil, nil
	}
	if c.depth+1 >= MaxSubagentDepth || len(d.stack)+nestedRoom > maxDepth {
		l.State = stateTooDeep
		return l, &relation{note: kinNote(noteCut, anchor, fmt.Sprintf(
			"subagent %s is nested deeper than %d conversations, where subagents are no longer followed; convert it by itself", id, MaxSubagentDepth))}, nil
	}
	r := &relation{relative: found, id: id, anchor: anchor}
	if d.waiting() < maxWaitingOpen {
		if r.reader, err = d.openChild(r); err != nil {
			if !d.canGoOn(err) {
				return nil, nil, fmt.Errorf("subagent %s: %w", id, err)
			}
			l.State = stateUnread
			return l, &relation{note: d.unreadNote(r, err)}, nil
		}
	}
	l.State = stateInline
	d.placed[kinKey(id)] = found.Title
	return l, r, nil
}

// maxWaitingOpen bounds the subagents that are open and wait for their place: each has files and an index.
const maxWaitingOpen = 4

// waiting counts them.
func (d *document) waiting() (n int) {
	for _, f := range d.stack {
		for _, r := range f.pending {
			if r.reader != nil {
				n++
			}
		}
	}
	return n
}

// closeWaiting closes those whose place does not come any more.
func (d *document) closeWaiting() {
	for _, f := range d.stack {
		for _, r := range f.pending {
			if r.reader != nil {
				_, _ = r.reader.Close() // an error is being reported
				r.reader = nil
			}
		}
	}
}

// nestedRoom is how many trajectories may nest within the steps of one conversation.
const nestedRoom = 10

// settle puts the subagents of the last step in their place.
func (d *document) settle() error {
	f := d.top()
	for len(f.pending) > 0 {
		r := f.pending[0]
		f.pending = f.pending[1:]
		if err := d.place(r); err != nil {
			return err
		}
	}
	f.pending = nil
	return nil
}

func (d *document) place(r *relation) error {
	if r.note != nil {
		return d.say(r.note)
	}
	return d.child(r)
}

// unplaced puts the subagents that no step names at the end of their conversation.
func (d *document) unplaced() error {
	f := d.top()
	c := f.conversation
	if c.offspring == nil || !f.shown || (f.depth == 0 && !d.plan.selection.All()) {
		return nil
	}
	number := uint32(0)
	for _, o := range c.offspring.Children {
		if _, named := c.started[kinKey(o.ID)]; named {
			continue
		}
		if _, here := d.placed[kinKey(o.ID)]; here {
			continue
		}
		link, pending, err := d.link(c, o.ID, "")
		if err != nil {
			return err
		}
		f.overview.child(link, "")
		text := "no step of this conversation names subagent " + o.ID + "; " + o.Evidence + " says that it belongs here"
		if err := d.say(kinNote(noteUnplaced, "", text)); err != nil {
			if pending != nil && pending.reader != nil {
				_, _ = pending.reader.Close() // see closeWaiting
			}
			return err
		}
		if pending != nil {
			if pending.relative != nil {
				pending.number = number
				number++
			}
			if err := d.place(pending); err != nil {
				return err
			}
		}
	}
	return nil
}
