package convert

import (
	"context"
	"errors"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// relation is a subagent, or a note about one, that waits for its place behind a step.
type relation struct {
	note *transcriptv1.Note

	relative *Relative
	// reader is open already, so that the step could say whether the subagent can be read; nil for the last of many.
	reader sources.Reader
	id     string
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
