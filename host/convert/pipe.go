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
	// keepRendered is the largest buffer that is kept for the next batch.
	keepRendered = 1 << 20
)

// slot is one batch on its way through the pipe.
type slot struct {
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

func newSlot(doc *document) *slot {
	return &slot{ahead: make([]rendering, len(doc.targets)), ready: make(chan struct{}, 1)}
}

// decode interprets the batch and renders ahead for every target that offers it.
func (s *slot) decode(ctx context.Context, doc *document) (err error) {
	defer caught(&err)
	for i, t := range doc.targets {
		s.ahead[i].session, _ = t.root().(sinks.Renderer)
	}
	return s.batch.Decode(func(ev *transcriptv1.Event) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.events = append(s.events, ev)
		step := ev.GetStep()
		chosen := step != nil && doc.plan.trim(step) && doc.plan.selection.has(step) && textSize(step) < bigStep &&
			!doc.assets.concern(step)
		for i := range s.ahead {
			if err := s.ahead[i].render(ev, chosen, doc.targets[i]); err != nil {
				return err
			}
		}
		return nil
	})
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

// inline converts a conversation of at most one batch in the calling goroutine.
func (p *plan) inline(ctx context.Context, doc *document, reader sources.Reader, only sources.Batch) (err error) {
	defer caught(&err)
	footer, closeErr := reader.Close()
	if only != nil {
		s := newSlot(doc)
		s.batch = only
		defer s.recycle()
		if err := s.decode(ctx, doc); err != nil {
			return errors.Join(err, closeErr)
		}
		if err := doc.take(s); err != nil {
			return errors.Join(err, closeErr)
		}
	}
	if closeErr != nil {
		return closeErr
	}
	return doc.finish(footer)
}

// ending is what the reading goroutine has to say at the end.
type ending struct {
	footer *transcriptv1.Footer
	err    error
}

// pipe reads in the calling goroutine, decodes in workers and orders in one more. All of them have ended when it returns.
func (p *plan) pipe(ctx context.Context, doc *document, reader sources.Reader, ahead ...sources.Batch) error {
	slots := make([]*slot, p.workers+spare)
	free := make(chan *slot, len(slots))
	for i := range slots {
		slots[i] = newSlot(doc)
		free <- slots[i]
	}
	defer func() {
		for _, s := range slots {
			s.recycle()
		}
		release(ahead...)
	}()
	work, order := make(chan *slot, len(slots)), make(chan *slot, len(slots))
	end := make(chan ending, 1)
	group, inner := errgroup.WithContext(ctx)
	for range p.workers {
		group.Go(func() error {
			for s := range work {
				s.err = s.decode(inner, doc)
				s.ready <- struct{}{}
			}
			return nil
		})
	}
	group.Go(func() error { return inOrder(doc, order, free, end) })

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
	end <- ending{footer, closeErr}
	close(order)
	return group.Wait()
}

// inOrder takes the batches in the order they were read and ends the document.
func inOrder(doc *document, order <-chan *slot, free chan<- *slot, end <-chan ending) (err error) {
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
	last := <-end
	if last.err != nil {
		return last.err
	}
	return doc.finish(last.footer)
}
