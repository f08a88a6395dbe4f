package merge

import (
	"context"
	"errors"
	"fmt"

	"agy-reader/sources"
)

var (
	_ sources.Source = (*Source)(nil)
	_ sources.Peeker = (*Source)(nil)
)

// Peek implements sources.Peeker by the best place that can be read.
func (s *Source) Peek(ctx context.Context, ref sources.Ref) (sources.Summary, error) {
	places, err := s.places(ref)
	if err != nil {
		return sources.Summary{}, err
	}
	var first error
	for _, at := range places {
		peeker, ok := at.source.(sources.Peeker)
		if !ok {
			continue
		}
		summary, err := peeker.Peek(ctx, at.ref)
		if err == nil {
			return summary, nil
		}
		if !errors.Is(err, sources.ErrUnreadable) && !errors.Is(err, sources.ErrNotFound) || ctx.Err() != nil {
			return sources.Summary{}, errors.Join(first, err)
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = fmt.Errorf("%w: nothing that could be asked", sources.ErrUnsupported)
	}
	return sources.Summary{}, first
}
