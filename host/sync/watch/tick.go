package watch

import (
	"context"
	"strings"

	"agy-reader/host/store"
)

// count is what a tick did.
type count struct {
	synced, skipped, current, failed int
	// reused sessions were verified before, checked ones were read in this tick.
	reused, checked int
}

// tick looks at every session once. It stops between two sessions when ctx ends.
func (l *loop) tick(ctx, work context.Context) {
	b := &batch{loop: l}
	sessions, err := store.List([]store.Root{l.root}, false)
	if err != nil {
		l.say("watch: list sessions: %v", err)
	}
	for _, s := range sessions {
		if ctx.Err() != nil {
			break
		}
		b.session(work, s)
	}
	l.after(b.failure, b.asked)
	l.resolve(work)
	if err == nil {
		l.forget(sessions)
	}
	l.save(false)
	n := b.n
	if n.reused+n.checked > 0 {
		l.say("verification: %d reused, %d checked", n.reused, n.checked)
	}
	pending := ""
	if !l.found() {
		pending = "; daemon not found yet, looking again in " + l.interval.String()
		if l.last != "" {
			pending = strings.Replace(pending, " yet", "", 1)
		}
	}
	l.say("tick: %d synced, %d skipped, %d up-to-date, %d failed%s", n.synced, n.skipped, n.current, n.failed, pending)
}
