package merge

import (
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// decorated is a batch of the main source together with what belongs to its steps.
type decorated struct {
	sources.Batch
	s *shared
	// borrowed are batches of the logs whose blocks the events refer to.
	borrowed []sources.Batch
}

// Decode implements sources.Batch.
func (b *decorated) Decode(yield func(*transcriptv1.Event) error) error {
	d := decorator{s: b.s, yield: yield, restorable: !b.s.want.Strict}
	err := b.Batch.Decode(d.event)
	b.borrowed = append(b.borrowed, d.borrowed...)
	if err != nil {
		return err
	}
	return d.flush()
}

// Release implements sources.Batch.
func (b *decorated) Release() {
	b.Batch.Release()
	for _, lent := range b.borrowed {
		lent.Release()
	}
	b.borrowed = nil
	b.s.drop()
}

// decorator passes the events of a batch on. A step waits for the notes about it, because they may say that its content is
// damaged.
type decorator struct {
	s     *shared
	yield func(*transcriptv1.Event) error
	// restorable: what a step lost may be put in its place.
	restorable bool
	depth      int
	// held is the step that waits, with the notes about it.
	held  *transcriptv1.Event
	notes []*transcriptv1.Event
	// damaged is the anchor of a step whose damage was told before it came, restored of one that got its text.
	damaged, restored string
	borrowed          []sources.Batch
}

func (d *decorator) event(ev *transcriptv1.Event) error {
	if d.depth > 0 {
		switch ev.Body.(type) {
		case *transcriptv1.Event_Begin:
			d.depth++
		case *transcriptv1.Event_End:
			d.depth--
		}
		return d.yield(ev)
	}
	switch body := ev.Body.(type) {
	case *transcriptv1.Event_Step:
		if err := d.flush(); err != nil {
			return err
		}
		d.held = ev
		d.step(body.Step)
		return nil
	case *transcriptv1.Event_Note:
		n := body.Note
		about := d.held != nil && n.GetAnchor() == d.held.GetStep().GetAnchor()
		if n.GetKind() == noteDamage && n.GetIncomplete() && n.GetAnchor() != "" {
			if about {
				d.restore(d.held.GetStep(), "")
			} else {
				d.damaged = n.GetAnchor()
			}
		}
		if about {
			d.notes = append(d.notes, ev)
			return nil
		}
	case *transcriptv1.Event_Begin:
		d.depth++
	}
	if err := d.flush(); err != nil {
		return err
	}
	return d.yield(ev)
}

// step adds what other places know about it.
func (d *decorator) step(st *transcriptv1.Step) {
	if len(st.ChildConversationIds) == 0 {
		st.ChildConversationIds = slices.Clone(d.s.children[st.Index])
	}
	switch {
	case st.Status == "CLEARED":
		d.restore(st, deletedText+"; what follows is from ")
	case d.damaged == st.Anchor:
		d.restore(st, "")
	}
}

// flush passes the step that waits, with everything about it.
func (d *decorator) flush() error {
	if d.held == nil {
		return nil
	}
	st := d.held.GetStep()
	if err := d.yield(d.held); err != nil {
		return err
	}
	d.held = nil
	for _, n := range d.notes {
		if err := d.yield(n); err != nil {
			return err
		}
	}
	d.notes = d.notes[:0]
	for _, n := range d.s.cuts[st.Index] {
		if err := d.yield(event(n)); err != nil {
			return err
		}
	}
	if d.s.folder == nil {
		return nil
	}
	for _, a := range d.s.folder.Beside(st) {
		if err := d.yield(&transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: a}}); err != nil {
			return err
		}
	}
	return nil
}

// restore shows the text that the logs have of a step that lost its own, behind what is left of it.
func (d *decorator) restore(st *transcriptv1.Step, lead string) {
	if !d.restorable || d.restored == st.Anchor {
		return
	}
	d.restored = st.Anchor
	line, ok := d.s.line(sources.Mark{Index: st.Index, Kind: st.Kind, CreatedNS: st.GetCreatedNs()})
	if !ok || line.Status == "CLEARED" {
		return
	}
	b := d.s.log.Batch([]mirror.Mark{line}, d.s.settings)
	d.borrowed = append(d.borrowed, b)
	var found *transcriptv1.Step
	var notes []*transcriptv1.Event
	err := b.Decode(func(ev *transcriptv1.Event) error {
		if s := ev.GetStep(); s != nil && found == nil {
			found = s
		} else {
			notes = append(notes, ev)
		}
		return nil
	})
	if err != nil || found == nil {
		return // what is said about the step stands
	}
	st.Origin = d.s.log.File(line)
	if lead == "" {
		lead = "What follows is from "
	}
	if d.s.want.Blocks {
		own := slices.DeleteFunc(slices.Clone(st.Blocks), func(b *transcriptv1.Block) bool { return b.Text == deletedText+"." })
		st.Blocks = append(own, &transcriptv1.Block{
			Kind: "notice", Text: lead + st.Origin + ".",
			Detail: &transcriptv1.Block_Notice{Notice: &transcriptv1.Notice{Severity: transcriptv1.Severity_SEVERITY_INFO}},
		})
		for _, block := range found.Blocks {
			if !unfinished(block) {
				st.Blocks = append(st.Blocks, block)
			}
		}
	}
	if d.s.want.Native {
		st.NativeJson = withMembers(st.NativeJson, found.NativeJson)
	}
	if d.s.want.Display {
		st.DisplayJson = withMembers(st.DisplayJson, found.DisplayJson)
		st.SourceOnly = append(slices.Clone(st.SourceOnly), found.SourceOnly...)
	}
	if st.Kind == "" {
		st.Kind, st.Role = found.Kind, found.Role
	}
	if st.CreatedNs == nil {
		st.CreatedNs = found.CreatedNs
	}
	if st.Call == nil && found.Call != nil {
		st.Call, st.Role = found.Call, found.Role
	}
	if st.Summary == "" || found.Summary != "" && st.Status == "CLEARED" {
		st.Summary = found.Summary
	}
	if st.Usage == nil {
		st.Usage = found.Usage
	}
	d.notes = append(d.notes, notes...)
}

// deletedText is how interpret words what the status CLEARED means.
const deletedText = "The product deleted the text of this step"

// unfinished recognises the notice that a line, which is never written again, makes of a step that ran on.
func unfinished(b *transcriptv1.Block) bool {
	return b.GetNotice() != nil && strings.HasPrefix(b.Text, "Did not finish (")
}
