package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// readError is an error of reading a conversation, in contrast to one of a sink.
type readError struct{ error }

func (f *readError) Unwrap() error { return f.error }

func failedReading(err error) error {
	if err == nil {
		return nil
	}
	return &readError{err}
}

// openChild opens the conversation of a relation.
func (d *document) openChild(r *relation) (sources.Reader, error) {
	p := *d.plan
	p.Source, p.Ref = r.relative.Source, r.relative.Ref
	reader, err := p.open(d.ctx)
	return reader, failedReading(err)
}

// child puts a whole conversation behind the step that started it: the same reading, decoding and ordering again, while the
// conversation around it waits. One that cannot be read is named, and makes the document incomplete.
func (d *document) child(r *relation) error {
	p := *d.plan
	p.Source, p.Ref = r.relative.Source, r.relative.Ref
	reader := r.reader
	r.reader = nil
	if reader == nil {
		var err error
		if reader, err = d.openChild(r); err != nil {
			return d.unread(r, err)
		}
	}
	header := reader.Header()
	first, second, err := head(d.ctx, reader)
	err = failedReading(err)
	at := len(d.stack)
	if enterErr := d.enter(r, header); enterErr != nil {
		if err == nil {
			release(first, second)
			_, err = reader.Close()
		}
		return errors.Join(enterErr, err)
	}
	prefix := d.prefix(r)
	d.top().anchors = prefix
	var footer *transcriptv1.Footer
	if err == nil {
		footer, err = p.feed(d.ctx, d, prefix, reader, first, second)
	}
	if err == nil && len(d.stack) > at+1 {
		err = failedReading(fmt.Errorf("%w: a nested trajectory does not end", sources.ErrUnreadable))
	}
	if err != nil {
		// Whatever of it was read is in the document; end it there.
		for len(d.stack) > at+1 && d.canGoOn(err) {
			if endErr := d.settle(); endErr != nil {
				return endErr
			}
			f := &transcriptv1.Footer{}
			if endErr := d.end(&transcriptv1.Event{Body: &transcriptv1.Event_End{End: f}}, f); endErr != nil {
				return endErr
			}
		}
		if err := d.unread(r, err); err != nil {
			return err
		}
	}
	if footer == nil {
		footer = &transcriptv1.Footer{}
	}
	f := d.top()
	if err := d.checkChild(f, header); err != nil {
		return err
	}
	if err := d.conclude(footer); err != nil {
		return err
	}
	d.stack = d.stack[:at]
	d.top().tally.add(f.tally)
	return nil
}

// enter begins the conversation of a relation.
func (d *document) enter(r *relation, h *transcriptv1.Header) error {
	if r.relative.Describe != nil {
		r.relative.Describe(h)
	}
	outer := d.top().conversation
	h.Depth, h.ParentAnchor = uint32(len(d.stack)), r.anchor
	var notes []*transcriptv1.Note
	if named := h.GetParentConversationId(); named != "" && kinKey(named) != kinKey(outer.id) {
		notes = append(notes, kinNote(noteKinship, "", "this conversation names "+named+" as its parent, not the one it stands in"))
	}
	d.growTrees()
	c := &conversation{id: r.id, ref: r.relative.Ref, depth: outer.depth + 1}
	return d.open(&frame{depth: len(d.stack), shown: true, conversation: c}, h, notes)
}

// checkChild says so when a subagent with steps would look whole and show nothing.
func (d *document) checkChild(f *frame, h *transcriptv1.Header) error {
	announced := max(f.seen, h.GetAnnouncedSteps())
	if announced == 0 || f.tally.missing || f.tally.steps > 0 && (!d.plan.want.Blocks || f.tally.content) {
		return nil
	}
	return d.say(&transcriptv1.Note{
		Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true,
		Text: "nothing can be shown of " + sources.Amount(announced, "step"),
	})
}

// unread says that a conversation, or the rest of it, could not be read. Whatever else went wrong stays an error.
func (d *document) unread(r *relation, err error) error {
	if !d.canGoOn(err) {
		return fmt.Errorf("subagent %s: %w", r.id, err)
	}
	anchor := r.anchor
	if kinKey(d.top().conversation.id) == kinKey(r.id) {
		anchor = ""
	}
	n := d.unreadNote(r, err)
	n.Anchor = anchor
	return d.say(n)
}

func (d *document) unreadNote(r *relation, err error) *transcriptv1.Note {
	return &transcriptv1.Note{
		Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true, Anchor: r.anchor,
		Text: "subagent " + r.id + " could not be read to its end: " + placeless(err, r.relative.Ref),
	}
}

// placeless is an error without the folders of the store: a document must not depend on where it lies.
func placeless(err error, ref sources.Ref) string {
	text := err.Error()
	for _, dir := range [...]string{ref.Root, filepath.Dir(ref.Path)} {
		if len(dir) > 1 {
			text = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
		}
	}
	return text
}

// canGoOn reports whether an error of a subagent leaves the document usable.
func (d *document) canGoOn(err error) bool {
	var reading *readError
	return !d.plan.Strict && d.ctx.Err() == nil && errors.As(err, &reading)
}

// prefix is what the anchors of a subagent begin with in place of `step`, so that each is found once in the document:
// `step-12-1` for the first that step 12 started, and so on behind any trajectory that the step itself holds. Those that no
// step names count on from the conversation's last step.
func (d *document) prefix(r *relation) string {
	outer := d.stack[len(d.stack)-2]
	if r.anchor != "" {
		return r.anchor + "-" + strconv.FormatUint(uint64(max(outer.inside, 1)+r.number), 10)
	}
	base := outer.anchors
	if base == "" {
		base = anchorStem
	}
	return base + "-" + strconv.FormatUint(uint64(outer.highest), 10) + "-" + strconv.FormatUint(uint64(1+r.number), 10)
}

const anchorStem = "step"

// readdress gives the anchors in an event of a subagent their prefix.
func readdress(ev *transcriptv1.Event, prefix string) {
	switch body := ev.Body.(type) {
	case *transcriptv1.Event_Begin:
		body.Begin.ParentAnchor = within(prefix, body.Begin.ParentAnchor)
	case *transcriptv1.Event_Step:
		body.Step.Anchor = within(prefix, body.Step.Anchor)
		body.Step.ContinuesAnchor = within(prefix, body.Step.ContinuesAnchor)
	case *transcriptv1.Event_Attachment:
		body.Attachment.Anchor = within(prefix, body.Attachment.Anchor)
	case *transcriptv1.Event_Note:
		body.Note.Anchor = within(prefix, body.Note.Anchor)
	}
}

func within(prefix, anchor string) string {
	if anchor == "" {
		return ""
	}
	rest, found := strings.CutPrefix(anchor, anchorStem+"-")
	if !found {
		rest = anchor
	}
	return prefix + "-" + rest
}

// head reads up to two batches: one that is alone needs no workers. After an error the reader is closed.
func head(ctx context.Context, reader sources.Reader) (first, second sources.Batch, err error) {
	first, err = next(ctx, reader)
	if err == nil {
		second, err = next(ctx, reader)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		release(first)
		_, closeErr := reader.Close()
		return nil, nil, errors.Join(err, closeErr)
	}
	return first, second, nil
}

// feed passes everything a reader yields to the document, and returns what it says at its end. It closes the reader.
// prefix is that of a subagent's anchors, empty for the conversation itself.
func (p *plan) feed(ctx context.Context, doc *document, prefix string, reader sources.Reader, first, second sources.Batch) (*transcriptv1.Footer, error) {
	if second == nil {
		return p.inline(ctx, doc, prefix, reader, first)
	}
	return p.pipe(ctx, doc, prefix, reader, first, second)
}
