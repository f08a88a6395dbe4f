package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"agy-reader/host/diag"
	"agy-reader/host/endpoint"
	"agy-reader/host/parents"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// fallback answers without the daemon, which failed with cause. It writes nothing.
func (f *Fetcher) fallback(ctx context.Context, session store.Session, cause error) (*Found, error) {
	file, fileErr := sidecar.Read(sidecar.Path(session.Path))
	if fileErr == nil {
		if state, _ := f.Verifier.Offline(ctx, session, file); state == verify.Verified {
			f.Warn(because(cause) + "; using cached sidecar, which holds what the session's file holds")
			return found(session, Verified, file), nil
		}
	}
	err := f.readable(ctx, session)
	if err == nil {
		f.Warn(because(cause) + "; reading the session's own file")
		return &Found{ID: session.ID, Session: &session, From: Native}, nil
	}
	if errors.Is(cause, verify.ErrSource) { // nobody was asked yet
		trajectory, failed := f.ask(ctx, session.Root, session.ID)
		if failed == nil {
			f.Warn(fmt.Sprintf("%s; using the daemon's answer, which nothing proves: the session's file cannot be read (%v)", because(cause), err))
			return &Found{ID: session.ID, Session: &session, From: Unproved, Trajectory: trajectory}, nil
		}
		cause = errors.Join(failed, cause)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case fileErr == nil:
		f.Warn(fmt.Sprintf("%s; using cached sidecar, which may be older than the session: its file cannot be read (%v)", because(cause), err))
		return found(session, Unverified, file), nil
	}
	_, _, next := diag.Explain(cause)
	return nil, diag.Advise(fmt.Errorf("daemon fetch failed and no usable cache: %w", errors.Join(cause, err)), "check the session's file and its permissions. To have it from a daemon, "+next)
}

// because says why the daemon's answer is not used, in one line without advice: there is something to show all the same.
func because(cause error) string {
	var missing *endpoint.NotFoundError
	var answered *daemon.StatusError
	switch {
	case errors.As(cause, &missing):
		return fmt.Sprintf("daemon unreachable (%v)", missing.Cause)
	case errors.Is(cause, daemon.ErrAuth):
		return fmt.Sprintf("daemon rejects the call (%v)", cause)
	case errors.As(cause, &answered):
		return fmt.Sprintf("daemon answers with an error (%v)", cause)
	case errors.Is(cause, daemon.ErrMalformed), errors.Is(cause, sources.ErrLimit), errors.Is(cause, verify.ErrStale), errors.Is(cause, verify.ErrAnswer):
		return fmt.Sprintf("daemon answer not used (%v)", cause)
	case errors.Is(cause, verify.ErrSource):
		return fmt.Sprintf("daemon answer cannot be verified (%v)", cause)
	}
	return fmt.Sprintf("daemon unreachable (%v)", cause)
}

// readable reports why the session's own file cannot be read at all.
func (f *Fetcher) readable(ctx context.Context, session store.Session) error {
	r, err := f.Source.Open(ctx, session.Ref(), sources.Want{Peek: true})
	if err != nil {
		return err
	}
	_, err = r.Close()
	return err
}

// stamp links children to their parents in the folder of the session. What goes wrong is a warning.
func (f *Fetcher) stamp(ctx context.Context, session store.Session) {
	report, err := parents.Stamp(ctx, filepath.Dir(session.Path), false)
	if err != nil {
		f.Warn(fmt.Sprintf("parent links: %v", err))
		return
	}
	for _, d := range report.Diagnostics {
		f.Warn(d.String())
	}
	if report.Stamped > 0 {
		f.Warn(fmt.Sprintf("stamped %d parent link(s)", report.Stamped))
	}
}

// cached is the sidecar as it is now.
func cached(session store.Session, from From) (*Found, error) {
	file, err := sidecar.Read(sidecar.Path(session.Path))
	if err != nil {
		return nil, err
	}
	return found(session, from, file), nil
}

func found(session store.Session, from From, file *sidecar.File) *Found {
	return &Found{ID: session.ID, Session: &session, From: from, Trajectory: file.Trajectory, Block: file.Block, Sidecar: sidecar.Path(session.Path)}
}

// remote asks each root's daemon for a conversation that no disk holds. Nothing is written.
func (f *Fetcher) remote(ctx context.Context, id string) (*Found, error) {
	var all []error
	for _, root := range f.Roots {
		trajectory, err := f.ask(ctx, root, id)
		if err == nil {
			return &Found{ID: id, From: Daemon, Trajectory: trajectory}, nil
		}
		if len(f.Roots) > 1 {
			err = fmt.Errorf("%s: %w", root.Path, err)
		}
		all = append(all, err)
	}
	return nil, &unheardError{errors.Join(all...)}
}

func (f *Fetcher) ask(ctx context.Context, root store.Root, id string) (json.RawMessage, error) {
	endpoint, err := f.Finder.Find(ctx, root)
	if err != nil {
		return nil, err
	}
	client := daemon.NewClient(endpoint)
	defer client.Close()
	answer, err := daemon.Fetch(ctx, client, id, "")
	if err != nil {
		return nil, err
	}
	return answer.Trajectory, nil
}
