package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/host/diag"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

var errProtocol = errors.New("the source ends a nested trajectory that it did not begin")

// end ends a nested trajectory.
func (d *document) end(ev *transcriptv1.Event, footer *transcriptv1.Footer) error {
	f := d.top()
	if f.ownsConversation {
		return failedReading(fmt.Errorf("%w: %w", sources.ErrUnreadable, errProtocol))
	}
	if err := d.close(ev, f, footer); err != nil {
		return err
	}
	d.stack = d.stack[:len(d.stack)-1]
	d.top().tally.add(f.tally)
	d.top().inside = max(d.top().inside, f.highest)
	return nil
}

// close completes a trajectory's footer and passes what ends it.
func (d *document) close(ev *transcriptv1.Event, f *frame, footer *transcriptv1.Footer) error {
	if err := f.calls.unanswered(d.say); err != nil {
		return err
	}
	f.complete(footer, d.plan.selection)
	if d.plan.Strict && footer.Incomplete {
		kind := sources.ErrUnknown
		if footer.Missing {
			kind = sources.ErrPartial
		}
		return fmt.Errorf("%w: %s", kind, footer.Completeness)
	}
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
func (d *document) finish(footer *transcriptv1.Footer) (err error) {
	defer caught(&err)
	if len(d.stack) > 1 {
		return fmt.Errorf("%w: a nested trajectory does not end", sources.ErrUnreadable)
	}
	if footer == nil {
		footer = &transcriptv1.Footer{}
	}
	f := d.top()
	if err := d.check(f); err != nil {
		return err
	}
	d.footer = footer
	return d.conclude(footer)
}

// conclude ends a conversation: what is left of its subagents, what it spent, what it lacks.
func (d *document) conclude(footer *transcriptv1.Footer) error {
	if err := d.settle(); err != nil {
		return err
	}
	if err := d.unplaced(); err != nil {
		return err
	}
	f := d.top()
	if f.depth == 0 {
		d.assets.complete(footer)
		d.assets.close()
	}
	d.generations(footer.Generations)
	notes := d.unreported(f.conversation)
	if n := f.conversation.unsoundNote(); n != nil {
		notes = append(notes, n)
	}
	if f.depth == 0 && d.plan.Last != nil {
		notes = append(notes, d.plan.Last(d.header, f.tally.steps)...)
	}
	if err := d.say(notes...); err != nil {
		return err
	}
	if tree := f.conversation.tree; tree != nil {
		footer.UsageWithChildren = tree.result()
	}
	return d.close(&transcriptv1.Event{Body: &transcriptv1.Event_End{End: footer}}, f, footer)
}

// check refuses a document that would look whole and show nothing.
func (d *document) check(f *frame) error {
	announced := max(f.seen, d.header.GetAnnouncedSteps())
	switch {
	case announced == 0:
		return nil
	case f.seen > 0 && f.tally.steps == 0 && !d.plan.selection.All():
		return diag.Usagef("select %q chooses none of the %s", d.plan.selection, sources.Amount(announced, "step"))
	case f.tally.steps == 0 || (d.plan.want.Blocks && !f.tally.content):
		return fmt.Errorf("%w: nothing can be shown of %s", sources.ErrUnreadable, sources.Amount(announced, "step"))
	}
	return nil
}

// result is what was made, once the files are published.
func (d *document) result(files []artifact.File) *Result {
	// Documents stand first, then what lies beside them.
	slices.SortStableFunc(files, func(a, b artifact.File) int {
		return strings.Count(a.Name, "/") - strings.Count(b.Name, "/")
	})
	return &Result{
		Files: files, Header: d.header, Footer: d.footer,
		Steps: d.footer.Steps, Notes: d.footer.Notes, Incomplete: d.footer.Incomplete,
	}
}
