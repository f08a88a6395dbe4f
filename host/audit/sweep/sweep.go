package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sinks"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// progressEvery is how many conversations lie between two lines of progress.
const progressEvery = 40

// Finder finds the daemons of a root. host/endpoint implements it.
type Finder interface {
	Find(ctx context.Context, root store.Root) (daemon.Endpoint, error)
	Others(ctx context.Context, root store.Root, not ...daemon.Endpoint) ([]daemon.Endpoint, error)
}

// Options say what to fetch and where to put it.
type Options struct {
	// Dir is the folder to make. Its parent must exist.
	Dir  string
	Root store.Root
	// Timeout bounds one conversation, and once more its check.
	Timeout time.Duration
	Finder  Finder
	// Sources read the ids inside session files, by the files' endings; Verifier reads the files strictly.
	Sources  map[string]sources.Source
	Verifier *verify.Verifier
	// Agy returns the version of the installed agy; an error is «unknown».
	Agy func(ctx context.Context) (string, error)
	// Render renders an answer to nowhere; an error fails the sweep.
	Render func(ctx context.Context, id string, trajectory json.RawMessage) error
	// Line takes one line for people.
	Line func(text string)
	// Now is the clock.
	Now func() time.Time
}

// FailedError says at which conversation a sweep ended, and what that means for its folder. It is of the kind of its cause.
type FailedError struct {
	// ID is the conversation; empty when nothing of one failed.
	ID, Dir string
	Cause   error
}

// Error implements error.
func (e *FailedError) Error() string {
	what := "audit-sweep"
	if e.ID != "" {
		what += ": conversation " + e.ID
	}
	return fmt.Sprintf("%s: %v; %s stays incomplete: do not pass --corpus-swept with its corpus, and sweep again into a new folder", what, e.Cause, filepath.Join(e.Dir, ManifestName))
}

// Unwrap returns the cause.
func (e *FailedError) Unwrap() error { return e.Cause }

// Run sweeps a store. Nothing is made before it is clear that there is something to fetch and somebody to ask; after that
// every error is a *FailedError. The manifest is that of the folder.
func Run(ctx context.Context, o Options) (*Manifest, error) {
	sessions, err := selected(o.Root)
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(o.Root.Path)
	if err != nil {
		return nil, fmt.Errorf("audit-sweep: %w", err)
	}
	if err := free(o.Dir); err != nil {
		return nil, err
	}
	endpoint, err := o.Finder.Find(ctx, o.Root)
	if err != nil {
		return nil, fmt.Errorf("audit-sweep: %w", err)
	}
	version, err := o.Agy(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		version = "unknown"
	}
	s := &sweep{Options: o, endpoint: endpoint, client: daemon.NewClient(endpoint, daemon.WithTimeout(o.Timeout))}
	defer s.client.Close()
	s.manifest = &Manifest{
		ManifestVersion: manifestVersion, Root: absolute, Endpoint: address(endpoint.URL), InstalledAgyVersion: version,
		Started: o.Now().UTC(), Selected: len(sessions), Sessions: []Session{},
	}
	if err := s.create(); err != nil {
		return nil, err
	}
	defer s.close()
	return s.manifest, s.all(ctx, sessions)
}

// selected lists what is fetched: a `.db` and a `.pb` of one name are one conversation, background trajectories are none.
func selected(root store.Root) ([]store.Session, error) {
	sessions, err := store.List([]store.Root{root}, false)
	if err != nil {
		return nil, fmt.Errorf("audit-sweep: %w", err)
	}
	if len(sessions) == 0 {
		return nil, fmt.Errorf("audit-sweep: %w: no conversation lies in %s; name another store with --root", sources.ErrNotFound, filepath.Join(root.Path, store.Conversations))
	}
	seen := make(map[string]string, len(sessions))
	for _, s := range sessions {
		if !store.IsID(s.ID) {
			return nil, fmt.Errorf("audit-sweep: the session file %s is not named by a conversation id (a UUID); move it out of the store, or sweep a copy without it", s.Path)
		}
		key := strings.ToLower(s.ID)
		if other, twice := seen[key]; twice {
			return nil, fmt.Errorf("audit-sweep: the conversation id %s is there twice: %s and %s; move one out of the store", key, other, s.Path)
		}
		seen[key] = s.Path
	}
	return sessions, nil
}

// free refuses a folder that exists, whatever it is.
func free(dir string) error {
	switch _, err := os.Lstat(dir); {
	case err == nil:
		return fmt.Errorf("audit-sweep: %w: %s is there already; name a new folder with --out", sinks.ErrOutput, dir)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("audit-sweep: %w: %w", sinks.ErrOutput, err)
	}
	return nil
}

// address is a URL without what may be a secret.
func address(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "unknown"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

type sweep struct {
	Options
	endpoint daemon.Endpoint
	client   *daemon.Client
	manifest *Manifest
	dir      *os.Root
	corpus   *os.Root
}

// create makes the folders and the manifest that says nothing is complete.
func (s *sweep) create() (err error) {
	for _, dir := range []string{s.Dir, filepath.Join(s.Dir, CorpusName)} {
		err := os.Mkdir(dir, 0o700)
		if err == nil {
			err = os.Chmod(dir, 0o700) //nolint:gosec // a folder, private whatever the umask
		}
		if err != nil {
			return fmt.Errorf("audit-sweep: %w: %w", sinks.ErrOutput, err)
		}
	}
	if s.dir, err = os.OpenRoot(s.Dir); err == nil {
		if s.corpus, err = s.dir.OpenRoot(CorpusName); err == nil {
			err = s.manifest.write(s.dir)
		}
	}
	if err != nil {
		s.close()
		return &FailedError{Dir: s.Dir, Cause: fmt.Errorf("%w: %w", sinks.ErrOutput, err)}
	}
	return nil
}

func (s *sweep) close() {
	if s.corpus != nil {
		s.corpus.Close()
	}
	if s.dir != nil {
		s.dir.Close()
	}
}

// all fetches one conversation after the other and ends at the first that fails.
func (s *sweep) all(ctx context.Context, sessions []store.Session) error {
	m := s.manifest
	for i, session := range sessions {
		done, err := s.one(ctx, session)
		if err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			m.FailedID = session.ID
			return s.end(&FailedError{ID: session.ID, Dir: s.Dir, Cause: err})
		}
		m.Sessions = append(m.Sessions, done)
		if n := i + 1; n%progressEvery == 0 {
			s.Line(fmt.Sprintf("audit-sweep: %d of %d", n, len(sessions)))
			if err := m.write(s.dir); err != nil {
				return &FailedError{Dir: s.Dir, Cause: fmt.Errorf("%w: %w", sinks.ErrOutput, err)}
			}
		}
	}
	m.Complete = true
	if err := s.end(nil); err != nil {
		return err
	}
	s.Line(fmt.Sprintf("audit-sweep: selected=%d fetched=%d rendered=%d failures=0 corpus=%s", m.Selected, len(m.Sessions), len(m.Sessions), filepath.Join(s.Dir, CorpusName)))
	return nil
}

// end writes the manifest for the last time.
func (s *sweep) end(failed *FailedError) error {
	now := s.Now().UTC()
	s.manifest.Finished = &now
	err := s.manifest.write(s.dir)
	switch {
	case failed != nil:
		return failed // the manifest that is there is incomplete too
	case err != nil:
		return &FailedError{Dir: s.Dir, Cause: fmt.Errorf("%w: %w", sinks.ErrOutput, err)}
	}
	return nil
}
