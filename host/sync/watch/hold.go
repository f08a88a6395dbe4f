package watch

import (
	"time"

	"agy-reader/host/sidecar"
	"agy-reader/host/sync/reuse"
	"agy-reader/host/verify"
)

// hold is a session whose own file keeps it from being verified.
type hold struct {
	reason   string
	endpoint string
	// source is the digest of what the file holds, when it can be read and only cannot be compared; sidecar and modified are
	// what else must change for another answer to be asked for.
	source   string
	sidecar  reuse.File
	modified time.Time
}

// hold notes why a session is held and reports whether that is news. source is nil when the file cannot be read.
func (b *batch) hold(v visit, source *verify.Snapshot, reason string) (news bool) {
	last, known := b.held[v.Path]
	h := hold{reason: reason, endpoint: b.daemon.URL, sidecar: v.state.Sidecar, modified: v.Modified}
	if source != nil {
		h.source = source.SourceDigest()
	}
	b.held[v.Path] = h
	b.confirm(v)
	return !known || last.reason != reason
}

// confirm notes that the session was read and is still held.
func (b *batch) confirm(v visit) {
	after, settled := reuse.Look(v.Path, sidecar.Path(v.Path))
	b.unread.Remember(v.Path, v.state, after, settled && v.settled, v.now)
}

// stillHeld reports whether the session is held and nothing changed since its file was last read: not the files, not the
// daemon. One that is in use is read in every tick.
func (b *batch) stillHeld(v visit) bool {
	last, known := b.held[v.Path]
	return known && last.endpoint == b.daemon.URL && v.state.Log.Size == 0 && b.unread.Good(v.Path, v.state, v.settled, v.now)
}

// sameAgain reports whether a session that was just read holds what it held when it was held, so that asking the same daemon
// again is of no use.
func (b *batch) sameAgain(v visit, source *verify.Snapshot) bool {
	last, known := b.held[v.Path]
	return known && last.source == source.SourceDigest() && last.endpoint == b.daemon.URL &&
		last.sidecar == v.state.Sidecar && last.modified.Equal(v.Modified)
}
