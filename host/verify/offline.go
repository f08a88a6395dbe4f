package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
)

// Reasons why Offline does not know or does not verify.
var (
	// ErrNoEvidence: the sidecar says nothing about its completeness, or nothing this version understands.
	ErrNoEvidence = errors.New("no usable evidence")
	// ErrSourceDiffers and ErrPayloadDiffers: the session, or the sidecar's trajectory, is not what was verified.
	ErrSourceDiffers  = errors.New("the session changed since it was verified")
	ErrPayloadDiffers = errors.New("the sidecar's trajectory is not the one that was verified")
)

// ParseEvidence reads the member `agyReader.completeness` of a sidecar. An error is ErrNoEvidence.
func ParseEvidence(completeness json.RawMessage) (*Evidence, error) {
	if len(completeness) == 0 {
		return nil, fmt.Errorf("%w: there is none", ErrNoEvidence)
	}
	e := new(Evidence)
	if err := json.Unmarshal(completeness, e); err != nil {
		return nil, fmt.Errorf("%w: not readable", ErrNoEvidence)
	}
	if e.FormatVersion != FormatVersion {
		return nil, fmt.Errorf("%w: format %d", ErrNoEvidence, e.FormatVersion)
	}
	return e, nil
}

// Offline judges a sidecar without a daemon: its evidence against the session and against its trajectory. The error says why
// the state is not Verified: for Incomplete it is ErrSourceDiffers or ErrPayloadDiffers, for Unknown ErrNoEvidence,
// ErrSource, ErrStale (busy) or that of ctx.
func (v *Verifier) Offline(ctx context.Context, session store.Session, f *sidecar.File) (State, error) {
	e, err := ParseEvidence(f.Block.Completeness())
	if err != nil {
		return Unknown, err
	}
	s, err := v.Take(ctx, session)
	if err != nil {
		return Unknown, err
	}
	return s.Judge(ctx, e, f.Trajectory)
}

// Judge is Offline for a snapshot that is there already. Evidence is only what somebody wrote into a file: the payload is
// compared with what is stored as an ordinary answer is.
func (s *Snapshot) Judge(ctx context.Context, e *Evidence, payload json.RawMessage) (State, error) {
	switch {
	case e.Storage != s.storage:
		return Incomplete, fmt.Errorf("%w: it was %s and is %s", ErrSourceDiffers, cutName(e.Storage), s.storage)
	case e.Profile != s.Profile() || e.ProfileDigest != s.shape.digest:
		return Unknown, fmt.Errorf("%w: it was verified with another decoder profile", ErrNoEvidence)
	case e.SourceDigest != s.digest:
		return Incomplete, ErrSourceDiffers
	case e.Steps != s.Steps() || e.ModelCalls != len(s.lists[listCalls]) || e.ExecutorRuns != len(s.lists[listExecutors]):
		return Unknown, fmt.Errorf("%w: its counts are not those of the source it names", ErrNoEvidence)
	}
	c := newCheck(s)
	digest, err := c.ordinary(payload)
	if err == nil && digest != e.PayloadDigest {
		return Incomplete, ErrPayloadDiffers
	}
	if err == nil {
		err = c.finish(ctx)
	}
	var differs *MismatchError
	switch {
	case err == nil:
		return Verified, nil
	case errors.As(err, &differs), errors.Is(err, ErrAnswer):
		return Incomplete, fmt.Errorf("%w: %w", ErrPayloadDiffers, err)
	}
	return Unknown, err
}
