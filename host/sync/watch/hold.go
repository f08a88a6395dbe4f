package watch

import (
	"agy-reader/host/sidecar"
	"agy-reader/host/sync/reuse"
)

// hold is a session whose own file keeps it from being verified.
type hold struct {
	reason   string
	endpoint string
}

// hold notes why a session is held and reports whether that is news.
func (b *batch) hold(v visit, reason string) (news bool) {
	after, settled := reuse.Look(v.Path, sidecar.Path(v.Path))
	b.unread.Remember(v.Path, v.state, after, settled && v.settled, v.now)
	last, known := b.held[v.Path]
	b.held[v.Path] = hold{reason: reason, endpoint: b.daemon.URL}
	return !known || last.reason != reason
}

// stillHeld reports whether the session is held and nothing changed since its file was last read: not the files, not the
// daemon.
func (b *batch) stillHeld(v visit) bool {
	last, known := b.held[v.Path]
	return known && last.endpoint == b.daemon.URL && b.unread.Good(v.Path, v.state, v.settled, v.now)
}
