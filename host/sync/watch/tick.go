package watch

import (
	"context"
	"errors"
	"path/filepath"

	"agy-reader/host/parents"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// count is what a tick did.
type count struct {
	synced, skipped, current, failed int
	// reused sessions were verified before, checked ones were read in this tick.
	reused, checked int
	// pending sessions wait for a daemon.
	pending int
}

// tick looks at every session once. It stops between two sessions when ctx ends.
func (l *loop) tick(ctx context.Context) {
	sessions, err := store.List([]store.Root{l.root}, false)
	if err != nil {
		l.say("watch: list sessions: %v", err)
		return
	}
	l.discover(ctx)
	b := &batch{loop: l}
	for _, s := range sessions {
		if ctx.Err() != nil {
			break
		}
		b.session(context.WithoutCancel(ctx), s)
	}
	l.after(b)
	n := b.n
	if n.synced > 0 {
		l.stamp(context.WithoutCancel(ctx))
	}
	l.forget(sessions)
	if n.reused+n.checked > 0 {
		l.say("verification: %d reused, %d checked", n.reused, n.checked)
	}
	l.summary(n)
}

// after settles how the daemon did in this tick.
func (l *loop) after(b *batch) {
	switch {
	case b.failure != nil && errors.Is(b.failure, daemon.ErrAuth):
		l.blocked = true
		l.say("watch: authentication failed; sync blocked, retrying discovery next tick (%v)", b.failure)
	case b.failure != nil:
		l.unreachable(b.failure)
	case l.daemon.URL == "":
		l.unreachable(nil)
	case b.answered && l.blocked:
		l.blocked = false
		l.say("watch: authentication recovered; syncing resumed")
		l.recovered()
	case !l.blocked:
		l.recovered()
	}
}

// stamp links children to their parents across the store.
func (l *loop) stamp(ctx context.Context) {
	report, err := parents.Stamp(ctx, filepath.Join(l.root.Path, store.Conversations), false)
	if err != nil {
		l.say("watch: parent links: %v", err)
		return
	}
	for _, d := range report.Diagnostics {
		l.say("%s", d)
	}
	if report.Stamped > 0 {
		l.say("watch: stamped %d parent link(s)", report.Stamped)
	}
}

// forget drops what is remembered of sessions that are gone, and keeps the rest for the next watcher.
func (l *loop) forget(sessions []store.Session) {
	there := make(map[string]bool, len(sessions))
	for _, s := range sessions {
		there[s.Path] = true
	}
	l.verified.Keep(there)
	for path := range l.held {
		if !there[path] {
			delete(l.held, path)
		}
	}
	for path := range l.open {
		if !there[path] {
			delete(l.open, path)
		}
	}
	if err := l.verified.Save(); err != nil && !l.cacheSaid {
		l.cacheSaid = true
		l.say("watch: %v; going on without", err)
	}
}

func (l *loop) summary(n count) {
	if n.pending > 0 && l.daemon.URL == "" {
		l.say("tick: %d synced, %d skipped, %d up-to-date, %d failed; daemon not found yet, looking again in %s", n.synced, n.skipped, n.current, n.failed, l.interval)
		return
	}
	l.say("tick: %d synced, %d skipped, %d up-to-date, %d failed", n.synced, n.skipped, n.current, n.failed)
}
