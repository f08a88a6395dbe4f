package verify

import (
	"context"
	"encoding/json"
	"errors"

	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// Snapshot is what a session held at one moment, as digests of decoded content. It is not safe for concurrent use.
type Snapshot struct{}

// Take reads the session strictly. An error is ErrSource, or ErrStale when the session was busy.
func (v *Verifier) Take(ctx context.Context, session store.Session) (*Snapshot, error) {
	return nil, errors.ErrUnsupported
}

// Check compares both answers. An error is ErrStale (a *Mismatch, or the source changed) or ErrAnswer.
func (s *Snapshot) Check(ctx context.Context, full daemon.Full, ordinary json.RawMessage) (*Evidence, error) {
	return nil, errors.ErrUnsupported
}

// Unchanged looks at the source again, right before the sidecar is written. An error is ErrChanged, or one of Take.
func (s *Snapshot) Unchanged(ctx context.Context) error { return errors.ErrUnsupported }

// Offline judges a sidecar without a daemon: completeness is the raw member of its agyReader block (nil when there is none),
// payload its trajectory; an agyReader member at its root does not count. The error says why the state is not Verified; for
// Unknown it may be ErrSource.
func (v *Verifier) Offline(ctx context.Context, session store.Session, completeness, payload json.RawMessage) (State, error) {
	return Unknown, errors.ErrUnsupported
}
