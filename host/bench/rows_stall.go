package main

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"agy-reader/plugins/launch"
	"agy-reader/sinks"
)

// quiet is how long nothing may be taken any more before the sender counts as stopped.
const quiet = 2 * time.Second

// stall sends steps to a plugin whose output nobody takes, and returns how much could be sent.
func stall(b *bench) (float64, string, error) {
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	plugin, err := launch.Start(ctx, launch.Command{Path: b.program("agy-reader"), Args: []string{"serve-sink", "markdown"}}, launch.Options{})
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = plugin.Close() }()
	reader := &slow{free: make(chan struct{})}
	session, err := plugin.Sink().Open(ctx, &sinks.Request{BaseName: "bench"}, reader)
	if err != nil {
		return 0, "", err
	}
	const size = 64 << 10
	const most = 256 << 20
	var sent atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		parts := conversation(size)
		if session.Event(parts.begin) != nil {
			return
		}
		for sent.Load() < most && session.Event(parts.step) == nil {
			sent.Add(size)
		}
	}()
	for last := int64(-1); last != sent.Load() && sent.Load() < most; {
		last = sent.Load()
		select {
		case <-time.After(quiet):
		case <-done:
		}
	}
	stopped := sent.Load()
	cancel()
	close(reader.free)
	<-done
	session.Abort()
	return float64(stopped) / (1 << 20), "Markdown sink, steps of 64 KB", nil
}

// slow is an Artifacts that takes nothing until it is freed.
type slow struct {
	free chan struct{}
}

func (s *slow) Create(string, string, uint32) (io.WriteCloser, error) { return s, nil }

func (s *slow) Write(p []byte) (int, error) {
	<-s.free
	return len(p), nil
}

func (s *slow) Close() error { return nil }
