// Package fetch answers «give me this conversation now»: from the daemon when its answer is proved to be what the session's
// file holds, else from what lies on the disk, in the order of how far each can be trusted. What the caller gets says where
// it came from; whatever did not come from the daemon changes nothing on the disk.
package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/sync/refresh"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// attempts is how often a conversation is read anew when its product writes to it meanwhile.
const attempts = 3

// ErrNoID says that something is no conversation id, and no session has it for a name or the beginning of one.
var ErrNoID = errors.New("no session has this name or begins with it")

// Finder finds the daemons of a root. host/endpoint implements it.
type Finder interface {
	Find(ctx context.Context, root store.Root) (daemon.Endpoint, error)
	Others(ctx context.Context, root store.Root, not ...daemon.Endpoint) ([]daemon.Endpoint, error)
}

// Fetcher fetches conversations of the stores it knows.
type Fetcher struct {
	// Roots are searched in this order.
	Roots []store.Root
	// Source reads session files, Verifier reads them strictly.
	Source   sources.Source
	Verifier *verify.Verifier
	Finder   Finder
	// Warn takes one line for people; it may be called before an error is returned.
	Warn func(text string)
}

// Found is a conversation and what stands for it.
type Found struct {
	// ID is what was asked for, without the ending of a file.
	ID string
	// Session is what lies on the disk. Without one the conversation is in the memory of a daemon only.
	Session *store.Session
	// From says what to show.
	From From
	// Trajectory is the daemon's object, but for Native, and Block what the sidecar adds to it.
	Trajectory json.RawMessage
	Block      sidecar.Block
	// Sidecar is the path of the session's sidecar when Trajectory was read from or written to it.
	Sidecar string
}

// From is where a conversation came from.
type From int

const (
	// Daemon: a daemon's answer; with a session, one that agrees with the session's file.
	Daemon From = iota
	// Verified: a sidecar whose evidence matches the session's file.
	Verified
	// Native: the session's file is to be decoded.
	Native
	// Unproved: a daemon's answer about a session whose own file cannot be read.
	Unproved
	// Unverified: a sidecar that nothing is known of.
	Unverified
)

// Fetch finds a conversation by the name of its file or the id inside it, and gets it from the best place that has it. On
// the way it writes the sidecar when the daemon's answer is proved; that it cannot is a warning. Errors are those of the
// daemon, when nothing else is left.
func (f *Fetcher) Fetch(ctx context.Context, id string) (*Found, error) {
	session, found, err := find(ctx, f.Roots, f.Source, id)
	if err != nil {
		return nil, err
	}
	if id = store.TrimID(id); !found {
		if !store.IsID(id) {
			return nil, fmt.Errorf("%w, under %s", ErrNoID, store.Paths(f.Roots))
		}
		return f.remote(ctx, id)
	}
	_, err = f.refresh(ctx, session)
	var unwritten *refresh.WriteError
	switch {
	case err == nil:
		f.stamp(ctx, session)
		return cached(session, Daemon)
	case errors.As(err, &unwritten):
		f.Warn(fmt.Sprintf("the sidecar was not written (%v)", unwritten.Err))
		return &Found{ID: session.ID, Session: &session, From: Daemon, Trajectory: unwritten.Trajectory}, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return f.fallback(ctx, session, err)
}

// Sync writes the sidecar of a conversation on the disk from a proved answer and returns its path. Nothing else will do.
// Errors have a next step for diag.Explain.
func (f *Fetcher) Sync(ctx context.Context, id string) (path string, err error) {
	session, found, err := find(ctx, f.Roots, f.Source, id)
	switch {
	case err != nil:
		return "", err
	case !found:
		return "", &unsyncableError{store.TrimID(id)}
	}
	result, err := f.refresh(ctx, session)
	if err != nil {
		return "", unsynced(err, session.ID)
	}
	f.stamp(ctx, session)
	return result.Path, nil
}

// refresh brings the sidecar up to date. A product that writes meanwhile is given a few chances to pause.
func (f *Fetcher) refresh(ctx context.Context, session store.Session) (result *refresh.Result, err error) {
	endpoint, err := f.Finder.Find(ctx, session.Root)
	if err != nil {
		return nil, err
	}
	for range attempts {
		if result, err = f.once(ctx, session, endpoint); !errors.Is(err, verify.ErrStale) {
			break
		}
	}
	return result, err
}

func (f *Fetcher) once(ctx context.Context, session store.Session, endpoint daemon.Endpoint) (*refresh.Result, error) {
	source, err := f.Verifier.Take(ctx, session)
	if err != nil {
		return nil, err
	}
	return refresh.Run(ctx, refresh.Job{
		Session: session, Source: source, Endpoint: endpoint, Stamp: time.Now(),
		Others: func(ctx context.Context) ([]daemon.Endpoint, error) {
			return f.Finder.Others(ctx, session.Root, endpoint)
		},
	})
}
