package watch

import (
	"context"
	"time"

	"agy-reader/host/store"
	"agy-reader/host/sync/reuse"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// loop is the watch of one root. It is used by one goroutine at a time.
type loop struct {
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
	open map[string]reuse.State

	// daemon is the endpoint of this tick; its URL is empty when there is none. last is the address last found.
	daemon daemon.Endpoint
	last   string
	// streak counts ticks in a row in which the daemon was not reachable, blocked says that it rejected the token.
	streak    int
	reached   bool
	blocked   bool
	idleSaid  bool
	cacheSaid bool
}

func newLoops(o Options) []*loop {
	out := &lines{out: o.Line}
	dir := o.CacheDir
	profiles, err := verify.Fingerprint()
	if err != nil {
		dir = "" // nothing can be remembered that cannot be named
	}
	loops := make([]*loop, len(o.Roots))
	for i, root := range o.Roots {
		loops[i] = &loop{
			root: root, finder: o.Finder, interval: o.Interval, timeout: o.IdleTimeout, verifier: o.Verifier,
			say:      out.labelled(label(o.Roots, i)),
			verified: reuse.Open(dir, root.Path, profiles),
			unread:   reuse.Open("", root.Path, ""),
			held:     map[string]hold{},
			open:     map[string]reuse.State{},
		}
	}
	return loops
}

// begin says what is watched.
func (l *loop) begin(ctx context.Context) {
	if e, err := l.finder.Find(ctx, l.root); err == nil {
		l.last = e.URL
		l.say("watch: root=%s daemon=%s interval=%s idle-timeout=%s", l.root.Path, e.URL, l.interval, l.timeout)
		return
	}
	l.say("watch: root=%s daemon=(not running yet, discovery pending) interval=%s idle-timeout=%s", l.root.Path, l.interval, l.timeout)
}

// discover looks for the daemon and its token anew. Both come from one look in every tick, so that no token goes to whoever
// took over a port.
func (l *loop) discover(ctx context.Context) {
	e, err := l.finder.Find(ctx, l.root)
	if err != nil {
		l.daemon = daemon.Endpoint{}
		return
	}
	switch l.last {
	case e.URL:
	case "":
		l.say("watch: agy daemon discovered at %s", e.URL)
	default:
		l.say("watch: agy daemon moved %s -> %s", l.last, e.URL)
	}
	l.daemon, l.last = e, e.URL
}

// unreachable notes a tick without a daemon. why is nil when none was found.
func (l *loop) unreachable(why error) {
	l.streak++
	if why != nil && l.streak == 1 {
		l.say("watch: daemon unreachable, retrying each tick (%v)", why)
	}
}

// recovered notes that the daemon was reached.
func (l *loop) recovered() {
	if l.streak > 0 && l.reached {
		l.say("watch: daemon recovered after %d failed tick(s)", l.streak)
	}
	l.streak, l.idleSaid, l.reached = 0, false, true
}

// idle reports whether the daemon was unreachable for the whole timeout, and says so once.
func (l *loop) idle(timeout time.Duration) bool {
	if l.blocked || time.Duration(l.streak)*l.interval < timeout {
		return false
	}
	if !l.idleSaid {
		l.idleSaid = true
		l.say("watch: root=%s idle: no daemon for %s", l.root.Path, time.Duration(l.streak)*l.interval)
	}
	return true
}
