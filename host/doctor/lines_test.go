package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Reports as people see them, in testdata/lines.golden.
func TestLines(t *testing.T) {
	t.Parallel()
	running := Daemon{State: Reachable, URL: "http://127.0.0.1:51847", Token: true, Call: Answered}
	closed := Daemon{State: NotRunning, Cause: "read cli.log: no such file or directory"}
	fresh := Sidecars{SQLite: Count{Verified: 23}}
	agy := Agy{Running: "1.2.14", Recorded: "1.2.14"}
	watched, unwatched := Watch{State: "running"}, Watch{State: "not running"}
	open := func(class Class, state string, n int) (all []Open) {
		for i := range n {
			all = append(all, Open{ID: fmt.Sprintf("c1ea0000-0000-4000-8000-%012d", i), State: state, Class: class, Reason: "reason " + fmt.Sprint(i)})
		}
		return all
	}
	all := Sidecars{SQLite: Count{Verified: 2, Incomplete: 3, Unknown: 17}, Legacy: Count{Unknown: 1}}
	for _, o := range [][]Open{open(Missing, "unknown", 5), open(Unattested, "unknown", 2), open(Corrupt, "unknown", 1), open(Changed, "incomplete", 2), open(Altered, "incomplete", 1), open(Busy, "unknown", 1), open(Odd, "unknown", 2), open(Held, "unknown", 7)} {
		all.Open = append(all.Open, o...)
	}
	cli := func(change func(*Root)) *Report {
		r := &Report{Roots: []Root{{Path: "/home/me/.gemini/antigravity-cli", Surface: "cli", Daemon: running, Sidecars: fresh, Watch: watched}}, Agy: agy}
		change(&r.Roots[0])
		return r
	}
	reports := []struct {
		name string
		r    *Report
	}{
		{"healthy", cli(func(*Root) {})},
		{"no token needed", cli(func(r *Root) { r.Daemon.Token = false })},
		{"closed", cli(func(r *Root) { r.Daemon, r.Watch = closed, unwatched })},
		{"nothing yet", &Report{Roots: []Root{{Path: "/home/me/.gemini/antigravity-cli", Surface: "cli", Daemon: closed, Watch: unwatched}}, Agy: Agy{Cause: "agy not on PATH"}}},
		{"stale pin", cli(func(r *Root) {
			r.Daemon = Daemon{State: Unreachable, URL: "http://127.0.0.1:1", Cause: "dial tcp 127.0.0.1:1: connect: connection refused"}
		})},
		{"no address", cli(func(r *Root) {
			r.Daemon = Daemon{State: Unusable, Cause: "not a usable daemon address: ANTIGRAVITY_DAEMON_URL must be like http://127.0.0.1:PORT"}
		})},
		{"rejected without a token", cli(func(r *Root) {
			r.Daemon.Token, r.Daemon.Call, r.Daemon.Cause = false, Rejected, "authentication failed: the daemon answers 401 on GetAllCascadeTrajectories; check CSRF token discovery or ANTIGRAVITY_CSRF_TOKEN"
		})},
		{"rejected with a token, sidecars missing", cli(func(r *Root) {
			r.Daemon.Call, r.Daemon.Cause, r.Watch = Rejected, "authentication failed", unwatched
			r.Sidecars = Sidecars{SQLite: Count{Unknown: 1}, Open: open(Missing, "unknown", 1)}
		})},
		{"a call fails", cli(func(r *Root) {
			r.Daemon.Call, r.Daemon.Cause = Failed, "call GetAllCascadeTrajectories: no answer within 2s"
		})},
		{"every kind of sidecar", cli(func(r *Root) { r.Sidecars, r.Watch = all, unwatched })},
		{"before the first sync", cli(func(r *Root) {
			r.Sidecars, r.Watch = Sidecars{SQLite: Count{Unknown: 9000}, Open: open(Missing, "unknown", 9000), Unread: 8950}, unwatched
		})},
		{"a watcher runs, agy does not", cli(func(r *Root) {
			r.Daemon, r.Sidecars = closed, Sidecars{SQLite: Count{Unknown: 1}, Open: open(Missing, "unknown", 1)}
		})},
		{"sessions cannot be read", cli(func(r *Root) { r.Sidecars = Sidecars{Cause: "list /x: permission denied"} })},
		{"encrypted files alone", cli(func(r *Root) { r.Sidecars = Sidecars{Legacy: Count{Verified: 15}} })},
		{"a named store, odd path", cli(func(r *Root) {
			r.Path, r.Explicit, r.Watch = "/my store's", true, unwatched
			r.Sidecars = Sidecars{SQLite: Count{Unknown: 1}, Open: open(Missing, "unknown", 1)}
		})},
		{"unknown watcher", cli(func(r *Root) {
			r.Watch = Watch{State: "unknown", Cause: "process 9 is a watcher, but its stores cannot be read"}
		})},
		{"another agy", &Report{Roots: cli(func(*Root) {}).Roots, Agy: Agy{Running: "1.4.4", Recorded: "1.2.14"}}},
		{"no record", &Report{Roots: cli(func(*Root) {}).Roots, Agy: Agy{Running: "1.4.4"}}},
		{"ide without a token", &Report{Roots: []Root{{Surface: "ide", Daemon: Daemon{State: Reachable, URL: "http://127.0.0.1:2"}, Sidecars: fresh, Watch: watched}}, Agy: agy}},
		{"two stores, one waits", &Report{Agy: agy, Roots: []Root{
			{Path: "/home/me/.gemini/antigravity-cli", Surface: "cli", Daemon: running, Sidecars: fresh, Watch: watched},
			{Path: "/home/me/.gemini/antigravity", Surface: "ide", Daemon: Daemon{State: NotRunning, Cause: "no logs"}, Sidecars: fresh, Watch: watched},
		}}},
	}
	var b strings.Builder
	for _, tc := range reports {
		fmt.Fprintf(&b, "== %s\n%s\n\n", tc.name, strings.Join(tc.r.Lines(), "\n"))
	}
	golden := filepath.Join("testdata", "lines.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// The hints name --watch, and --sync with an id.
func TestReferenceN70HintsNameWatch(t *testing.T) {
	t.Parallel()
	for _, class := range []Class{Missing, Corrupt, Unattested, Changed, Altered, Busy} {
		for _, d := range []DaemonState{Reachable, NotRunning, Unreachable, Unusable} {
			for _, w := range watches {
				r := &Report{Roots: []Root{{Surface: "cli", Daemon: Daemon{State: d}, Sidecars: Sidecars{SQLite: Count{Unknown: 1}, Open: []Open{{"a", "unknown", class, "why"}}}, Watch: w}}}
				text := strings.Join(r.Lines(), "\n")
				if !strings.Contains(text, "agy-reader --watch refreshes them all") || !strings.Contains(text, "agy-reader --sync ID one") {
					t.Errorf("%s, %s, %s:\n%s", class, d, w.State, text)
				}
			}
		}
	}
}
