// Package refresh writes one sidecar from the answer of a daemon, when the answer was proved to be what the session's file
// holds. One-shot fetches and the watcher share it.
//
// The order of things is what makes a sidecar true: the source is read first, then the daemon is asked, the answer is
// compared with the source, and right before the write the source is looked at again. An answer that differs is never
// written, however new it looks: other daemons are asked, and then the sidecar stays as it was.
package refresh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"agy-reader/host/endpoint"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// Job is one session to refresh.
type Job struct {
	Session store.Session
	// Source is the session's state that answers are compared with, taken before anything is asked. The caller keeps it.
	Source *verify.Snapshot
	// Endpoint is asked first. It must be admitted for the session's root.
	Endpoint daemon.Endpoint
	// Others gives further admitted endpoints when the first one's answer differs from the source; nil asks nobody else. At
	// most endpoint.MaxOthers are asked.
	Others func(ctx context.Context) ([]daemon.Endpoint, error)
	// Stamp becomes the sidecar's time: the session's own time before it was read, so that a write in between keeps the
	// sidecar older than its source; or the time of the fetch.
	Stamp time.Time
}

// WriteError says that a proved answer could not be written beside its session.
type WriteError struct {
	Path string
	// Trajectory is the answer.
	Trajectory json.RawMessage
	Err        error
}

func (e *WriteError) Error() string { return fmt.Sprintf("write sidecar %s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// Result is a sidecar that agrees with its source.
type Result struct {
	// Path is the sidecar. Wrote is false when it held the same content before; its time may have moved forward.
	Path  string
	Wrote bool
	// Steps counts the steps, Bytes the answer.
	Steps, Bytes int
	// Trajectory is the answer, without what the sidecar adds.
	Trajectory json.RawMessage
	// Endpoint is who gave the answer.
	Endpoint daemon.Endpoint
}

// Run asks, compares and writes. Errors wrap a kind of daemon or verify, or are a *WriteError. An error of
// authentication or connection is the first endpoint's own.
func Run(ctx context.Context, job Job) (*Result, error) {
	answer, err := ask(ctx, job, job.Endpoint)
	if errors.Is(err, verify.ErrStale) {
		// An answer newer than the snapshot differs from it too. Then nobody else can do better.
		if changed := job.Source.Unchanged(ctx); changed != nil {
			return nil, changed
		}
		answer, err = askOthers(ctx, job, err)
	}
	if err != nil {
		return nil, err
	}
	completeness, err := json.Marshal(answer.evidence)
	if err != nil {
		return nil, fmt.Errorf("write what was verified: %w", err)
	}
	path := sidecar.Path(job.Session.Path)
	var changed error
	wrote, err := sidecar.Write(path, answer.trajectory, func(b *sidecar.Block) error {
		// Here, because other writers may have been waited for.
		if changed = job.Source.Unchanged(ctx); changed != nil {
			return changed
		}
		b.SetCompleteness(completeness)
		return nil
	}, job.Stamp)
	if changed != nil {
		return nil, changed
	}
	if err != nil {
		return nil, &WriteError{Path: path, Trajectory: answer.trajectory, Err: err}
	}
	return &Result{Path: path, Wrote: wrote, Steps: job.Source.Steps(), Bytes: len(answer.trajectory), Trajectory: answer.trajectory, Endpoint: answer.from}, nil
}

// answer is one that agrees with the source.
type answer struct {
	trajectory json.RawMessage
	evidence   *verify.Evidence
	from       daemon.Endpoint
}

func ask(ctx context.Context, job Job, from daemon.Endpoint) (*answer, error) {
	client := daemon.NewClient(from)
	defer client.Close()
	got, err := daemon.Fetch(ctx, client, job.Session.ID, job.Source.CascadeID())
	if err != nil {
		return nil, err
	}
	full, err := client.Full(ctx, got.ID)
	if err != nil {
		return nil, err
	}
	evidence, err := job.Source.Check(ctx, full, got.Trajectory)
	if err != nil {
		if short := errors.Join(full.Short, got.Short); short != nil && errors.Is(err, verify.ErrStale) {
			err = fmt.Errorf("%w; %s", err, strings.ReplaceAll(short.Error(), "\n", "; "))
		}
		return nil, err
	}
	return &answer{trajectory: got.Trajectory, evidence: evidence, from: from}, nil
}

// askOthers asks one endpoint after the other until one's answer agrees. stale is what the first one's answer lacked, and
// the error when none does: what another daemon says against us is of no use to anybody.
func askOthers(ctx context.Context, job Job, stale error) (*answer, error) {
	if job.Others == nil {
		return nil, stale
	}
	others, err := job.Others(ctx)
	if err != nil {
		return nil, stale
	}
	for _, other := range others[:min(len(others), endpoint.MaxOthers)] {
		if got, err := ask(ctx, job, other); err == nil {
			return got, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return nil, stale
}
