package convert

import (
	"context"
	"errors"
	"io"

	"golang.org/x/sync/errgroup"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sources"
)

const (
	// spare batches let the reader run ahead of the workers. Every batch in flight can be as large as the largest step, so
	// there are few.
	spare = 2
	// bigStep is the size of the text from which a step is rendered when it is its turn, for one sink after the other, so
	// that at most one rendering of it exists at a time.
	bigStep = 1 << 20
	// subagentWorkers decode a subagent: every level of nesting has its own batches.
	subagentWorkers = 4
	// keepRendered is the largest buffer that is kept for the next batch.
	keepRendered = 1 << 20
)

// slot is one batch on its way through the pipe.
type slot struct {
	// prefix is that of a subagent's anchors, empty for the conversation itself.
	prefix string
	batch  sources.Batch
	events []*transcriptv1.Event
	// ahead holds what each renderer appended for the events, in turn.
	ahead []rendering
	err   error
	ready chan struct{}
}

// rendering is what one session rendered ahead for a batch.
type rendering struct {
	session sinks.Renderer
	out     []byte
	// ends has the end of each event's piece in out, or its complement when the event was not rendered ahead.
	ends []int
}

// piece returns what was rendered for event i.
func (r *rendering) piece(i int) (out []byte, ok bool) {
	if r.session == nil || r.ends[i] < 0 {
		return nil, false
	}
	from := 0
	if i > 0 {
		from = max(r.ends[i-1], ^r.ends[i-1])
	}
	return r.out[from:r.ends[i]], true
}

func newSlot(doc *document, prefix string) *slot {
	return &slot{prefix: prefix, ahead: make([]rendering, len(doc.targets)), ready: make(chan struct{}, 1)}
}

// decode interprets the batch and renders ahead for every target that offers it. An error of the source is a readError.
func (s *slot) decode(ctx context.Context, doc *document) (err error) {
	var ours error
	defer func() {
		if ours == nil {
			err = failedReading(err)
		}
	}()
	defer caught(&err)
	for i, t := range doc.targets {
		if s.prefix == "" || t.needs.Nested {
			s.ahead[i].session, _ = t.root().(sinks.Renderer)
		}
	}
	return s.batch.Decode(func(ev *transcriptv1.Event) error {
		if ours = ctx.Err(); ours != nil {
			return ours
		}
		if s.prefix != "" {
			readdress(ev, s.prefix)
		}
		s.events = append(s.events, ev)
		chosen := s.aheadOf(doc, ev.GetStep())
		for i := range s.ahead {
			if ours = s.ahead[i].render(ev, chosen, doc.targets[i]); ours != nil {
				return ours
			}
		}
		return nil
	})
}

// aheadOf reports whether a step can be rendered before its turn. What the host says of subagents and files is not known
// before.
func (s *slot) aheadOf(doc *document, st *transcriptv1.Step) bool {
	if st == nil || !doc.plan.trim(st) || s.prefix == "" && !doc.plan.selection.has(st) {
		return false
	}
	return textSize(st) < bigStep && len(st.ChildConversationIds) == 0 && !doc.assets.concern(st)
}

func (r *rendering) render(ev *transcriptv1.Event, chosen bool, t *target) error {
	if r.session == nil {
		return nil
	}
	if !chosen {
		r.ends = append(r.ends, ^len(r.out))
		return nil
	}
	hidden, _ := t.withhold.Hide(ev)
	out, err := r.session.Render(r.out, ev)
	hidden.Restore(ev)
	if err != nil {
		return t.failed(err)
	}
	r.out = out
	r.ends = append(r.ends, len(out))
	return nil
}

// textSize is about how long a rendering of the step will be.
func textSize(st *transcriptv1.Step) int {
	size := 0
	for _, b := range st.Blocks {
		size += len(b.Text)
	}
	return size
}

// recycle makes the slot ready for another batch.
func (s *slot) recycle() {
	release(s.batch)
	s.batch, s.err = nil, nil
	clear(s.events)
	s.events = s.events[:0]
	for i := range s.ahead {
		r := &s.ahead[i]
		r.out, r.ends = r.out[:0], r.ends[:0]
		if cap(r.out) > keepRendered {
			r.out = nil
		}
	}
}

// inline passes a conversation of at most one batch in the calling goroutine.
func (p *plan) inline(ctx context.Context, doc *document, prefix string, reader sources.Reader, only sources.Batch) (_ *transcriptv1.Footer, err error) {
	defer caught(&err)
	footer, closeErr := reader.Close()
	closeErr = failedReading(closeErr)
	if only != nil {
		s := newSlot(doc, prefix)
		s.batch = only
		defer s.recycle()
		if err := s.decode(ctx, doc); err != nil {
			return nil, errors.Join(err, closeErr)
		}
		if err := doc.take(s); err != nil {
			return nil, err
		}
	}
	return footer, closeErr
}

// pipe reads in the calling goroutine, decodes in workers and orders in one more. All of them have ended when it returns.
// A subagent's pipe runs in the ordering goroutine of the one around it.
func (p *plan) pipe(ctx context.Context, doc *document, prefix string, reader sources.Reader, ahead ...sources.Batch) (*transcriptv1.Footer, error) {
	workers := p.workers
	if prefix != "" {
		workers = min(workers, subagentWorkers)
	}
	slots := make([]*slot, workers+spare)
	free := make(chan *slot, len(slots))
	for i := range slots {
		slots[i] = newSlot(doc, prefix)
		free <- slots[i]
	}
	defer func() {
		for _, s := range slots {
			s.recycle()
		}
		release(ahead...)
	}()
	work, order := make(chan *slot, len(slots)), make(chan *slot, len(slots))
	group, inner := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			for s := range work {
				s.err = s.decode(inner, doc)
				s.ready <- struct{}{}
			}
			return nil
		})
	}
	group.Go(func() error { return inOrder(doc, order, free) })

	readErr := func() error {
		for {
			var s *slot
			select {
			case s = <-free:
			case <-inner.Done():
				return inner.Err()
			}
			if len(ahead) > 0 {
				s.batch, ahead = ahead[0], ahead[1:]
			} else {
				var err error
				if s.batch, err = next(inner, reader); err != nil {
					return err
				}
			}
			order <- s
			work <- s
		}
	}()
	close(work)
	footer, closeErr := reader.Close()
	if !errors.Is(readErr, io.EOF) {
		closeErr = errors.Join(readErr, closeErr)
	}
	close(order)
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return footer, failedReading(closeErr)
}

// inOrder takes the batches in the order they were read.
func inOrder(doc *document, order <-chan *slot, free chan<- *slot) (err error) {
	defer caught(&err)
	for s := range order {
		<-s.ready
		if s.err != nil {
			return s.err
		}
		if err := doc.take(s); err != nil {
			return err
		}
		s.recycle()
		free <- s
	}
	return nil
}
