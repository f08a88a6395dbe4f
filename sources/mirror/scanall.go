package mirror

import (
	"context"
	"errors"
	"fmt"

	"agy-reader/sources"
)

// scanAll indexes every log. A log that changes meanwhile is sources.ErrBusy.
func (l *Log) scanAll(ctx context.Context) error {
	for i, f := range l.files {
		if f.head == nil {
			if err := f.sample(); err != nil {
				return l.readError(f, err)
			}
		}
		var err error
		if f.overview {
			err = l.scanOverview(ctx, i)
		} else {
			err = l.scan(ctx, i)
		}
		if err == nil {
			err = f.unchanged()
		}
		if err == nil {
			err = f.replaced()
		}
		if err != nil {
			return l.readError(f, err)
		}
	}
	return nil
}

func (l *Log) readError(f *file, err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errChanged):
		return fmt.Errorf("%s: %w: %w", f.name, sources.ErrBusy, err)
	case errors.Is(err, sources.ErrUnreadable):
		return err
	default:
		return fmt.Errorf("%s: %w: %s", f.name, sources.ErrUnreadable, reason(err))
	}
}
