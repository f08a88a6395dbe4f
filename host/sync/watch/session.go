package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/sync/refresh"
	"agy-reader/host/sync/reuse"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// batch is one tick's work on one root. It asks the daemon nothing more after a failure that the other sessions would only
// repeat.
type batch struct {
	*loop
	n count
	// answered says that the daemon gave an answer, whatever it said of a session.
	answered bool
	failure  error
}

// visit is a look at one session.
type visit struct {
	store.Session
	now time.Time
	// state is that of the files before anything was read; settled says whether it may be remembered.
	state   reuse.State
	settled bool
}

// session looks at one session and brings its sidecar up to date where that can be done.
func (b *batch) session(ctx context.Context, s store.Session) {
	v := visit{Session: s, now: time.Now()}
	v.state, v.settled = reuse.Look(s.Path, sidecar.Path(s.Path))
	switch {
	case b.verified.Good(s.Path, v.state, v.settled, v.now):
		b.n.reused++
		b.n.current++
	case b.stillHeld(v):
		b.n.skipped++
	case b.stillOpen(v) && !b.reachable():
		b.n.pending++
		b.n.skipped++
	default:
		b.check(ctx, v)
	}
}

// check reads the session's own file and compares: with the evidence in the sidecar first, then with the daemon's answer.
func (b *batch) check(ctx context.Context, v visit) {
	source, err := b.verifier.Take(ctx, v.Session)
	if err != nil {
		b.failed(v, err)
		return
	}
	b.n.checked++
	why, err := outdated(source, v.Session)
	switch {
	case err != nil:
		b.failed(v, err)
	case why == "":
		b.n.current++
		b.settle(v, false)
	case !b.reachable():
		b.open[v.Path] = v.state
		b.n.pending++
		b.n.skipped++
	default:
		b.open[v.Path] = v.state
		b.sync(ctx, v, source, why)
	}
}

// sync asks the daemon and writes what it answers.
func (b *batch) sync(ctx context.Context, v visit, source *verify.Snapshot, why string) {
	done, err := refresh.Run(ctx, refresh.Job{
		Session: v.Session, Source: source, Endpoint: b.daemon, Stamp: v.Modified,
		Others: func(ctx context.Context) ([]daemon.Endpoint, error) { return b.finder.Others(ctx, b.root, b.daemon) },
	})
	switch {
	case errors.Is(err, daemon.ErrAuth), errors.Is(err, daemon.ErrUnavailable):
		b.failure = err
		b.n.skipped++
		b.n.failed++
	case err != nil:
		b.answered = true
		b.failed(v, err)
	default:
		b.answered = true
		b.n.synced++
		b.say("synced %s (%d steps, %d KB) [%s]", v.ID, done.Steps, (done.Bytes+1023)/1024, why)
		b.settle(v, true)
	}
}

// settle notes that the session is verified. wrote says that its sidecar is another than when the visit began.
func (b *batch) settle(v visit, wrote bool) {
	delete(b.open, v.Path)
	delete(b.held, v.Path)
	after, settled := reuse.Look(v.Path, sidecar.Path(v.Path))
	if wrote {
		v.state.Sidecar = after.Sidecar
	}
	b.verified.Remember(v.Path, v.state, after, settled && v.settled, v.now)
}

// failed notes a session that could not be brought up to date. When its own file is the cause, that is said once, and the
// session is left alone until something about it changes; any other failure is tried again in the next tick.
func (b *batch) failed(v visit, err error) {
	b.n.skipped++
	if !errors.Is(err, verify.ErrSource) {
		b.n.failed++
		b.say("watch: skip %s (%v)", v.ID, err)
		return
	}
	if b.hold(v, err.Error()) {
		b.say("watch: skip %s (%v); held until it changes", v.ID, err)
	}
}

// reachable reports whether there is a daemon to ask in this tick.
func (b *batch) reachable() bool { return b.failure == nil && b.daemon.URL != "" }

// stillOpen reports whether the session is known to need the daemon in this very state.
func (b *batch) stillOpen(v visit) bool {
	state, known := b.open[v.Path]
	return known && v.settled && state == v.state
}

// outdated says in a word why the sidecar needs to be written; it is empty when the sidecar is proved to hold what the
// source holds.
func outdated(source *verify.Snapshot, s store.Session) (why string, err error) {
	path := sidecar.Path(s.Path)
	file, err := sidecar.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "missing", nil
	case errors.Is(err, sidecar.ErrCorrupt):
		return "corrupt", nil
	case err != nil:
		return "", err
	}
	evidence, err := verify.ParseEvidence(file.Block.Completeness())
	if err != nil {
		return "unverified", nil
	}
	switch state, _ := source.Judge(evidence, file.Trajectory); state {
	case verify.Verified:
		return "", nil
	case verify.Unknown:
		return "unverified", nil
	}
	if info, err := os.Stat(path); err == nil && s.Modified.After(info.ModTime()) {
		return "modtime-advanced", nil
	}
	return "content-changed", nil
}
