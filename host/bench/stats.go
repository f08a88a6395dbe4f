package main

import "slices"

// median returns the middle of the values, or the mean of the two in the middle; 0 when there are none. The values stay in
// their order.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// pair is one run of each of two programs, one right after the other.
type pair struct{ ours, theirs taken }

// ratio returns the median of the pairs' own ratios, ours to theirs. Load that comes and goes hits both of a pair.
func ratio(pairs []pair, of func(taken) float64) float64 {
	ratios := make([]float64, len(pairs))
	for i, p := range pairs {
		ratios[i] = of(p.ours) / of(p.theirs)
	}
	return median(ratios)
}

func wall(t taken) float64 { return t.Wall.Seconds() }
func cpu(t taken) float64  { return t.CPU.Seconds() }

// megabytes is the peak memory in MiB.
func megabytes(t taken) float64 { return float64(t.RSS) / (1 << 20) }

// ours returns the median of one measure of our runs, theirs that of the others.
func ours(pairs []pair, of func(taken) float64) float64 {
	return side(pairs, func(p pair) taken { return p.ours }, of)
}

func theirs(pairs []pair, of func(taken) float64) float64 {
	return side(pairs, func(p pair) taken { return p.theirs }, of)
}

func side(pairs []pair, which func(pair) taken, of func(taken) float64) float64 {
	values := make([]float64, len(pairs))
	for i, p := range pairs {
		values[i] = of(which(p))
	}
	return median(values)
}
