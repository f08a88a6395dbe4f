package watch

import (
	"bytes"
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
	n       count
	asked   bool
	failure error
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
		b.families.known(s.Path, v.state.Sidecar)
		b.n.reused++
		b.n.current++
	case b.stillHeld(v), !b.reachable() && b.needsDaemon(v):
		b.n.skipped++
	default:
		b.check(ctx, v)
	}
}

// reachable reports whether there is a daemon to ask in this tick.
func (b *batch) reachable() bool { return b.failure == nil && b.found() }

// needsDaemon reports whether reading the session's own file cannot show that its sidecar is up to date, or would come too
// late in a batch that has ended.
func (b *batch) needsDaemon(v visit) bool {
	if b.failure != nil {
		return true
	}
	if state, known := b.open[v.Path]; known && v.settled && state == v.state {
		return true
	}
	block, err := sidecar.ReadBlock(sidecar.Path(v.Path))
	if err == nil {
		if _, err = verify.ParseEvidence(block.Completeness()); err == nil {
			return false
		}
	}
	b.open[v.Path] = v.state
	return true
}

// check reads the session's own file and compares: with the evidence in the sidecar first, then with the daemon's answer.
func (b *batch) check(ctx context.Context, v visit) {
	source, err := b.verifier.Take(ctx, v.Session)
	if err != nil {
		b.failed(ctx, v, nil, err)
		return
	}
	if b.sameAgain(v, source) {
		b.n.skipped++
		b.confirm(v)
		return
	}
	b.n.checked++
	why, err := outdated(ctx, source, v.Session)
	switch {
	case err != nil:
		b.failed(ctx, v, source, err)
	case why == "":
		b.n.current++
		b.settle(ctx, v, source, b.forward(v))
	case !b.reachable():
		b.open[v.Path] = v.state
		b.n.skipped++
	default:
		b.sync(ctx, v, source, why)
	}
}

// sync asks the daemon and writes what it answers.
func (b *batch) sync(ctx context.Context, v visit, source *verify.Snapshot, why string) {
	b.open[v.Path] = v.state
	if b.discover(ctx); !b.found() {
		b.n.skipped++ // it went away since the tick began
		return
	}
	b.asked = true
	done, err := refresh.Run(ctx, refresh.Job{
		Session: v.Session, Source: source, Endpoint: b.daemon, Stamp: v.Modified,
		Others: func(ctx context.Context) ([]daemon.Endpoint, error) { return b.finder.Others(ctx, b.root, b.daemon) },
	})
	if err != nil && b.ends(ctx, err) {
		b.failure = err
		b.n.skipped++
		b.n.failed++
		return
	}
	if ctx.Err() == nil && !errors.Is(err, daemon.ErrUnavailable) {
		b.answered()
	}
	if err != nil {
		b.failed(ctx, v, source, err)
		return
	}
	b.n.synced++
	b.say("synced %s (%d steps, %d KB) [%s]", v.ID, done.Steps, (done.Bytes+1023)/1024, why)
	b.families.settled(v.Path, reuse.File{}, true)
	b.settle(ctx, v, source, true)
}

// ends reports whether an error is one that every other session would get too. One session may be too much for a daemon
// that is fine otherwise, so a call that got no whole answer is followed by the smallest one.
func (b *batch) ends(ctx context.Context, err error) bool {
	switch {
	case errors.Is(err, daemon.ErrAuth), errors.Is(err, daemon.ErrRefused), errors.Is(err, daemon.ErrEndpoint):
		return true
	case !errors.Is(err, daemon.ErrUnavailable):
		return false
	}
	client := daemon.NewClient(b.daemon)
	defer client.Close()
	return client.Probe(ctx) != nil
}

// settle notes that the session is verified. touched says that its sidecar is another than when the visit began: then it is
// looked at again, for it may be somebody else's by now.
func (b *batch) settle(ctx context.Context, v visit, source *verify.Snapshot, touched bool) {
	delete(b.open, v.Path)
	delete(b.held, v.Path)
	if touched {
		now, _ := reuse.Look(v.Path, sidecar.Path(v.Path))
		v.state.Sidecar = now.Sidecar
		if why, err := outdated(ctx, source, v.Session); why != "" || err != nil {
			return
		}
	}
	after, settled := reuse.Look(v.Path, sidecar.Path(v.Path))
	b.verified.Remember(v.Path, v.state, after, settled && v.settled, v.now)
	b.families.settled(v.Path, after.Sidecar, false)
}

// errReplaced says that another writer replaced a sidecar meanwhile.
var errReplaced = errors.New("another sidecar is there by now")

// forward moves the time of a verified sidecar to that of its session when the session's is later: a checkpoint or a write
// that changed nothing. It reports whether it did, or somebody else did more.
func (b *batch) forward(v visit) bool {
	path := sidecar.Path(v.Path)
	info, err := os.Stat(path)
	if err != nil || !v.Modified.After(info.ModTime()) {
		return false
	}
	file, err := sidecar.Read(path)
	if err == nil {
		_, err = sidecar.Write(path, file.Trajectory, func(now *sidecar.Block) error {
			if !bytes.Equal(now.Completeness(), file.Block.Completeness()) {
				return errReplaced
			}
			return nil
		}, v.Modified)
	}
	if errors.Is(err, errReplaced) {
		return true
	}
	if err != nil {
		b.say("watch: write sidecar %s failed (%v)", path, err)
	}
	return err == nil
}

// failed notes a session that could not be brought up to date. When its own file is the cause, that is said once, and the
// session is left alone until something about it changes; any other failure is tried again in the next tick. source is nil
// when the file could not be read.
func (b *batch) failed(ctx context.Context, v visit, source *verify.Snapshot, err error) {
	if _, gone := os.Lstat(v.Path); errors.Is(gone, fs.ErrNotExist) {
		return // deleted since it was listed
	}
	b.n.skipped++
	var unwritten *refresh.WriteError
	switch {
	case ctx.Err() != nil:
		b.say("watch: skip %s (told to end before it was done)", v.ID)
	case errors.As(err, &unwritten):
		b.n.failed++
		b.say("watch: write sidecar %s failed (%v)", unwritten.Path, unwritten.Err)
	case errors.Is(err, verify.ErrSource):
		if source != nil {
			b.n.checked--
		}
		if b.hold(v, source, err.Error()) {
			b.say("watch: skip %s (%v); held until it changes", v.ID, err)
		}
	default:
		b.n.failed++
		b.say("watch: skip %s (%v)", v.ID, err)
	}
}

// outdated says in a word why the sidecar needs to be written; it is empty when the sidecar is proved to hold what the
// source holds.
func outdated(ctx context.Context, source *verify.Snapshot, s store.Session) (why string, err error) {
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
	switch state, _ := source.Judge(ctx, evidence, file.Trajectory); state {
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
