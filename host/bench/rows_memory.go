package main

import (
	"fmt"
	"strings"
)

var formats = []string{"markdown", "json", "html"}

// memoryRows: peak resident sets.
func memoryRows() []row {
	return []row{
		{id: "14a", what: "peak memory, steps up to 100 KB, worst format", unit: " MiB", limits: limits{goal: 64, floor: 128}, gate: true, measure: peak},
		{id: "14b", what: "memory for a byte of the largest step, worst format", limits: limits{goal: 3.5, floor: 6}, gate: true, measure: slope},
		{id: "15", what: "growth of peak memory over ten times the steps, worst format", unit: " MiB", limits: limits{goal: 10, floor: 32}, gate: true, measure: growth},
	}
}

// rss is the median peak of our program in MiB.
func (b *bench) rss(format string, set dataset) (float64, error) {
	path, err := b.data(set)
	if err != nil {
		return 0, err
	}
	return b.runs(b.convert(format, path), megabytes)
}

// worst measures every format, and returns the largest value and a note of all.
func worst(of func(format string) (float64, error)) (float64, string, error) {
	most, notes := 0.0, []string(nil)
	for _, format := range formats {
		value, err := of(format)
		if err != nil {
			return 0, "", err
		}
		most = max(most, value)
		notes = append(notes, fmt.Sprintf("%s %.3g", format, value))
	}
	return most, strings.Join(notes, ", "), nil
}

func peak(b *bench) (float64, string, error) {
	return worst(func(format string) (float64, error) {
		x, err := b.rss(format, b.sessions.heavy)
		if err != nil {
			return 0, err
		}
		y, err := b.rss(format, b.sessions.light)
		return max(x, y), err
	})
}

func slope(b *bench) (float64, string, error) {
	return worst(func(format string) (float64, error) {
		with, err := b.rss(format, b.sessions.giant)
		if err != nil {
			return 0, err
		}
		without, err := b.rss(format, b.sessions.noGiant)
		return (with - without) / (float64(b.sessions.giant.size) / (1 << 20)), err
	})
}

func growth(b *bench) (float64, string, error) {
	return worst(func(format string) (float64, error) {
		large, err := b.rss(format, b.sessions.light)
		if err != nil {
			return 0, err
		}
		small, err := b.rss(format, b.sessions.lightTenth)
		return large - small, err
	})
}
