package fetch

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"agy-reader/host/endpoint"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
)

// TestFileThatCannotBeRead takes what the daemon says, unproved, before an old sidecar; without a daemon the sidecar is left.
func TestFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"trajectory":{"cascadeId":"` + a + `","steps":[]}}`))
	}))
	defer server.Close()
	root := newRoot(t)
	path := add(t, root, a, a, "hello")
	if err := os.WriteFile(path, []byte("no database, but long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sidecar.Path(path), []byte(`{"cascadeId":"old"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	before := state(t, sidecar.Path(path))
	for url, want := range map[string]struct {
		from From
		said string
	}{
		server.URL:           {Unproved, "using the daemon's answer, which nothing proves"},
		"http://127.0.0.1:1": {Unverified, "using cached sidecar, which may be older"},
	} {
		f, said := fetcher(t, root)
		f.Finder = endpoint.New(store.Environment{Home: t.TempDir(), Getenv: func(name string) string {
			return map[string]string{"ANTIGRAVITY_DAEMON_URL": url}[name]
		}})
		got, err := f.Fetch(t.Context(), a)
		if err != nil || got.From != want.from || len(*said) != 1 || !strings.Contains((*said)[0], want.said) {
			t.Errorf("%s: %+v, %v, said %q", url, got, err, *said)
		}
	}
	if state(t, sidecar.Path(path)) != before {
		t.Error("the sidecar was touched")
	}
}
