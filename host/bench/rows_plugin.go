package main

import (
	"fmt"
	"strings"
	"time"

	"agy-reader/host/builtin"
	"agy-reader/plugins/launch"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

const (
	// stepBytes is the text of a step whose transport is measured, carried how many there are.
	stepBytes = 2 << 10
	carried   = 20_000
)

// pluginRows: what it costs to have a sink in a process of its own. The targets have no floor; twice the goal is taken.
//
// P3a is measured where the target was: a sink that is busy with Markdown in every step. P3b cannot reach its goal beside
// our own JSON: 176 MB go to the process and come back, and the 400 MB/s of the fastest such transport that was measured
// (a step of 32 KB, AutoMTLS, nothing else done) make that twice as long as the whole conversion in one process.
func pluginRows() []row {
	both := func(set func(sessions) dataset, format string) func(b *bench) ([]pair, error) {
		return against(set, func(b *bench, path string) command { return b.convert("plugin:"+b.program("plugin-"+format), path) },
			func(b *bench, path string) (command, error) { return b.convert(format, path), nil })
	}
	return []row{
		{id: "P2a", what: "transport of a 2 KB step to a process and back, wall", unit: " µs", limits: limits{goal: 12, floor: 24}, measure: transportCost},
		{id: "P2b", what: "transport, rate", unit: " MB/s", limits: limits{goal: 200, floor: 100, atLeast: true}, measure: transportRate},
		{id: "P3a", what: "HTML of messages, wall in a process ÷ in our own", limits: limits{goal: 1.25, floor: 2.5}, measure: compare(both(messages, "html"), wall)},
		{id: "P3b", what: "JSON, wall in a process ÷ in our own", limits: limits{goal: 2, floor: 4}, measure: compare(both(heavy, "json"), wall)},
		{id: "P3c", what: "Markdown, wall in a process ÷ in our own", limits: limits{goal: 3, floor: 6}, measure: compare(both(heavy, "markdown"), wall)},
		{id: "P3d", what: "HTML of code, wall in a process ÷ in our own", limits: limits{goal: 2, floor: 4}, measure: compare(both(heavy, "html"), wall)},
		{id: "P5a", what: "growth of peak memory, host or plugin, over ten times the stream", unit: " MiB", limits: limits{goal: 64, floor: 128}, gate: true, measure: pluginGrowth},
		{id: "P5b", what: "sent to a plugin that waits for its reader", unit: " MiB", limits: limits{goal: 16, floor: 32}, gate: true, measure: stall},
	}
}

func pluginGrowth(b *bench) (float64, string, error) {
	return worst(func(format string) (float64, error) {
		plugin := "plugin:" + b.program("plugin-"+format)
		large, err := b.rss(plugin, b.sessions.light)
		if err != nil {
			return 0, err
		}
		small, err := b.rss(plugin, b.sessions.lightTenth)
		return large - small, err
	})
}

func transportCost(b *bench) (float64, string, error) {
	process, direct, err := transport(b)
	return (process - direct).Seconds() * 1e6 / carried,
		fmt.Sprintf("Markdown sink, AutoMTLS; %.2f µs a step in a process, %.2f in our own", process.Seconds()*1e6/carried, direct.Seconds()*1e6/carried), err
}

func transportRate(b *bench) (float64, string, error) {
	process, direct, err := transport(b)
	return carried * stepBytes / 1e6 / (process - direct).Seconds(), "text of the steps", err
}

// transport returns how long the Markdown sink takes for the same steps in a process of its own and in ours, as medians.
func transport(b *bench) (process, direct time.Duration, err error) {
	backends, err := builtin.Registry()
	if err != nil {
		return 0, 0, err
	}
	here, err := backends.Sink("markdown")
	if err != nil {
		return 0, 0, err
	}
	plugin, err := launch.Start(b.ctx, launch.Command{Path: b.program("agy-reader"), Args: []string{"serve-sink", "markdown"}}, launch.Options{})
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = plugin.Close() }()
	var there, at []float64
	for i := range b.rounds + 1 {
		x, err := b.carry(plugin.Sink())
		if err != nil {
			return 0, 0, err
		}
		y, err := b.carry(here)
		if err != nil {
			return 0, 0, err
		}
		if i > 0 {
			there, at = append(there, x.Seconds()), append(at, y.Seconds())
		}
	}
	return time.Duration(median(there) * 1e9), time.Duration(median(at) * 1e9), nil
}

// carry gives a sink one conversation of equal steps.
func (b *bench) carry(sink sinks.Sink) (time.Duration, error) {
	out := &discard{}
	start := time.Now()
	session, err := sink.Open(b.ctx, &sinks.Request{BaseName: "bench"}, out)
	if err != nil {
		return 0, err
	}
	events := conversation(stepBytes)
	for i := range carried + 2 {
		ev := events.step
		switch i {
		case 0:
			ev = events.begin
		case carried + 1:
			ev = events.end
		}
		if err := session.Event(ev); err != nil {
			session.Abort()
			return 0, err
		}
	}
	if err := session.Close(); err != nil {
		return 0, err
	}
	if out.bytes < carried*stepBytes {
		return 0, fmt.Errorf("%d bytes came of %d", out.bytes, carried*stepBytes)
	}
	return time.Since(start), nil
}

// events are what a conversation of equal steps is made of.
type events struct{ begin, step, end *transcriptv1.Event }

// conversation makes steps with size bytes of code.
func conversation(size int) events {
	text := strings.Repeat("\tif err != nil { return 0, err }\n", size/33+1)[:size]
	return events{
		begin: &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{ConversationId: "bench"}}},
		step: &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: &transcriptv1.Step{
			Index: 1, Anchor: "step-1", Kind: "RUN_COMMAND", Role: transcriptv1.Role_ROLE_TOOL,
			Blocks: []*transcriptv1.Block{{Kind: "code", Text: text, Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{}}}},
		}}},
		end: &transcriptv1.Event{Body: &transcriptv1.Event_End{End: &transcriptv1.Footer{Steps: 1}}},
	}
}
