package main

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"none", nil, 0},
		{"one", []float64{3}, 3},
		{"odd", []float64{9, 1, 5}, 5},
		{"even", []float64{4, 1, 3, 100}, 3.5},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			given := append([]float64(nil), test.values...)
			if got := median(test.values); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if diff := cmp.Diff(given, test.values); diff != "" {
				t.Errorf("the values moved:\n%s", diff)
			}
		})
	}
}

// A machine that gets twice as slow between two pairs must not change the ratio, which the ratio of medians would.
func TestRatioIsTakenPairByPair(t *testing.T) {
	t.Parallel()
	var pairs []pair
	for _, slow := range []time.Duration{1, 2, 8} {
		pairs = append(pairs, pair{ours: taken{Wall: 3 * slow, CPU: slow}, theirs: taken{Wall: 2 * slow, CPU: 4 * slow}})
	}
	pairs[2].ours.Wall *= 50 // one disturbed run
	if got := ratio(pairs, wall); math.Abs(got-1.5) > 1e-9 {
		t.Errorf("wall ratio %v, want 1.5", got)
	}
	if got := ratio(pairs, cpu); math.Abs(got-0.25) > 1e-9 {
		t.Errorf("cpu ratio %v, want 0.25", got)
	}
	if got := ours(pairs, cpu) * 1e9; math.Abs(got-2) > 1e-6 {
		t.Errorf("our median %v, want 2", got)
	}
	if got := theirs(pairs, wall) * 1e9; math.Abs(got-4) > 1e-6 {
		t.Errorf("their median %v, want 4", got)
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		goal, floor float64
		atLeast     bool
		value       float64
		want        verdict
	}{
		{"on the goal", 2, 3, false, 2, reached},
		{"between", 2, 3, false, 2.01, short},
		{"on the floor", 2, 3, false, 3, short},
		{"beyond", 2, 3, false, 3.01, failed},
		{"more is better, goal", 25, 10, true, 30, reached},
		{"more is better, between", 25, 10, true, 12, short},
		{"more is better, beyond", 25, 10, true, 9.9, failed},
		{"not a number", 2, 3, false, math.NaN(), failed},
		{"not a number, more is better", 25, 10, true, math.NaN(), failed},
		{"nothing measured", 2, 3, false, math.Inf(1), failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := limits{goal: test.goal, floor: test.floor, atLeast: test.atLeast}
			if got := l.judge(test.value); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
