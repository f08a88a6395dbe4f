package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"agy-reader/host/endpoint"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// Finder finds daemons and watchers. host/endpoint implements it.
type Finder interface {
	Find(ctx context.Context, root store.Root) (daemon.Endpoint, error)
	Watchers(ctx context.Context) ([]endpoint.Watcher, error)
}

// Options say what to look at.
type Options struct {
	Roots    []store.Root
	Finder   Finder
	Verifier *verify.Verifier
	// Agy returns what the installed agy says of its version; see Version.
	Agy func(ctx context.Context) (string, error)
	// Recorded is the version that was audited, empty when none was; see Recorded.
	Recorded string
	// Progress is called before each session is looked at; nil is nobody.
	Progress func(done, total int)
}

// maxProbe is how much of the answer to a probe is read. A longer one is as good: the daemon answered.
const maxProbe = 1 << 20

// Examine looks at everything. What is wrong is in the report; the error is that of ctx alone.
func Examine(ctx context.Context, o Options) (*Report, error) {
	r := &Report{Roots: make([]Root, len(o.Roots))}
	for i, root := range o.Roots {
		r.Roots[i] = rootOf(root)
		r.Roots[i].Daemon = lookForDaemon(ctx, o.Finder, root)
	}
	watchers, err := o.Finder.Watchers(ctx)
	for i, root := range o.Roots {
		r.Roots[i].Watch = watchOf(root, watchers, err)
	}
	if err := examineSidecars(ctx, o, r); err != nil {
		return nil, err
	}
	// Last: running agy may begin a new log, which discovery would read.
	r.Agy.Recorded = o.Recorded
	if r.Agy.Running, err = o.Agy(ctx); err != nil {
		r.Agy.Cause = err.Error()
	}
	return r, ctx.Err()
}

func lookForDaemon(ctx context.Context, finder Finder, root store.Root) Daemon {
	e, err := finder.Find(ctx, root)
	d := Daemon{State: Reachable, URL: endpoint.WithoutPassword(e.URL), Token: e.Token.Known()}
	var missing *endpoint.NotFoundError
	var dead *endpoint.PinnedError
	switch {
	case err == nil:
		described := rootOf(root)
		if described.ide() && !d.Token {
			return d // the answer is known
		}
		d.probe(ctx, e)
	case errors.As(err, &missing):
		d.State, d.Cause = NotRunning, missing.Cause.Error()
	case errors.As(err, &dead):
		d.State, d.URL, d.Cause = Unreachable, dead.URL, dead.Cause.Error()
	default:
		d.State, d.Cause = Unusable, err.Error()
	}
	return d
}

// probe makes one call that changes nothing.
func (d *Daemon) probe(ctx context.Context, e daemon.Endpoint) {
	client := daemon.NewClient(e, daemon.WithMaxAnswer(maxProbe))
	defer client.Close()
	err := client.Probe(ctx)
	d.Call = Answered
	if err == nil || errors.Is(err, sources.ErrLimit) {
		return
	}
	d.Cause = err.Error()
	switch {
	case errors.Is(err, daemon.ErrAuth):
		d.Call = Rejected
	case errors.Is(err, daemon.ErrEndpoint):
		d.State, d.Call = Unusable, NotCalled
	case !errors.Is(err, daemon.ErrRefused):
		d.Call = Failed
	case e.Pinned:
		d.State, d.Call = Unreachable, NotCalled
	default: // it ended a moment ago
		d.State, d.Call = NotRunning, NotCalled
	}
}

func watchOf(root store.Root, watchers []endpoint.Watcher, err error) Watch {
	if err != nil {
		return Watch{State: "unknown", Cause: err.Error()}
	}
	w := Watch{State: "not running"}
	for _, watcher := range watchers {
		switch {
		case watcher.Covers(root):
			return Watch{State: "running"}
		case !watcher.Known:
			w = Watch{State: "unknown", Cause: fmt.Sprintf("process %d is a watcher, but its stores cannot be read", watcher.PID)}
		}
	}
	return w
}

// examineSidecars lists the sessions of all stores and judges each.
func examineSidecars(ctx context.Context, o Options, r *Report) error {
	sessions := make([][]store.Session, len(o.Roots))
	total, done := 0, 0
	for i, root := range o.Roots {
		var err error
		sessions[i], err = sessionsOf(root)
		if err != nil {
			r.Roots[i].Sidecars.Cause = err.Error()
		}
		total += len(sessions[i])
	}
	for i := range o.Roots {
		found := make([]judgement, 0, len(sessions[i]))
		for _, s := range sessions[i] {
			if o.Progress != nil {
				o.Progress(done, total)
			}
			done++
			found = append(found, judge(ctx, o.Verifier, s, false))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for _, at := range newestUnread(sessions[i], found) {
			found[at] = judge(ctx, o.Verifier, sessions[i][at], true)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for at, s := range sessions[i] {
			r.Roots[i].Sidecars.add(s.Kind, found[at])
		}
	}
	return nil
}

// maxExplained is how many sessions of a store are read although their sidecars prove nothing, to see whether a sync can
// help: what is left open after a sync of all are few; before the first sync it is the whole store.
const maxExplained = 50

// newestUnread picks the sessions that are read all the same, by their places in both lists.
func newestUnread(sessions []store.Session, found []judgement) (places []int) {
	for at := range found {
		if found[at].unread {
			places = append(places, at)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return sessions[b].Modified.Compare(sessions[a].Modified) })
	return places[:min(len(places), maxExplained)]
}

// sessionsOf lists the sessions a watcher would look at, by name. A store that was named must be there.
func sessionsOf(root store.Root) ([]store.Session, error) {
	if root.Explicit {
		info, err := os.Stat(root.Path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder", root.Path)
		}
	}
	sessions, err := store.List([]store.Root{root}, false)
	slices.SortFunc(sessions, func(a, b store.Session) int { return cmp.Compare(a.ID, b.ID) })
	return sessions, err
}

// add counts one session.
func (s *Sidecars) add(kind string, found judgement) {
	count := &s.SQLite
	if kind == ".pb" {
		count = &s.Legacy
	}
	switch found.state {
	case verify.Verified:
		count.Verified++
		return
	case verify.Incomplete:
		count.Incomplete++
	default:
		count.Unknown++
	}
	if found.unread {
		s.Unread++
	}
	found.State = found.state.String()
	s.Open = append(s.Open, found.Open)
}
