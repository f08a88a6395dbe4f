package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// taken is what testdata/measure says of one run.
type taken struct {
	Wall, CPU time.Duration
	RSS       int64
	Exit      int
	Stderr    string
}

// command is a program to run as a whole process.
type command struct {
	path string
	args []string
	// env is added to the environment, as NAME=VALUE.
	env []string
	// discard throws standard output away.
	discard bool
	// partial: a document that says it is incomplete is what is wanted (exit code 4).
	partial bool
}

func (c command) String() string {
	return strings.Join(slices.Concat(c.env, []string{c.path}, c.args), " ")
}

// with is c with one more environment variable.
func (c command) with(variable string) command {
	c.env = append(slices.Clone(c.env), variable)
	return c
}

// take runs c once. A program that fails is an error: it did not do its work.
func (b *bench) take(c command) (taken, error) {
	out := filepath.Join(b.scratch, "out")
	if b.devnull || c.discard {
		out = os.DevNull
	}
	cmd := exec.CommandContext(b.ctx, b.program("measure"), slices.Concat([]string{out, c.path}, c.args)...)
	cmd.Env = append(append(os.Environ(), "TMPDIR="+b.scratch), c.env...)
	cmd.Dir = b.root
	said, err := cmd.Output()
	if err != nil {
		return taken{}, fmt.Errorf("measure %s: %w", c, err)
	}
	var t taken
	if err := json.Unmarshal(said, &t); err != nil {
		return taken{}, fmt.Errorf("measure %s: %w", c, err)
	}
	if t.Exit != 0 && (!c.partial || t.Exit != 4) {
		return taken{}, fmt.Errorf("%s: exit code %d: %s", c, t.Exit, strings.TrimSpace(t.Stderr))
	}
	return t, nil
}

// pairs runs two programs in turn, once to warm up and then `rounds` times. Rows that compare the same two programs share
// their runs.
func (b *bench) pairs(ours, theirs command) ([]pair, error) {
	return b.pairsOf(ours, theirs, b.rounds)
}

func (b *bench) pairsOf(ours, theirs command, rounds int) ([]pair, error) {
	key := fmt.Sprint(ours, "\x00", theirs, theirs.discard)
	if known := b.known[key]; len(known) >= rounds {
		return known, nil
	}
	var all []pair
	for i := range rounds + 1 {
		x, err := b.take(ours)
		if err != nil {
			return nil, err
		}
		y, err := b.take(theirs)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			all = append(all, pair{x, y})
		}
	}
	b.known[key] = all
	return all, nil
}

// runs takes one program three times and returns the median. Rows about the same program share its runs.
func (b *bench) runs(c command, of func(taken) float64) (float64, error) {
	key := c.String()
	all := b.alone[key]
	for len(all) < 3 {
		t, err := b.take(c)
		if err != nil {
			return 0, err
		}
		all = append(all, t)
	}
	b.alone[key] = all
	values := make([]float64, len(all))
	for i, t := range all {
		values[i] = of(t)
	}
	return median(values), nil
}
