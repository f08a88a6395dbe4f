package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/audit/sweep"
	"agy-reader/host/builtin"
	"agy-reader/host/endpoint"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killVariable); dir != "" {
		killed(dir)
	}
	goleak.VerifyTestMain(m)
}

const secret = "5ecre7-70ken"

// run is a sweep of a test.
type run struct {
	sweep.Options
	mu       sync.Mutex
	said     []string
	rendered map[string]string
}

// newRun prepares a sweep of root into a new folder, with the real discovery.
func newRun(root string) (*run, error) {
	backends, err := builtin.Registry()
	if err != nil {
		return nil, err
	}
	database, err1 := backends.Source("sqlite")
	legacy, err2 := backends.Source("legacypb")
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	r := &run{rendered: map[string]string{}}
	r.Options = sweep.Options{
		Root: store.Root{Path: root, Surface: "cli"}, Timeout: 20 * time.Second, Sources: map[string]sources.Source{".db": database, ".pb": legacy}, Verifier: verify.New(database, legacy),
		Finder: endpoint.New(store.Environment{Home: "/none", Getenv: func(string) string { return "" }}),
		Agy:    func(context.Context) (string, error) { return "agy 1.4.4", nil },
		Now:    time.Now,
		Line: func(text string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.said = append(r.said, text)
		},
		Render: func(_ context.Context, id string, trajectory json.RawMessage) error {
			r.rendered[id] = string(trajectory)
			return nil
		},
	}
	return r, nil
}

func prepare(t *testing.T, root string) *run {
	t.Helper()
	r, err := newRun(root)
	if err != nil {
		t.Fatal(err)
	}
	r.Dir = filepath.Join(t.TempDir(), "new")
	return r
}

// fixed finds one daemon, whatever it is asked for.
type fixed struct {
	daemon.Endpoint
	others []daemon.Endpoint
	err    error
}

func (f fixed) Find(context.Context, store.Root) (daemon.Endpoint, error) { return f.Endpoint, f.err }

func (f fixed) Others(context.Context, store.Root, ...daemon.Endpoint) ([]daemon.Endpoint, error) {
	return f.others, nil
}

// files are the files below dir with their contents; folders end in a slash.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			found[name+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		found[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func manifest(t *testing.T, dir string) *sweep.Manifest {
	t.Helper()
	m, err := sweep.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// missing fails when a path exists.
func missing(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s was made: %v", path, err)
	}
}
