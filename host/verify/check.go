package verify

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// Forms of answers, as errors name them.
const (
	formFull     = "full"
	formOrdinary = "ordinary"
)

// check is one comparison under way.
type check struct {
	*Snapshot
	form string
	// suspects are elements whose digests differ, by the element of the source.
	suspects map[element][]suspect
	// counts are lists of another length than stored. What they have is looked at first.
	counts  []*MismatchError
	covered coverage
}

// element names an element of a list.
type element struct {
	list  string
	index int
}

// suspect is an answered element: JSON in JSON, or already transcoded when wire is set.
type suspect struct {
	form string
	raw  []byte
	wire bool
}

func newCheck(s *Snapshot) *check { return &check{Snapshot: s, suspects: map[element][]suspect{}} }

// Check compares both answers. An error is ErrStale (a *MismatchError, or the source changed) or ErrAnswer. The answers are not
// kept and not changed.
func (s *Snapshot) Check(ctx context.Context, full daemon.Full, ordinary json.RawMessage) (*Evidence, error) {
	c := newCheck(s)
	e := &Evidence{
		FormatVersion: FormatVersion, Profile: s.Profile(), ProfileDigest: s.shape.digest, Storage: s.storage,
		SourceDigest: s.digest, Steps: s.Steps(), ModelCalls: len(s.lists[listCalls]), ExecutorRuns: len(s.lists[listExecutors]),
		FullForm: "protobuf",
	}
	c.form = formFull
	var err error
	if full.Proto != nil {
		err = c.protobuf(full.Proto)
	} else {
		e.FullForm = "json"
		_, err = c.json(full.JSON)
	}
	if err != nil {
		return nil, err
	}
	if e.PayloadDigest, err = c.ordinary(ordinary); err != nil {
		return nil, err
	}
	if err := c.finish(ctx); err != nil {
		return nil, err
	}
	e.NotCovered = c.covered.list()
	return e, nil
}

// ordinary compares the ordinary answer and returns its digest.
func (c *check) ordinary(answer json.RawMessage) (string, error) {
	c.form = formOrdinary
	return c.json(answer)
}

// finish names the first difference of all that was compared.
func (c *check) finish(ctx context.Context) error {
	if err := c.explainAll(ctx); err != nil {
		return err
	}
	if len(c.counts) > 0 {
		return c.counts[0]
	}
	return nil
}

// json compares an answer in JSON with the snapshot and returns its digest.
func (c *check) json(raw []byte) (string, error) {
	members, err := cutAnswer(raw)
	if err != nil {
		return "", fmt.Errorf("%s answer: %w", c.form, err)
	}
	digest, err := payloadDigest(members, func(list string, index int, raw []byte, sum [sha256.Size]byte) error {
		c.element(list, index, sum, suspect{form: c.form, raw: raw})
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("%s answer: %w", c.form, err)
	}
	own := []byte{'{'}
	lengths := map[string]int{}
	for _, m := range members {
		if m.isList {
			lengths[m.name] = len(m.items)
			continue
		}
		if slices.Contains(listNames, m.name) && string(m.value) == "null" {
			continue
		}
		if len(own) > 1 {
			own = append(own, ',')
		}
		own = append(append(append(own, m.quoted...), ':'), m.value...)
	}
	c.lengths(lengths)
	return digest, c.own(append(own, '}'))
}

// element compares one answered element. Only what differs is kept.
func (c *check) element(list string, index int, sum [sha256.Size]byte, raw suspect) {
	known := c.lists[list]
	if index >= len(known) {
		return // its count tells
	}
	want := known[index].native
	if c.form == formOrdinary {
		want = known[index].display
	}
	if sum != want {
		at := element{list, index}
		c.suspects[at] = append(c.suspects[at], raw)
	}
}

// lengths compares how long the lists are.
func (c *check) lengths(answered map[string]int) {
	for _, list := range listNames {
		have, want := answered[list], len(c.lists[list])
		if have == want {
			continue
		}
		if have < want && c.form == formOrdinary && c.shape.rules[list] == ruleHeld {
			c.covered.add(list)
			continue
		}
		m := &MismatchError{Form: c.form, Step: -1, Path: list, Stored: sources.Amount(want, "element"), Answered: sources.Amount(have, "element")}
		if list == listSteps {
			m.Step, m.Path, m.Stored, m.Answered = min(have, want), "", sources.Amount(want, "step"), sources.Amount(have, "step")
		}
		c.counts = append(c.counts, m)
	}
}

// own compares the trajectory's own members, given as an object of them in JSON.
func (c *check) own(answered []byte) error {
	return c.shape.explain(question{form: c.form, message: c.shape.message, step: -1, stored: c.members, answered: answered}, &c.covered)
}
