package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// relation is a subagent, or a note about one, that waits for its place behind a step.
type relation struct {
	note *transcriptv1.Note

	relative *Relative
	id       string
	// anchor is that of the step, number its place among what stands behind it.
	anchor string
	number uint32
}

// kinKey makes ids comparable: the product writes them in lower case, file systems need not.
func kinKey(id string) string { return strings.ToLower(id) }

// mode is what the job does with subagents; nobody knows any without a family.
func (d *document) mode() Subagents {
	if d.plan.Family == nil || d.plan.Subagents == "" {
		return SubagentsNone
	}
	return d.plan.Subagents
}

// about reports whether an event belongs to the last step and so stands before its subagents.
func (f *frame) about(ev *transcriptv1.Event) bool {
	switch body := ev.Body.(type) {
	case *transcriptv1.Event_Begin:
		return true
	case *transcriptv1.Event_Note:
		return body.Note.Anchor == string(f.last)
	case *transcriptv1.Event_Attachment:
		return body.Attachment.Anchor == string(f.last)
	default:
		return false
	}
}

// parent looks up what started the conversation itself.
func (d *document) parent(id string) ([]*transcriptv1.Note, error) {
	parent := d.header.GetParentConversationId()
	if parent == "" || d.mode() == SubagentsNone {
		return nil, nil
	}
	if kinKey(parent) == kinKey(id) {
		return []*transcriptv1.Note{kinNote(noteCycle, "", "this conversation names itself as its parent")}, nil
	}
	found, err := d.plan.Family.Find(d.ctx, parent)
	switch {
	case d.ctx.Err() != nil:
		return nil, d.ctx.Err()
	case err != nil:
		return []*transcriptv1.Note{kinNote(noteNoParent, "", "parent "+parent+" not found: "+cause(err, "it is in none of the stores"))}, nil
	}
	if d.mode() == SubagentsSeparate {
		d.header.ParentHref = found.Href
	}
	return nil, nil
}

// lookUpOffspring asks what is recorded of a conversation's subagents apart from its steps.
func (d *document) lookUpOffspring(c *conversation) ([]*transcriptv1.Note, error) {
	if d.mode() == SubagentsNone || c.id == "" {
		return nil, nil
	}
	found, err := d.plan.Family.Children(d.ctx, c.id, c.ref)
	switch {
	case d.ctx.Err() != nil:
		return nil, d.ctx.Err()
	case err != nil:
		return []*transcriptv1.Note{kinNote(noteNoChild, "", "subagents that no step names were not looked for: "+err.Error())}, nil
	}
	c.offspring = found
	return found.Notes, nil
}

// relate says of the subagents that a step started what becomes of them, and reports whether it changed the step.
func (d *document) relate(f *frame, st *transcriptv1.Step) (changed bool, err error) {
	c := f.conversation
	if len(st.ChildConversationIds) == 0 && f.ownsConversation && st.Kind == "INVOKE_SUBAGENT" {
		st.ChildConversationIds = c.recordedFor(st.Index)
	}
	if len(st.ChildConversationIds) == 0 {
		return false, nil
	}
	for _, id := range st.ChildConversationIds {
		c.start(kinKey(id), st.Anchor, f.lastShown)
	}
	if !f.lastShown {
		return false, nil
	}
	for i, id := range st.ChildConversationIds {
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
	l.State = stateInline
	d.placed[kinKey(id)] = found.Title
	return l, &relation{relative: found, id: id, anchor: anchor}, nil
}

// nestedRoom is how many trajectories may nest within the steps of one conversation.
const nestedRoom = 10

// settle puts the subagents of the last step in their place.
func (d *document) settle() error {
	f := d.top()
	list := f.pending
	f.pending = nil
	for _, r := range list {
		if err := d.place(r); err != nil {
			return err
		}
	}
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

// start remembers that a step names a subagent.
func (c *conversation) start(key, anchor string, shown bool) {
	if _, again := c.started[key]; again {
		return
	}
	if c.started == nil {
		c.started = map[string]string{}
	}
	if !shown {
		anchor = ""
	}
	c.started[strings.Clone(key)] = strings.Clone(anchor)
	c.inOrder = append(c.inOrder, strings.Clone(key))
}

// recordedFor returns the subagents that the conversation's own record says a step started.
func (c *conversation) recordedFor(index uint32) (ids []string) {
	if c.offspring == nil {
		return nil
	}
	for _, o := range c.offspring.Children {
		if o.Step != nil && *o.Step == index {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// report pairs what a subagent reports with the step that started it, and returns that step's anchor when it is another.
func (c *conversation) report(st *transcriptv1.Step) string {
	if st.Sender == "" {
		return ""
	}
	key := kinKey(st.Sender)
	anchor, ours := c.started[key]
	if !ours && !slices.ContainsFunc(st.ChildConversationIds, func(id string) bool { return kinKey(id) == key }) {
		return ""
	}
	if c.reported == nil {
		c.reported = map[string]bool{}
	}
	c.reported[strings.Clone(key)] = true
	return anchor
}

// unreported has a note for every subagent whose result is in no step.
func (d *document) unreported(c *conversation) (notes []*transcriptv1.Note) {
	if d.mode() == SubagentsNone {
		return nil
	}
	for _, id := range c.inOrder {
		if anchor := c.started[id]; !c.reported[id] && anchor != "" {
			n := kinNote(noteNoReport, anchor, "subagent result not in this file: no later step carries what "+id+" reported")
			n.Severity = transcriptv1.Severity_SEVERITY_INFO
			notes = append(notes, n)
		}
	}
	return notes
}

func kinNote(kind, anchor, text string) *transcriptv1.Note {
	return &transcriptv1.Note{Kind: kind, Severity: transcriptv1.Severity_SEVERITY_WARNING, Anchor: anchor, Text: text}
}

// cause is why a conversation could not be found, plainly when it simply is not there.
func cause(err error, plain string) string {
	if errors.Is(err, sources.ErrNotFound) || errors.Is(err, context.Canceled) {
		return plain
	}
	return err.Error()
}
