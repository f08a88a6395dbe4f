package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"agy-reader/host/artifact"
	"agy-reader/host/diag"
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
	done  uint32
}

// frame is one trajectory of the document.
type frame struct {
	depth int
	// shown is false below a step that was not selected.
	shown    bool
	calls    calls
	spent    totals
	overview overview
	// seen counts the steps of the trajectory itself, shown or not.
	seen  uint32
	tally tally
	// last is the step before, lastShown whether it is in the document.
	last      []byte
	lastShown bool
}

// tally is what the document holds of a trajectory. Everything but steps includes nested trajectories.
type tally struct {
	steps, notes, unknown uint32
	// gaps are those that make the document incomplete; some rows are missing by design.
	gaps uint32
	// damaged counts places that could not be read.
	damaged uint32
	// nested counts the steps of nested trajectories.
	nested     uint32
	incomplete bool
	// missing is set when the document is incomplete for another reason than fields newer than the decoder.
	missing bool
	// content is set when any step had something to show.
	content bool
}

func (t *tally) add(nested tally) {
	t.nested += nested.steps + nested.nested
	t.notes += nested.notes
	t.unknown += nested.unknown
	t.gaps += nested.gaps
	t.damaged += nested.damaged
	t.incomplete = t.incomplete || nested.incomplete
	t.missing = t.missing || nested.missing
	t.content = t.content || nested.content
}

// openDocument opens a session of every target and begins the document. After an error the document, if any, is to be
// aborted.
func openDocument(ctx context.Context, p *plan, header *transcriptv1.Header) (*document, error) {
	doc := &document{ctx: ctx, plan: p, header: header, assets: p.newAssets(header)}
	out := &owners{out: p.Out, by: map[string]*guard{}}
	for _, t := range p.Targets {
		doc.targets = append(doc.targets, p.newTarget(t, header, out))
	}
	doc.push(&frame{shown: true}, header)
	begin := &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: header}}
	for _, t := range doc.targets {
		if err := t.begin(ctx, begin); err != nil {
			return doc, err
		}
	}
	return doc, nil
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
// are no part of a choice of steps.
func (d *document) attachment(ev *transcriptv1.Event, a *transcriptv1.Attachment) error {
	f := d.top()
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
		return fmt.Errorf("trajectories nest deeper than %d: %w", maxDepth, sources.ErrLimit)
	}
	h.Depth = uint32(depth)
	if h.ParentAnchor == "" {
		h.ParentAnchor = string(outer.last)
	}
	f := &frame{depth: depth, shown: outer.shown && (outer.lastShown || len(outer.last) == 0)}
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

var errProtocol = errors.New("the source ends a nested trajectory that it did not begin")

// maxDepth bounds nesting far above anything a product makes.
const maxDepth = 64

func (d *document) step(s *slot, i int, ev *transcriptv1.Event, st *transcriptv1.Step) error {
	f := d.top()
	d.done++
	f.seen++
	f.tally.unknown += uint32(len(st.Unknown))
	for _, outer := range d.stack {
		outer.spend(st)
	}
	f.last = append(f.last[:0], st.Anchor...)
	f.lastShown = f.shown && d.plan.trim(st) && (f.depth > 0 || d.plan.selection.has(st))
	// A step that was not selected still answers: its call has a result, if not in this document.
	continues := ""
	if !d.plan.selection.noTools {
		continues = f.calls.answer(st)
	}
	if !f.lastShown {
		return nil
	}
	f.tally.steps++
	f.tally.content = f.tally.content || st.Summary != "" || firstText(st) != ""
	f.overview.step(st)
	if err := d.assets.step(st); err != nil {
		return err
	}
	ahead := true
	if continues != "" && st.ContinuesAnchor == "" {
		st.ContinuesAnchor = continues
		ahead = false // what was rendered does not know it
	}
	if !d.plan.selection.noTools {
		if err := f.calls.announce(st); err != nil {
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
	return nil
}

// spend counts the model calls of a step, of this trajectory or one nested in it. Steps copied from another conversation
// were paid for there.
func (f *frame) spend(st *transcriptv1.Step) {
	f.overview.model(st.Model)
	if st.Inherited {
		return
	}
	f.spent.add(st.Usage)
	for _, u := range st.ExtraUsage {
		f.spent.add(u)
	}
}

func (d *document) note(ev *transcriptv1.Event, n *transcriptv1.Note) error {
	f := d.top()
	f.tally.incomplete = f.tally.incomplete || n.Incomplete
	f.tally.missing = f.tally.missing || n.Incomplete && n.Kind != "unknown_fields"
	switch {
	case n.Kind == "gap" && n.Incomplete:
		f.tally.gaps++
	case n.Kind == "damage" && n.Incomplete:
		f.tally.damaged++
	}
	if !f.shown || (n.Anchor != "" && n.Anchor == string(f.last) && !f.lastShown) {
		return nil
	}
	f.tally.notes++
	f.overview.note(n)
	return d.pass(ev)
}

// end ends a nested trajectory.
func (d *document) end(ev *transcriptv1.Event, footer *transcriptv1.Footer) error {
	if len(d.stack) == 1 {
		return fmt.Errorf("%w: %w", sources.ErrUnreadable, errProtocol)
	}
	f := d.top()
	if err := d.close(ev, f, footer); err != nil {
		return err
	}
	d.stack = d.stack[:len(d.stack)-1]
	d.top().tally.add(f.tally)
	return nil
}

// close completes a trajectory's footer and passes what ends it.
func (d *document) close(ev *transcriptv1.Event, f *frame, footer *transcriptv1.Footer) error {
	unanswered, err := f.calls.unanswered()
	if err != nil {
		return err
	}
	for _, n := range unanswered {
		if err := d.note(&transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: n}}, n); err != nil {
			return err
		}
	}
	f.complete(footer, d.plan.selection)
	if !f.shown {
		return nil
	}
	for _, t := range d.targets {
		if err := t.end(ev); err != nil {
			return err
		}
	}
	return nil
}

// finish ends the document with what the source says at its end.
func (d *document) finish(footer *transcriptv1.Footer) error {
	if len(d.stack) > 1 {
		return fmt.Errorf("%w: a nested trajectory does not end", sources.ErrUnreadable)
	}
	if footer == nil {
		footer = &transcriptv1.Footer{}
	}
	f := d.top()
	for _, u := range footer.Generations {
		f.overview.model(u.GetModel())
		f.spent.add(u)
	}
	if err := d.check(f); err != nil {
		return err
	}
	d.footer = footer
	d.assets.complete(footer)
	d.assets.close()
	return d.close(&transcriptv1.Event{Body: &transcriptv1.Event_End{End: footer}}, f, footer)
}

// check refuses a document that would look whole and show nothing.
func (d *document) check(f *frame) error {
	announced := max(f.seen, d.header.GetAnnouncedSteps())
	switch {
	case announced == 0:
		return nil
	case f.seen > 0 && f.tally.steps == 0 && !d.plan.selection.All():
		return diag.Usagef("select %q chooses none of the %s", d.plan.selection, plural(announced, "step"))
	case f.tally.steps == 0 || (d.plan.want.Blocks && !f.tally.content):
		return fmt.Errorf("%w: nothing can be shown of %s", sources.ErrUnreadable, plural(announced, "step"))
	}
	return nil
}

// abort drops every session.
func (d *document) abort() {
	d.assets.close()
	for _, t := range d.targets {
		t.abort()
	}
}

func (d *document) result(files []artifact.File) *Result {
	// Documents stand first, then what lies beside them.
	slices.SortStableFunc(files, func(a, b artifact.File) int {
		return strings.Count(a.Name, "/") - strings.Count(b.Name, "/")
	})
	return &Result{
		Files: files, Header: d.header, Footer: proto.CloneOf(d.footer),
		Steps: d.footer.Steps, Notes: d.footer.Notes, Incomplete: d.footer.Incomplete,
	}
}
