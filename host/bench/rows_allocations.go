package main

import (
	"fmt"
	"runtime"

	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/sources"
)

// allocationRows count what the router allocates for a step.
func allocationRows() []row {
	one := func(id, format string) row {
		return row{
			id: id, what: "allocations a step, " + format + ", heavy and light", limits: limits{goal: 8, floor: 40}, gate: true,
			measure: func(b *bench) (float64, string, error) { return allocations(b, format) },
		}
	}
	return []row{one("16a", "json"), one("16b", "markdown")}
}

func allocations(b *bench, format string) (float64, string, error) {
	worst, note := 0.0, ""
	for _, set := range []dataset{b.sessions.heavy, b.sessions.light} {
		path, err := b.data(set)
		if err != nil {
			return 0, "", err
		}
		var perStep, bytes float64
		for range 2 { // the first run compiles tables
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			result, err := b.convertHere(format, path)
			if err != nil {
				return 0, "", err
			}
			runtime.ReadMemStats(&after)
			perStep = float64(after.Mallocs-before.Mallocs) / float64(result.Steps)
			bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(result.Steps)
		}
		worst = max(worst, perStep)
		note += fmt.Sprintf("%s %.1f (%.0f bytes)  ", set.kind, perStep, bytes)
	}
	return worst, note, nil
}

// convertHere runs the router in this process and discards what it writes.
func (b *bench) convertHere(format, path string) (*convert.Result, error) {
	backends, err := builtin.Registry()
	if err != nil {
		return nil, err
	}
	source, err := backends.Source("sqlite")
	if err != nil {
		return nil, err
	}
	sink, err := backends.Sink(format)
	if err != nil {
		return nil, err
	}
	return convert.Run(b.ctx, convert.Job{
		Source: source, Ref: sources.Ref{Path: path}, Targets: []convert.Target{{Sink: sink}}, Out: &discard{},
	})
}
