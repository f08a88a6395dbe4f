package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// stored is one stored step or record, as decoded.
type stored struct {
	// list is the member of the trajectory it belongs to, for example "steps".
	list  string
	index int
	// native is the stored form, display its display projection: the same bytes where nothing is projected.
	native, display []byte
}

// read reads a session strictly, without records unless they are wanted. It calls each in workers, with memory that is valid during the call only; what each
// returns comes back in order.
func read[T any](ctx context.Context, source sources.Source, session store.Session, records bool, each func(*stored) (T, error)) (*transcriptv1.Header, []T, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reader, err := source.Open(ctx, session.Ref(), sources.Want{Native: true, Display: true, Records: records, Strict: true})
	if err != nil {
		return nil, nil, err
	}
	header := reader.Header()
	var parts []*[]T
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for {
		batch, failed := reader.Next(ctx)
		if failed != nil {
			if !errors.Is(failed, io.EOF) {
				err = failed
			}
			break
		}
		part := new([]T)
		parts = append(parts, part)
		workers.Go(func() error {
			defer batch.Release()
			return decode(batch, func(s *stored) error {
				one, err := each(s)
				*part = append(*part, one)
				return err
			})
		})
	}
	// What a worker found is why the reading ended.
	if failed := workers.Wait(); failed != nil {
		err = failed
	}
	footer, closed := reader.Close()
	switch {
	case err != nil:
		return nil, nil, err
	case closed != nil:
		return nil, nil, closed
	case len(footer.GetGaps()) > 0:
		return nil, nil, fmt.Errorf("%w: %s", sources.ErrPartial, footer.GetGaps()[0].GetText())
	}
	var all []T
	for _, part := range parts {
		all = append(all, *part...)
	}
	return header, all, nil
}

// decode yields the steps and records of a batch, without the trajectories inside steps, which are part of them.
func decode(batch sources.Batch, yield func(*stored) error) error {
	depth := 0
	return batch.Decode(func(ev *transcriptv1.Event) error {
		switch body := ev.Body.(type) {
		case *transcriptv1.Event_Begin:
			depth++
		case *transcriptv1.Event_End:
			depth--
		case *transcriptv1.Event_Step:
			if st := body.Step; depth == 0 {
				return yield(&stored{list: listSteps, index: int(st.GetIndex()), native: st.GetNativeJson(), display: st.GetDisplayJson()})
			}
		case *transcriptv1.Event_Record:
			r := body.Record
			return yield(&stored{list: r.GetSection(), index: int(r.GetIndex()), native: r.GetJson(), display: r.GetJson()})
		}
		return nil
	})
}
