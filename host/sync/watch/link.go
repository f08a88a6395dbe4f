package watch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"agy-reader/host/endpoint"
	"agy-reader/sources/daemon"
)

// link is what a loop knows about its daemon.
type link struct {
	say func(format string, args ...any)
	// daemon is the endpoint of this tick; its URL is empty when there is none, and missing says why. last is the address
	// last found.
	daemon  daemon.Endpoint
	missing error
	// looked: it was searched for in this tick.
	looked bool
	last   string
	// quiet counts ticks in a row in which nobody was reachable: the daemon is not there. streak counts those since it was
	// last known to work, for the line that says it does again; called says that a call failed and not only the search.
	quiet, streak int
	called        bool
	// blocked: the daemon rejects the token.
	blocked  bool
	idleSaid bool
}

// found reports whether there is a daemon to ask.
func (l *link) found() bool { return l.daemon.URL != "" }

// begin says what is watched, and looks for the daemon of the first tick.
func (l *loop) begin(ctx context.Context) {
	e, err := l.finder.Find(ctx, l.root)
	var pinned *endpoint.PinnedError
	state := "(not running yet, discovery pending)"
	switch {
	case err == nil:
		l.daemon, l.last = e, e.URL
		state = shown(e)
	case errors.As(err, &pinned):
		state = pinned.URL
	}
	l.missing, l.looked = err, true
	l.say("watch: root=%s daemon=%s interval=%s idle-timeout=%s", l.root.Path, state, l.interval, l.timeout)
}

// shown is the address as it may be shown.
func shown(e daemon.Endpoint) string { return endpoint.WithoutPassword(e.URL) }

// present finds out whether there is a daemon, at the start of a tick. One that is known, worked and is known with its token
// only has to listen still: nothing is sent to it before discover has looked again.
func (l *loop) present(ctx context.Context) {
	l.looked = false
	if !l.found() || l.streak > 0 || l.blocked || !l.daemon.Token.Known() || !l.listens(ctx) {
		l.discover(ctx)
	}
}

// listens reports whether somebody listens where the daemon was.
func (l *link) listens(ctx context.Context) bool {
	u, err := url.Parse(l.daemon.URL)
	if err != nil {
		return false
	}
	dialer := net.Dialer{Timeout: 150 * time.Millisecond}
	conn, err := dialer.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

// discover looks for the daemon and its token anew, once in a tick. Both come from one look, so that no token goes to whoever
// took over a port.
func (l *loop) discover(ctx context.Context) {
	if l.looked {
		return
	}
	l.looked = true
	e, err := l.finder.Find(ctx, l.root)
	if l.missing = err; err != nil {
		l.daemon = daemon.Endpoint{}
		return
	}
	switch l.last {
	case e.URL:
	case "":
		l.streak = 0 // there was nothing to recover from
		l.say("watch: agy daemon discovered at %s", shown(e))
	default:
		l.say("watch: agy daemon moved %s -> %s", endpoint.WithoutPassword(l.last), shown(e))
	}
	l.daemon, l.last = e, e.URL
}

// answered notes that the daemon gave an answer, whatever it said of a session.
func (l *link) answered() {
	switch {
	case l.blocked:
		l.say("watch: authentication recovered; syncing resumed")
	case l.streak > 0:
		l.say("watch: daemon recovered after %d failed tick(s)", l.streak)
	}
	l.blocked, l.called, l.streak = false, false, 0
	l.there()
}

// there notes that somebody listens.
func (l *link) there() { l.quiet, l.idleSaid = 0, false }

// after settles how a tick went. failure is what ended it, asked whether the daemon was asked anything.
func (l *link) after(failure error, asked bool) {
	switch {
	case errors.Is(failure, daemon.ErrAuth):
		// It is there, and that is not idle.
		l.blocked, l.streak, l.called = true, 0, false
		l.there()
		l.say("watch: authentication failed; sync blocked, retrying discovery next tick (%v)", failure)
	case failure != nil:
		l.called = true
		l.unreachable(failure)
	case !l.found():
		l.unreachable(l.missing)
	case asked || l.called || l.blocked:
		l.there() // answered has said what there is to say, or nobody knows yet whether it works again
	default:
		l.answered()
	}
}

// unreachable notes a tick in which nobody was reached. A row of them is told once.
func (l *link) unreachable(why error) {
	l.quiet++
	l.streak++
	if l.streak > 1 || why == nil {
		return
	}
	var nobody *endpoint.NotFoundError
	text := fmt.Sprint(why)
	if errors.As(why, &nobody) {
		text = fmt.Sprint(nobody.Cause)
	}
	if l.last == "" && nobody != nil {
		l.say("watch: daemon not found yet (%s)", text)
		return
	}
	l.say("watch: daemon unreachable, retrying each tick (%s)", text)
}
