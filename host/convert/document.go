package convert

import (
	"context"
	"fmt"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// document puts events into their final order and form and passes them to every target. It belongs to one goroutine,
// except for targets, which workers read.
type document struct {
	ctx     context.Context //nolint:containedctx // a document lives within one call of Run
	plan    *plan
	header  *transcriptv1.Header
	footer  *transcriptv1.Footer
	targets []*target
	assets  *assets
	// stack holds the trajectories not yet ended, the conversation itself first.
	stack []*frame
	// placed are the subagents that are in this document, with their titles.
	placed map[string]string
	done   uint32
}

// openDocument opens a session of every target and begins the document. After an error the document, if any, is to be
// aborted.
func openDocument(ctx context.Context, p *plan, header *transcriptv1.Header) (*document, error) {
	doc := &document{ctx: ctx, plan: p, header: header, assets: p.newAssets(header), placed: map[string]string{}}
	out := &owners{out: p.Out, by: map[string]*guard{}}
	for _, t := range p.Targets {
		doc.targets = append(doc.targets, p.newTarget(t, header, out))
	}
	id := header.GetConversationId()
	if id == "" {
		id = p.Ref.ID
	}
	notes, err := doc.parent(id)
	if err != nil {
		return doc, err
	}
	return doc, doc.open(&frame{shown: true, conversation: &conversation{id: id, ref: p.Ref}}, header, notes)
}

// open begins a conversation and says what is to be said before its first step.
func (d *document) open(f *frame, h *transcriptv1.Header, notes []*transcriptv1.Note) error {
	f.ownsConversation = true
	f.conversation.logs = h.GetProvenance().GetSource() == "mirror"
	d.push(f, h)
	begin := &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: h}}
	for _, t := range d.targets {
		if err := t.begin(d.ctx, begin); err != nil {
			return err
		}
	}
	more, err := d.lookUpOffspring(f.conversation)
	if err != nil {
		return err
	}
	return d.say(append(notes, more...)...)
}

func (d *document) push(f *frame, h *transcriptv1.Header) {
	f.tally.unknown += uint32(len(h.GetUnknown()))
	d.stack = append(d.stack, f)
}

func (d *document) top() *frame { return d.stack[len(d.stack)-1] }

// take passes the events of one batch.
func (d *document) take(s *slot) error {
	for i, ev := range s.events {
		if err := d.event(s, i, ev); err != nil {
			return err
		}
	}
	if d.plan.Progress != nil {
		d.plan.Progress(d.done, d.header.GetAnnouncedSteps())
	}
	return d.ctx.Err()
}

func (d *document) event(s *slot, i int, ev *transcriptv1.Event) error {
	if f := d.top(); len(f.pending) > 0 && !f.about(ev) {
		if err := d.settle(); err != nil {
			return err
		}
	}
	switch body := ev.Body.(type) {
	case *transcriptv1.Event_Begin:
		return d.begin(ev, body.Begin)
	case *transcriptv1.Event_Step:
		return d.step(s, i, ev, body.Step)
	case *transcriptv1.Event_Note:
		return d.note(ev, body.Note)
	case *transcriptv1.Event_Attachment:
		return d.attachment(ev, body.Attachment)
	case *transcriptv1.Event_End:
		return d.end(ev, body.End)
	case *transcriptv1.Event_Record:
		d.top().tally.unknown += uint32(len(body.Record.GetUnknown()))
		for _, t := range d.targets {
			if t.needs.Records && d.top().shown {
				if err := t.event(ev); err != nil {
					return err
				}
			}
		}
		return nil
	default:
		return d.pass(ev)
	}
}

// pass gives an event to every target, unless it lies below a step that was not selected.
func (d *document) pass(ev *transcriptv1.Event) error {
	if !d.top().shown {
		return nil
	}
	for _, t := range d.targets {
		if err := t.event(ev); err != nil {
			return err
		}
	}
	return nil
}

// attachment passes a file beside the steps. One that belongs to a step goes with it; those of the conversation as a whole
// are no part of a choice of steps. A file comes once, where it comes first: a source that lists files does not know which of
// them went with a step.
func (d *document) attachment(ev *transcriptv1.Event, a *transcriptv1.Attachment) error {
	f := d.top()
	if a.Name != "" {
		name := a.Kind + " " + a.Name
		if f.beside[name] {
			return nil
		}
		if f.beside == nil {
			f.beside = map[string]bool{}
		}
		f.beside[name] = true
	}
	switch {
	case !f.shown || a.Anchor != "" && a.Anchor == string(f.last) && !f.lastShown:
		return nil
	case a.Anchor == "" && f.depth == 0 && d.plan.selection.choosesSteps():
		return nil
	}
	if err := d.assets.attachment(a); err != nil {
		return err
	}
	return d.pass(ev)
}

// begin starts a trajectory that belongs to the step before.
func (d *document) begin(ev *transcriptv1.Event, h *transcriptv1.Header) error {
	outer := d.top()
	depth := len(d.stack)
	if depth > maxDepth {
		return failedReading(fmt.Errorf("trajectories nest deeper than %d: %w", maxDepth, sources.ErrLimit))
	}
	h.Depth = uint32(depth)
	if h.ParentAnchor == "" {
		h.ParentAnchor = string(outer.last)
	}
	f := &frame{depth: depth, conversation: outer.conversation, shown: outer.shown && (outer.lastShown || len(outer.last) == 0)}
	d.push(f, h)
	if !f.shown {
		return nil
	}
	for _, t := range d.targets {
		if err := t.begin(d.ctx, ev); err != nil {
			return err
		}
	}
	return nil
}

// maxDepth bounds nesting far above anything a product makes.
const maxDepth = 64

func (d *document) step(s *slot, i int, ev *transcriptv1.Event, st *transcriptv1.Step) error {
	f := d.top()
	d.done++
	f.seen++
	f.highest, f.inside = max(f.highest, st.Index+1), 0
	f.tally.unknown += uint32(len(st.Unknown))
	if d.plan.Strict && len(st.Unknown) > 0 {
		return fmt.Errorf("%w: %s of %s", sources.ErrUnknown, sources.Amount(len(st.Unknown), "field"), st.Anchor)
	}
	d.spend(st)
	f.last = append(f.last[:0], st.Anchor...)
	f.lastShown = f.shown && d.plan.trim(st) && (f.depth > 0 || d.plan.selection.has(st))
	// A step that was not selected still answers: its call has a result, if not in this document.
	continues := ""
	if !d.plan.selection.noTools {
		continues = f.calls.answer(st)
	}
	if reported := f.conversation.report(st); continues == "" {
		continues = reported
	}
	related, err := d.relate(f, st)
	if err != nil {
		return err
	}
	if st.Role == transcriptv1.Role_ROLE_USER {
		f.turn = 0
	}
	if !f.lastShown {
		return nil
	}
	ahead := !related && !d.assets.concern(st) // what was rendered does not know it
	if err := d.assets.step(st); err != nil {
		return err
	}
	f.tally.steps++
	f.tally.content = f.tally.content || st.Summary != "" || firstText(st) != ""
	if prompt := f.overview.step(st); prompt > 0 {
		f.turn = prompt
	}
	f.awaitPrice(st)
	if continues != "" && st.ContinuesAnchor == "" {
		st.ContinuesAnchor = continues
		ahead = false
	}
	var over []*transcriptv1.Note
	if !d.plan.selection.noTools {
		if over, err = f.calls.announce(st); err != nil {
			return err
		}
	}
	var room []byte
	for k, t := range d.targets {
		var err error
		if ahead {
			err = t.rendered(ev, &s.ahead[k], i, &room)
		} else {
			err = t.event(ev)
		}
		if err != nil {
			return err
		}
	}
	return d.say(over...)
}

func (d *document) note(ev *transcriptv1.Event, n *transcriptv1.Note) error {
	f := d.top()
	if d.plan.Strict && n.Incomplete {
		kind := sources.ErrPartial
		if n.Kind == noteUnknown {
			kind = sources.ErrUnknown
		}
		return fmt.Errorf("%w: %s", kind, n.Text)
	}
	f.tally.incomplete = f.tally.incomplete || n.Incomplete
	f.tally.missing = f.tally.missing || n.Incomplete && n.Kind != noteUnknown
	switch {
	case n.Kind == "gap" && n.Incomplete:
		f.tally.gaps++
	case n.Kind == noteDamage && n.Incomplete:
		f.tally.damaged++
	}
	if !f.shown || (n.Anchor != "" && n.Anchor == string(f.last) && !f.lastShown) {
		return nil
	}
	f.tally.notes++
	f.overview.note(n)
	return d.pass(ev)
}

// say passes notes of the host.
func (d *document) say(notes ...*transcriptv1.Note) error {
	for _, n := range notes {
		if err := d.note(&transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: n}}, n); err != nil {
			return err
		}
	}
	return nil
}

// abort drops every session.
func (d *document) abort() {
	d.closeWaiting()
	d.assets.close()
	for _, t := range d.targets {
		t.abort()
	}
}
