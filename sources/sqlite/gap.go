package sqlite

import (
	"math"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

// gapBatch is a batch that stands for missing steps, sources.Gap.
type gapBatch struct {
	*trajectory.Batch
	missing sources.Missing
}

// Missing implements sources.Gap.
func (b *gapBatch) Missing() sources.Missing { return b.missing }

// gap notes missing indexes. A lone missing index 4 is how the product hides the step that made the title (case C13).
func (s *steps) gap(first, last int64) error {
	n := gapNote(first, last, s.cause)
	if first == 4 && last == 4 && s.cause == "" {
		n.Severity, n.Incomplete = transcriptv1.Severity_SEVERITY_INFO, false
	}
	if len(s.gaps) < maxGaps {
		s.gaps = append(s.gaps, n)
	}
	if !s.r.want.Gaps {
		s.addNote(n)
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.addNote(n)
	s.ended = last >= maxKey
	return s.flushGap(sources.Missing{First: uint32(first), Last: last, End: s.ended, Cause: s.cause})
}

// end says that the steps are over, to whoever wants to know.
func (s *steps) end() error {
	if !s.r.want.Gaps || s.ended {
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	first := uint32(min(s.expected, math.MaxUint32))
	return s.flushGap(sources.Missing{First: first, Last: int64(first) - 1, End: true})
}

// flushGap hands the current batch on as one that stands for a gap.
func (s *steps) flushGap(m sources.Missing) error {
	b := s.cur
	s.cur = trajectory.NewCopies(&s.r.reading)
	return s.send(&gapBatch{b, m})
}
