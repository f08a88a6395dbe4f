package verify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// maxApart bounds what is taken apart to name a difference, beside four times what is stored, in bytes of JSON. Text of empty
// values takes ten times its size then.
const maxApart = 64 << 20

// question asks how an answered value differs from a stored one.
type question struct {
	form    string
	message string
	// step is the index of the step, -1 for anything else. below is where the value lies in the trajectory.
	step  int
	below string
	// stored is JSON by the profile; answered is JSON as the daemon writes it, or rebuilt is JSON by the profile already.
	stored, answered, rebuilt []byte
	// held: what the answer leaves out is no difference.
	held bool
}

// where names the place for people.
func (q *question) where() string {
	if q.below == "" {
		return "the trajectory"
	}
	return q.below
}

// result is what came out for one element.
type result struct {
	suspects int
	err      error
	covered  coverage
}

// explainAll reads the source again, where there are suspects, and looks at them. It returns the first difference in the
// order of the source.
func (c *check) explainAll(ctx context.Context) error {
	expected, records := 0, false
	for at, s := range c.suspects {
		expected += len(s)
		records = records || at.list != listSteps
	}
	if expected == 0 {
		return nil
	}
	var first atomic.Uint64 // where the first difference so far is; nothing behind it needs a look
	first.Store(math.MaxUint64)
	_, results, err := read(ctx, c.source, c.session, records, func(st *stored) (r result, err error) {
		place := c.placeOf(st.list, st.index)
		suspects := c.suspects[element{st.list, place}]
		rank := uint64(slices.Index(listNames, st.list))<<32 + uint64(st.index)
		if len(suspects) == 0 || rank > first.Load() {
			return r, nil
		}
		now, err := measure(st)
		if err != nil {
			return r, err
		}
		r.suspects = len(suspects)
		if now.unit != c.lists[st.list][place] {
			r.err = ErrChanged
		}
		st.index = place
		for i := 0; i < len(suspects) && r.err == nil; i++ {
			r.err = c.look(st, suspects[i], &r.covered)
		}
		for known := first.Load(); r.err != nil && rank < known && !first.CompareAndSwap(known, rank); {
			known = first.Load()
		}
		return r, nil
	})
	if err != nil {
		return sourceError(ctx, err)
	}
	looked := 0
	for _, r := range results {
		if r.err != nil {
			return r.err
		}
		looked += r.suspects
		c.covered.merge(&r.covered)
	}
	if looked != expected {
		return ErrChanged
	}
	return nil
}

// look compares one suspect with what is stored.
func (c *check) look(st *stored, s suspect, covered *coverage) error {
	q := question{
		form: s.form, message: c.shape.element[st.list], step: -1,
		below: fmt.Sprintf("%s[%d]", st.list, st.index), stored: st.native, answered: s.raw,
	}
	if st.list == listSteps {
		q.step = st.index
	}
	if s.form == formOrdinary {
		q.stored, q.held = st.display, c.shape.rules[st.list] == ruleHeld
	}
	if s.wire {
		var err error
		if q.rebuilt, err = c.transcode(nil, q.message, st.list, st.index, s.raw); err != nil {
			return err
		}
	}
	return c.shape.explain(q, covered)
}

// explain returns nil when the answered value says what is stored, as far as can be told; what cannot be told is noted.
func (s *shape) explain(q question, covered *coverage) error {
	if len(q.answered) > maxApart+4*len(q.stored) {
		return fmt.Errorf("%s answer: %w", q.form, answerf("%s: too large to be compared: %d bytes, stored are %d", q.where(), len(q.answered), len(q.stored)))
	}
	d := difference{shape: s, q: q, covered: covered, skip: map[string]bool{}}
	stored, err := tree(q.stored)
	if err != nil {
		return fmt.Errorf("%w: stored %s: %w", ErrSource, q.below, err)
	}
	if q.rebuilt == nil {
		if q.rebuilt, err = d.rebuild(stored); err != nil {
			return fmt.Errorf("%s answer: %w", q.form, err)
		}
	}
	answered, err := tree(q.rebuilt)
	if err != nil {
		return fmt.Errorf("%s answer: %w", q.form, answerf("%s: %w", q.below, err))
	}
	return d.compare("", stored, answered, q.held)
}
