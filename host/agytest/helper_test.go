package agytest_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/agytest"
	"agy-reader/host/agytest/answers"
	"agy-reader/host/demo/build"
	"agy-reader/host/endpoint"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sessionOf is the session of a file.
func sessionOf(path string) store.Session {
	kind := filepath.Ext(path)
	base := filepath.Base(path)
	return store.Session{ID: base[:len(base)-len(kind)], Path: path, Kind: kind, Root: store.Root{Path: filepath.Dir(filepath.Dir(path))}}
}

// finder looks at the real processes and at no variable but these.
func finder(home string, variables map[string]string) *endpoint.Finder {
	return endpoint.New(store.Environment{Home: home, Getenv: func(name string) string { return variables[name] }})
}

// client calls the daemon as one who knows everything.
func client(t testing.TB, d *agytest.Daemon) *daemon.Client {
	t.Helper()
	c := daemon.NewClient(daemon.Endpoint{URL: d.URL(), Token: daemon.NewToken(d.Token())})
	t.Cleanup(c.Close)
	return c
}

func verifier() *verify.Verifier { return verify.New(sqlite.New(), legacypb.New()) }

// check fetches a session whole and verifies it.
func check(t testing.TB, c *daemon.Client, path string) (*verify.Evidence, error) {
	t.Helper()
	session := sessionOf(path)
	snapshot, err := verifier().Take(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	cascadeID := cascadeIDOf(t, path)
	full, err := daemon.FetchFull(t.Context(), c, session.ID, cascadeID)
	if err != nil {
		return nil, err
	}
	ordinary, err := daemon.Fetch(t.Context(), c, session.ID, cascadeID)
	if err != nil {
		return nil, err
	}
	return snapshot.Check(t.Context(), full, ordinary.Trajectory)
}

// cascadeIDOf reads the id inside a session; the same as its name for encrypted files.
func cascadeIDOf(t testing.TB, path string) string {
	t.Helper()
	session := sessionOf(path)
	s, err := answers.Load(session.Root.Path, session.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s.CascadeID()
}

func itoa(n int) string { return strconv.Itoa(n) }

// port is the port in an address.
func port(url string) string { return url[strings.LastIndexByte(url, ':')+1:] }

// waitGone waits until a process is no more.
func waitGone(t testing.TB, pid int) {
	t.Helper()
	for range 200 {
		// One whose parent is gone may wait for somebody to take notice.
		if stat, err := os.ReadFile("/proc/" + itoa(pid) + "/stat"); err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	status, _ := os.ReadFile("/proc/" + itoa(pid) + "/stat")
	t.Errorf("process %d is still there: %s", pid, status)
}

// smallStore is a store with one session of a dozen steps.
func smallStore(t testing.TB) (root, path string) {
	t.Helper()
	const id = "22222222-2222-4333-8444-555555555555"
	var steps [][]byte
	for i := range 6 {
		steps = append(steps, build.Prompt(t, "question "+itoa(i)), build.Answer(t, "answer "+itoa(i), ""))
	}
	root = build.Family(t, build.Member{ID: id, Steps: steps})
	return root, filepath.Join(root, "conversations", id+".db")
}
