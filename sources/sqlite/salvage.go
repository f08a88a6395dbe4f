package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
)

// damage is what salvage could not read.
type damage struct {
	// first and last are the keys that are lost or whose row is only partly read. last is maxKey when it is not known how
	// many rows followed.
	first, last int64
	// partial: the row exists and was handed out without some of its columns.
	partial bool
	cause   error
}

// maxKey is the highest key a step can have; minKey is where searching begins, so that impossible keys are seen as well.
const (
	maxKey = 1<<32 - 1
	minKey = math.MinInt64 + 1
)

// salvage reads t like read and goes on behind damaged pages. lost is called in order with everything that could not be
// read. reduced are the columns tried when a row cannot be read whole, the others being nil then. Errors that are not
// damage end it.
func (d *database) salvage(ctx context.Context, t table, have map[string]bool, reduced map[string]bool, fn rowFunc,
	lost func(damage) error,
) error {
	from := int64(minKey)
	for {
		last, err := d.read(ctx, t, have, from, fn)
		switch {
		case err == nil:
			return nil
		case !damaged(err):
			return err
		case last >= from:
			from = last + 1
			continue
		}
		if from, err = d.skip(ctx, t, reduced, from, err, fn, lost); err != nil || from > maxKey {
			return err
		}
	}
}

// skip gets past the damage at key from and returns where to go on; beyond maxKey when nothing follows.
func (d *database) skip(ctx context.Context, t table, reduced map[string]bool, from int64, cause error, fn rowFunc,
	lost func(damage) error,
) (int64, error) {
	key, found, err := d.next(ctx, t, from)
	switch {
	case err == nil && !found:
		return maxKey + 1, nil
	case err == nil:
		return key + 1, d.readPart(ctx, t, reduced, key, cause, fn, lost)
	case !damaged(err):
		return 0, err
	}
	to, err := d.findReadable(ctx, t, from)
	if err != nil {
		return 0, err
	}
	return to, lost(damage{first: max(from, 0), last: to - 1, cause: cause})
}

// readPart hands out what can be read of one row whose contents are damaged.
func (d *database) readPart(ctx context.Context, t table, reduced map[string]bool, key int64, cause error, fn rowFunc,
	lost func(damage) error,
) error {
	if err := lost(damage{first: key, last: key, partial: true, cause: cause}); err != nil {
		return err
	}
	query := "SELECT 1 FROM " + quoted(t.name) + " WHERE " + quoted(t.key) + " = ?2 AND " +
		rowFunction + "(?1, " + t.sqlColumns(reduced) + ")"
	err := d.run(ctx, query, &scan{fn: fn}, key)
	if damaged(err) {
		return fn(key, make([]driver.Value, len(t.columns)))
	}
	return err
}

// findReadable returns the lowest key behind from at which the tree can be entered again, or maxKey+1. A damaged page hides
// a range of keys; the end of that range is searched by doubling steps, then by halving them.
func (d *database) findReadable(ctx context.Context, t table, from int64) (int64, error) {
	bad, good := max(from, -1), int64(maxKey+1) // keys below zero are no steps: not worth a search
	for step := int64(1); bad+step <= maxKey; step *= 2 {
		_, _, err := d.next(ctx, t, bad+step)
		if err != nil && !damaged(err) {
			return 0, fmt.Errorf("search behind damage at %d: %w", from, err)
		}
		if err == nil {
			// Also when nothing lies behind: the damage may still end before.
			good = bad + step
			break
		}
		bad += step
	}
	if good > maxKey {
		return good, nil
	}
	for bad+1 < good {
		middle := bad + (good-bad)/2
		_, _, err := d.next(ctx, t, middle)
		switch {
		case err == nil:
			good = middle
		case damaged(err):
			bad = middle
		default:
			return 0, fmt.Errorf("search behind damage at %d: %w", from, err)
		}
	}
	return good, nil
}
