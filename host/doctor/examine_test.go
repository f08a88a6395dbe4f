package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agy-reader/host/endpoint"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// server answers every call by handle and counts them.
func server(t *testing.T, handle http.HandlerFunc) (url string, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

// slow never answers. It reads the request, for only then the server notices that nobody waits any more.
func slow(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// closed is an address where nobody listens.
func closed(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// What is found of a daemon, by what it does.
func TestDaemonStates(t *testing.T) {
	t.Parallel()
	good := func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/GetAllCascadeTrajectories") {
			t.Errorf("called %s", r.URL.Path)
		}
		_, _ = io.WriteString(w, `{"trajectorySummaries": {}}`)
	}
	checks := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Codeium-Csrf-Token") != secret {
			http.Error(w, secret, http.StatusForbidden)
			return
		}
		good(w, r)
	}
	big := func(w http.ResponseWriter, _ *http.Request) {
		for range 3 {
			_, _ = w.Write(bytes.Repeat([]byte("x"), 1<<20))
		}
	}
	tell := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, secret, code) }
	}
	for _, tc := range []struct {
		name, surface string
		handle        http.HandlerFunc
		token         string
		pinned        bool
		state         DaemonState
		call          CallState
		calls         int64
	}{
		{"answers", "cli", good, "", false, Reachable, Answered, 1},
		{"answers with much", "cli", big, "", false, Reachable, Answered, 1},
		{"accepts the token", "cli", checks, secret, false, Reachable, Answered, 1},
		{"rejects the token", "cli", checks, "other", false, Reachable, Rejected, 1},
		{"asks for a token", "cli", checks, "", true, Reachable, Rejected, 1},
		{"unauthenticated", "ide", tell(http.StatusUnauthorized), secret, false, Reachable, Rejected, 1},
		{"ide without a token is not called", "ide", good, "", false, Reachable, NotCalled, 0},
		{"ide2 without a token is not called", "ide2", good, "", false, Reachable, NotCalled, 0},
		{"does not know the method", "cli", tell(http.StatusNotFound), secret, true, Reachable, Failed, 1},
		{"does not answer", "cli", slow, "", false, Reachable, Failed, 1},
		{"ended a moment ago", "cli", nil, "", false, NotRunning, NotCalled, 0},
		{"ended a moment ago, pinned", "cli", nil, "", true, Unreachable, NotCalled, 0},
		{"token that is none", "cli", good, secret + "\n", false, Unusable, NotCalled, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			url, calls := closed(t), &atomic.Int64{}
			if tc.handle != nil {
				url, calls = server(t, tc.handle)
			}
			s := newShop(t, tc.surface)
			r := s.examine(fake{endpoint: daemon.Endpoint{URL: url, Token: daemon.NewToken(tc.token), Pinned: tc.pinned}})
			d := r.Roots[0].Daemon
			if d.State != tc.state || d.Call != tc.call || d.URL != url || d.Token != (tc.token != "") || calls.Load() != tc.calls {
				t.Errorf("%+v after %d calls", d, calls.Load())
			}
			if bad := d.State != Reachable || d.Call == Rejected || d.Call == Failed; bad != (d.Cause != "") {
				t.Errorf("the cause is %q", d.Cause)
			}
			hidden(t, r)
		})
	}
}

// hidden checks that no form of a report holds the token of the tests.
func hidden(t *testing.T, r *Report) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if all := string(text) + strings.Join(r.Lines(), "\n") + fmt.Sprintf("%+v", r); strings.Contains(all, secret) {
		t.Errorf("the token is in %s", all)
	}
}

// What Find says when there is no daemon.
func TestNoDaemon(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		err    error
		state  DaemonState
		url    string
		health bool
	}{
		{&endpoint.NotFoundError{Root: "/r", Cause: errors.New("why")}, NotRunning, "", true},
		{&endpoint.PinnedError{URL: "http://u:xxxxx@127.0.0.1:1", Cause: errors.New("why")}, Unreachable, "http://u:xxxxx@127.0.0.1:1", false},
		{fmt.Errorf("%w: why", daemon.ErrEndpoint), Unusable, "", false},
	} {
		for _, surface := range []string{"cli", "ide"} {
			s := newShop(t, surface)
			r := s.examine(fake{err: tc.err})
			if d := r.Roots[0].Daemon; d.State != tc.state || d.URL != tc.url || !strings.Contains(d.Cause, "why") || r.Verdict().Healthy != tc.health {
				t.Errorf("%v: %+v", tc.err, r)
			}
		}
	}
}

// A password or a query in the address that the user set is not shown.
func TestAddressWithoutSecrets(t *testing.T) {
	t.Parallel()
	url, _ := server(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	s := newShop(t, "cli")
	r := s.examine(fake{endpoint: daemon.Endpoint{URL: strings.Replace(url, "//", "//user:"+secret+"@", 1) + "/path?" + secret, Pinned: true}})
	if got, want := r.Roots[0].Daemon.URL, strings.Replace(url, "//", "//user:xxxxx@", 1)+"/path"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	hidden(t, r)
}

// A watcher counts for the stores that it covers.
func TestReferenceN14WatcherOfItsOwnRoots(t *testing.T) {
	t.Parallel()
	s, other := newShop(t, "cli"), newShop(t, "ide")
	mine := endpoint.Watcher{PID: 7, Known: true, Roots: []store.Root{s.root}}
	theirs := endpoint.Watcher{PID: 8, Known: true, Roots: []store.Root{other.root}}
	hiding := endpoint.Watcher{PID: 9}
	for _, tc := range []struct {
		watchers []endpoint.Watcher
		err      error
		want     string
		unknown  string
	}{
		{nil, nil, "not running", ""},
		{[]endpoint.Watcher{theirs}, nil, "not running", ""},
		{[]endpoint.Watcher{theirs, mine}, nil, "running", ""},
		{[]endpoint.Watcher{hiding, theirs}, nil, "unknown", "process 9"},
		{[]endpoint.Watcher{hiding, mine}, nil, "running", ""},
		{nil, fmt.Errorf("%w: only Linux tells", endpoint.ErrUnknown), "unknown", "only Linux tells"},
	} {
		f := nobody
		f.watchers, f.unknown = tc.watchers, tc.err
		r := s.examine(f)
		if w := r.Roots[0].Watch; w.State != tc.want || !strings.Contains(w.Cause, tc.unknown) || (w.Cause != "") != (tc.unknown != "") {
			t.Errorf("%+v, %v: %+v", tc.watchers, tc.err, w)
		}
		if !r.Verdict().Healthy {
			t.Errorf("a watcher is no condition: %+v", r)
		}
	}
}

// A daemon that says nothing costs two seconds, not thirty.
func TestProbeIsBounded(t *testing.T) {
	t.Parallel()
	url, _ := server(t, slow)
	started := time.Now()
	newShop(t, "cli").examine(fake{endpoint: daemon.Endpoint{URL: url}})
	if took := time.Since(started); took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
}
