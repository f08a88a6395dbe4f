package watch

import (
	"context"
	"time"

	"agy-reader/host/store"
	"agy-reader/host/sync/reuse"
	"agy-reader/host/verify"
)

// loop is the watch of one root. It is used by one goroutine at a time.
type loop struct {
	link
	root     store.Root
	finder   Finder
	interval time.Duration
	timeout  time.Duration
	verifier *verify.Verifier
	say      func(format string, args ...any)

	// verified are sessions whose sidecar was proved. held are those whose own file keeps them from being verified, by path,
	// and unread remembers, in memory only, which of them need not be read again.
	verified, unread *reuse.Cache
	held             map[string]hold
	// open are sessions known to need the daemon in the state they were last seen in.
	open     map[string]reuse.State
	families families
	// cacheSaid: that the cache cannot be kept was said.
	cacheSaid bool
}

func newLoops(o Options) []*loop {
	out := &lines{out: o.Line}
	dir := o.CacheDir
	profiles, err := verify.Fingerprint()
	if err != nil {
		dir = "" // nothing can be kept that cannot be named
	}
	loops := make([]*loop, len(o.Roots))
	for i, root := range o.Roots {
		say := out.labelled(label(o.Roots, i))
		loops[i] = &loop{
			link: link{say: say},
			root: root, finder: o.Finder, interval: o.Interval, timeout: o.IdleTimeout, verifier: o.Verifier, say: say,
			verified: reuse.Open(dir, root.Path, profiles),
			unread:   reuse.Open("", root.Path, ""),
			held:     map[string]hold{},
			open:     map[string]reuse.State{},
			families: newFamilies(),
		}
	}
	return loops
}

// run ticks until ctx ends. work is for what must not be cut off. idle is told whether the loop is idle.
func (l *loop) run(ctx, work context.Context, idle func(*loop, bool)) {
	ticker := time.NewTicker(l.interval)
	defer ticker.Stop()
	for first := true; ; first = false {
		if !first {
			l.present(ctx)
		}
		if l.found() {
			idle(l, false)
		}
		if ctx.Err() == nil { // the search was not cut off either
			l.tick(ctx, work)
			idle(l, l.idle())
		}
		select {
		case <-ctx.Done():
			l.save(true)
			return
		case <-ticker.C:
		}
	}
}

// idle reports whether the daemon was unreachable for the whole timeout, and says so once.
func (l *loop) idle() bool {
	quiet := time.Duration(l.quiet) * l.interval
	if l.timeout == 0 || quiet < l.timeout {
		return false
	}
	if !l.idleSaid {
		l.idleSaid = true
		l.say("watch: root=%s idle: no daemon for %s", l.root.Path, quiet)
	}
	return true
}

// save keeps what is verified for the next watcher.
func (l *loop) save(last bool) {
	if err := l.verified.Save(last); err != nil && !l.cacheSaid {
		l.cacheSaid = true
		l.say("watch: %v; going on without", err)
	}
}
