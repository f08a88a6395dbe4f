package merge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// reader is one conversation put together, sources.Reader.
type reader struct {
	s      *shared
	inner  sources.Reader
	header *transcriptv1.Header
	// first is what the inner reader gave while it was tried.
	first    sources.Batch
	firstErr error
	queue    []sources.Batch

	// have and plan are known once decided is set.
	decided bool
	have    []sources.Mark
	plan    decision
	// last is the highest index of the main source, next the place in plan.fill that comes next.
	last int64
	next int

	// tailed: everything behind the last step was handed out. replaced: gaps are ours.
	tailed, replaced bool
	gaps             []*transcriptv1.Note
	notes            []*transcriptv1.Note
	filled           map[string]uint32
	ranges           []string
	rest             *rest
	ended            bool
}

// prepare compares the source with the logs when something speaks for it. It runs before the first Next.
func (r *reader) prepare(ctx context.Context) error {
	outliner, ok := r.inner.(sources.Outliner)
	if !ok || r.s.logless {
		return nil
	}
	last, whole, err := outliner.Extent(ctx)
	if err != nil {
		return err
	}
	r.last = last
	if whole && r.pruned() < 0 {
		end, found := mirror.Last(ctx, r.s.ref)
		if !found || int64(end) <= last {
			return nil
		}
	}
	if err := r.decide(ctx); err != nil {
		return err
	}
	if n := len(r.plan.fill); n > 0 && int64(r.plan.fill[n-1].Index) > r.last {
		end := r.plan.fill[n-1].Index
		if r.s.want.Strict {
			return fmt.Errorf("%w: it ends at step %d, the transcript logs at step %d", sources.ErrPartial, r.last, end)
		}
		r.header.AnnouncedSteps = uint32(min(int64(end)+1, math.MaxUint32))
	}
	return nil
}

// logEndsLater reports whether the logs seem to go on behind the last step.
func (r *reader) logEndsLater(ctx context.Context) bool {
	outliner, ok := r.inner.(sources.Outliner)
	if !ok || r.s.logless {
		return false
	}
	last, _, err := outliner.Extent(ctx)
	end, found := mirror.Last(ctx, r.s.ref)
	return err == nil && found && int64(end) > last
}

// decide compares the source with the logs.
func (r *reader) decide(ctx context.Context) error {
	r.decided = true
	outliner, ok := r.inner.(sources.Outliner)
	if !ok || r.s.logless {
		return nil
	}
	log := r.s.logs()
	if log == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.s.err != nil {
			r.notes = append(r.notes, &transcriptv1.Note{
				Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
				Text: fmt.Sprintf("the transcript logs cannot be read: %v", r.s.err),
			})
		}
		return nil
	}
	var err error
	if r.have, err = outliner.Outline(ctx); err != nil {
		return err
	}
	if n := len(r.have); n > 0 {
		r.last = int64(r.have[n-1].Index)
	}
	r.plan = decide(r.have, log.Marks(), log.Abandoned(), r.pruned())
	if len(r.plan.fill)+len(r.plan.other) > 0 {
		r.notes = append(r.notes, log.Notes()...)
	}
	return nil
}

// pruned is the index at which the conversation was rewound last, -1 when it was not.
func (r *reader) pruned() int64 {
	at := int64(-1)
	for _, ref := range r.header.GetReferences() {
		if ref.GetKind() == "PRUNE" {
			at = max(ref.GetStepIndex(), 0)
		}
	}
	return at
}

// Header implements sources.Reader.
func (r *reader) Header() *transcriptv1.Header { return r.header }

// Next implements sources.Reader.
func (r *reader) Next(ctx context.Context) (sources.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(r.queue) > 0 {
			b := r.queue[0]
			r.queue = r.queue[1:]
			return b, nil
		}
		if r.ended {
			return nil, io.EOF
		}
		if r.rest != nil {
			b, err := r.rest.next(ctx)
			if err != nil || b != nil {
				return b, err
			}
			r.ended = true
			continue
		}
		if err := r.read(ctx); err != nil {
			return nil, err
		}
	}
}

// read takes one batch of the inner reader and queues what comes of it.
func (r *reader) read(ctx context.Context) error {
	b, err := r.first, r.firstErr
	r.first, r.firstErr = nil, nil
	if b == nil && err == nil {
		b, err = r.inner.Next(ctx)
	}
	if errors.Is(err, io.EOF) {
		if !r.tailed {
			if err := r.fill(ctx, sources.Missing{First: uint32(min(r.last+1, math.MaxUint32)), Last: r.last, End: true}, false); err != nil {
				return err
			}
		}
		r.rest = newRest(r.s)
		return nil
	}
	if err != nil {
		return err
	}
	gap, ok := b.(sources.Gap)
	switch {
	case !ok:
		r.queue = append(r.queue, r.decorate(b))
		return nil
	case r.s.want.Strict && (!gap.Missing().End || gap.Missing().Cause != ""):
		r.queue = append(r.queue, b) // it refuses
		return nil
	}
	m := gap.Missing()
	b.Release()
	r.replaced = true
	return r.fill(ctx, m, true)
}

// decorate wraps a batch when there is anything that could belong to its steps.
func (r *reader) decorate(b sources.Batch) sources.Batch {
	s := r.s
	if s.folder == nil && len(s.cuts) == 0 && s.logless {
		return b
	}
	s.hold()
	return &decorated{Batch: b, s: s}
}

// Close implements sources.Reader.
func (r *reader) Close() (*transcriptv1.Footer, error) {
	if r.first != nil {
		r.first.Release()
	}
	for _, b := range r.queue {
		b.Release()
	}
	r.queue = nil
	if r.rest != nil {
		r.rest.stop()
	}
	footer, err := r.inner.Close()
	r.s.drop()
	if footer == nil || !r.ended {
		return nil, err
	}
	r.complete(footer)
	return footer, err
}
