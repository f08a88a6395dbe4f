// Package watch keeps the sidecars of any number of stores true: a loop that looks at every session, and asks the store's
// daemon about those whose sidecar is not proved to hold what the session's file holds.
//
// Every root has a loop of its own with its own daemon and its own ticks, so that a closed IDE or a daemon that hangs
// disturbs nobody else. A session whose files did not change since it was last verified is not read again (package reuse);
// one that cannot be verified because of its own file is held, and said so once.
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

// Grace is how long a session under way may take when the watch is told to end. What is written is written whole in any case.
const Grace = 15 * time.Second

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
	// Line takes one line for people, without its end. It is called by one goroutine at a time.
	Line func(text string)
}

// Run watches until ctx ends, or until every root was idle for long enough. The session that is under way when ctx ends is
// brought to its end first, for Grace at most. Nothing that a daemon or a session does is an error.
func Run(ctx context.Context, o Options) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	work, stop := afterwards(ctx)
	defer stop()
	loops := newLoops(o)
	idle := idleness{loops: len(loops), end: end, is: map[*loop]bool{}}
	for _, l := range loops {
		l.begin(ctx)
	}
	var running sync.WaitGroup
	for _, l := range loops {
		running.Go(func() { l.run(ctx, work, idle.set) })
	}
	running.Wait()
}

// afterwards returns a context that ends Grace after ctx.
func afterwards(ctx context.Context) (work context.Context, stop func()) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		select {
		case <-work.Done():
		case <-time.After(Grace):
			cancel()
		}
	})
	return work, cancel
}

// idleness ends the watch when all loops are idle at once.
type idleness struct {
	mu    sync.Mutex
	loops int
	is    map[*loop]bool
	end   func()
}

func (i *idleness) set(l *loop, idle bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !idle {
		delete(i.is, l)
		return
	}
	if i.is[l] = true; len(i.is) == i.loops {
		i.end()
	}
}
