// Package watch keeps the sidecars of any number of stores true: a loop that looks at every session, and asks the store's
// daemon about those whose sidecar is not proved to hold what the session's file holds.
//
// Every root has a loop of its own with its own daemon, so that a closed IDE disturbs nobody. All loops tick together; a
// tick ends before the next one begins. A session whose files did not change since it was last verified is not read again
// (package reuse); one that cannot be verified because of its own file is held, and said so once.
package watch

import (
	"context"
	"sync"
	"time"

	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// Finder finds the daemons of a root. host/endpoint implements it.
type Finder interface {
	Find(ctx context.Context, root store.Root) (daemon.Endpoint, error)
	Others(ctx context.Context, root store.Root, not ...daemon.Endpoint) ([]daemon.Endpoint, error)
}

// Options say what to watch and how.
type Options struct {
	Roots    []store.Root
	Finder   Finder
	Verifier *verify.Verifier
	// Interval is the time between the beginnings of two ticks; IdleTimeout how long all daemons must have been unreachable
	// before the watch ends by itself, 0 for never.
	Interval, IdleTimeout time.Duration
	// CacheDir is the user's cache folder; empty remembers nothing beyond this process.
	CacheDir string
	// Line takes one line for people, without its end. It is called from one goroutine at a time.
	Line func(text string)
}

// Run watches until ctx ends, or until every root was idle for long enough. What is being written when ctx ends is written
// to its end first. Nothing that a daemon or a session does is an error.
func Run(ctx context.Context, o Options) {
	loops := newLoops(o)
	for _, l := range loops {
		l.begin(ctx)
	}
	ticker := time.NewTicker(o.Interval)
	defer ticker.Stop()
	for {
		together(loops, func(l *loop) { l.tick(ctx) })
		if ctx.Err() != nil || o.IdleTimeout > 0 && allIdle(loops, o.IdleTimeout) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// together runs what a tick does for every root at once: a daemon that does not answer keeps no other root waiting longer
// than the tick.
func together(loops []*loop, do func(*loop)) {
	var all sync.WaitGroup
	for _, l := range loops {
		all.Go(func() { do(l) })
	}
	all.Wait()
}

func allIdle(loops []*loop, timeout time.Duration) bool {
	idle := true
	for _, l := range loops {
		idle = l.idle(timeout) && idle // each says it for itself
	}
	return idle
}
