package main

import (
	"errors"
	"fmt"
	"strconv"
)

// limits are what a measured value is held against.
type limits struct {
	goal, floor float64
	// atLeast: more is better.
	atLeast bool
}

type verdict string

const (
	reached verdict = "goal"
	short   verdict = "floor"
	failed  verdict = "FAIL"
	skipped verdict = "skipped"
)

// judge compares a value with the limits. What is not a number fails.
func (l limits) judge(value float64) verdict {
	within := func(limit float64) bool {
		if l.atLeast {
			return value >= limit
		}
		return value <= limit
	}
	switch {
	case within(l.goal):
		return reached
	case within(l.floor):
		return short
	default:
		return failed
	}
}

func (l limits) print(limit float64, unit string) string {
	sign := "≤ "
	if l.atLeast {
		sign = "≥ "
	}
	return sign + strconv.FormatFloat(limit, 'g', 4, 64) + unit
}

// row is one line of the table.
type row struct {
	// id is the number of the target.
	id   string
	what string
	unit string
	limits
	// tools are programs that must be installed.
	tools []string
	// gate: the row belongs to the short run.
	gate bool
	// measure returns the value and a note that says what it is made of.
	measure func(b *bench) (value float64, note string, err error)
}

// result is a row with what came of it.
type result struct {
	row
	value   float64
	verdict verdict
	note    string
}

// errSkip: the row says nothing on this machine; wrapped with the reason.
var errSkip = errors.New("skipped")

// run measures the row. Whatever goes wrong is a failed row, not an end of the run.
func (r row) run(b *bench) result {
	if missing := missingTools(r.tools); missing != "" {
		return result{row: r, verdict: failed, note: "not installed: " + missing}
	}
	value, note, err := r.measure(b)
	switch {
	case errors.Is(err, errSkip):
		return result{row: r, verdict: skipped, note: err.Error()}
	case err != nil:
		return result{row: r, verdict: failed, note: err.Error()}
	}
	return result{row: r, value: value, verdict: r.judge(value), note: note}
}

// line is the result as columns.
func (r result) line() []string {
	value := "–"
	if r.verdict != skipped && r.value != 0 {
		value = strconv.FormatFloat(r.value, 'f', 2, 64) + r.unit
	}
	return []string{r.id, r.what, value, r.print(r.goal, r.unit), r.print(r.floor, r.unit), string(r.verdict), r.note}
}

// versus describes two sides of a ratio.
func versus(ours, theirs float64, unit string) string {
	return fmt.Sprintf("%.3g %s against %.3g %s", ours, unit, theirs, unit)
}
