package doctor

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// parts are the things a store can be found with, each with what it means: "fails" always, "waits" is no fault while another
// store is healthy, "" is healthy.
var (
	daemons = map[Daemon]string{
		{State: Reachable, URL: "http://127.0.0.1:1", Call: Answered, Token: true}:                   "",
		{State: Reachable, URL: "http://127.0.0.1:1", Call: Failed, Token: true, Cause: "no answer"}: "",
		{State: Reachable, URL: "http://127.0.0.1:1", Call: Rejected, Token: true, Cause: "403"}:     "fails",
		{State: NotRunning, Cause: "nobody listens"}:                                                 "",
		{State: Unreachable, URL: "http://127.0.0.1:1", Cause: "connection refused"}:                 "fails",
		{State: Unusable, Cause: "not a usable daemon address"}:                                      "fails",
		{State: Reachable, URL: "http://127.0.0.1:1", Call: NotCalled}:                               "no token",
	}
	sidecars = map[*Sidecars]string{
		{}: "",
		{SQLite: Count{Verified: 3}, Legacy: Count{Verified: 1}}:                                         "",
		{SQLite: Count{Incomplete: 1}, Open: []Open{{"a", "incomplete", Changed, "changed"}}}:            "fails",
		{SQLite: Count{Verified: 3, Unknown: 1}, Open: []Open{{"a", "unknown", Missing, "none"}}}:        "fails",
		{Legacy: Count{Verified: 3, Unknown: 1}, Open: []Open{{"a", "unknown", Held, "not authentic"}}}:  "fails",
		{Legacy: Count{Verified: 3, Incomplete: 1}, Open: []Open{{"a", "incomplete", Altered, "other"}}}: "fails",
		{SQLite: Count{Verified: 3, Unknown: 1}, Open: []Open{{"a", "unknown", Odd, "a link"}}}:          "fails",
		{Cause: "permission denied"}: "fails",
	}
	watches = []Watch{{State: "running"}, {State: "not running"}, {State: "unknown", Cause: "only Linux tells"}}
	agys    = map[Agy]string{
		{Running: "1.2.14", Recorded: "1.2.14"}:        "",
		{Running: "agy 1.2.14", Recorded: "1.2.14"}:    "",
		{Running: "1.2.14", Recorded: "1.2.11"}:        "fails",
		{Running: "1.2.14"}:                            "",
		{Cause: "agy not on PATH", Recorded: "1.2.11"}: "",
	}
)

// every calls yield with each combination for one store of a surface, and whether it is healthy, waits or fails.
func every(surface string, explicit bool, yield func(Root, string)) {
	for d, daemonMeans := range daemons {
		for s, sidecarsMean := range sidecars {
			for _, w := range watches {
				means := "healthy"
				switch {
				case daemonMeans == "fails" || sidecarsMean == "fails":
					means = "fails"
				case daemonMeans == "no token" && surface != "cli":
					means = "waits"
				case d.State == NotRunning:
					means = "closed"
				}
				yield(Root{Path: "/" + surface, Surface: surface, Explicit: explicit, Daemon: d, Sidecars: *s, Watch: w}, means)
			}
		}
	}
}

// One store: an unhealthy one fails, whether named or not; a daemon that does not run never does.
func TestVerdictOfOneStore(t *testing.T) {
	t.Parallel()
	n := 0
	for _, surface := range []string{"cli", "ide", "ide2"} {
		for _, explicit := range []bool{false, true} {
			every(surface, explicit, func(root Root, means string) {
				for a, agyMeans := range agys {
					n++
					r := &Report{Roots: []Root{root}, Agy: a}
					want := Verdict{Healthy: agyMeans == "" && (means == "healthy" || means == "closed")}
					if got := r.Verdict(); got != want {
						t.Fatalf("%+v: %+v, not %+v", r, got, want)
					}
					checkLines(t, r)
				}
			})
		}
	}
	if n < 5000 {
		t.Errorf("%d combinations", n)
	}
}

// Two stores: named ones must both be healthy; of discovered ones one must, and the other waits. What always fails, fails.
func TestReferenceN05ExplicitRootsAreHard(t *testing.T) {
	t.Parallel()
	n := 0
	for _, explicit := range []bool{false, true} {
		for _, a := range []Agy{{}, {Running: "2", Recorded: "1"}} {
			agyMeans := map[string]string{"2": "fails"}[a.Running]
			every("cli", explicit, func(cli Root, cliMeans string) {
				if cli.Watch.State != "running" {
					return // a watcher decides nothing
				}
				every("ide", explicit, func(ide Root, ideMeans string) {
					if ide.Watch.State != "running" {
						return
					}
					both := []string{cliMeans, ideMeans}
					var want Verdict
					want.Healthy = agyMeans == "" && !slices.Contains(both, "fails") && (!explicit || !slices.Contains(both, "waits"))
					if want.Healthy && !explicit {
						for _, means := range both {
							if means == "waits" || means == "closed" {
								want.Waiting++
							}
						}
					}
					r := &Report{Roots: []Root{cli, ide}, Agy: a}
					if got := r.Verdict(); got != want {
						t.Fatalf("%s, %s: %+v, not %+v", cliMeans, ideMeans, got, want)
					}
					if n++; n%17 == 0 { // which is slow
						checkLines(t, r)
					}
				})
			})
		}
	}
}

// The IDE is closed: that never fails the CLI.
func TestReferenceN04ClosedIDE(t *testing.T) {
	t.Parallel()
	cli := Root{Path: "/a", Surface: "cli", Daemon: Daemon{State: Reachable, Call: Answered}, Sidecars: Sidecars{SQLite: Count{Verified: 3}}, Watch: Watch{State: "running"}}
	ide := Root{Path: "/b", Surface: "ide", Daemon: Daemon{State: NotRunning}, Watch: Watch{State: "running"}}
	r := &Report{Roots: []Root{cli, ide}}
	if got := r.Verdict(); got != (Verdict{Healthy: true, Waiting: 1}) {
		t.Errorf("%+v", got)
	}
	if lines := r.Lines(); lines[len(lines)-1] != "  exit 0 — healthy (1 root(s) waiting, see above)" {
		t.Errorf("%q", lines)
	}
	ide.Sidecars = Sidecars{SQLite: Count{Unknown: 1}, Open: []Open{{"a", "unknown", Missing, "none"}}}
	if got := (&Report{Roots: []Root{cli, ide}}).Verdict(); got.Healthy {
		t.Errorf("a sidecar is missing: %+v", got)
	}
}

// All discovered stores unhealthy is as bad as one.
func TestAllUnhealthy(t *testing.T) {
	t.Parallel()
	ide := Root{Path: "/b", Surface: "ide", Daemon: Daemon{State: Reachable}}
	r := &Report{Roots: []Root{ide, {Path: "/c", Surface: "ide2", Daemon: Daemon{State: Reachable}}}}
	if got := r.Verdict(); got != (Verdict{}) {
		t.Errorf("%+v", got)
	}
}

// checkLines checks what is true of every report: labels in their order and place, a next step for whatever fails, and a last
// line that says what the exit code will be.
func checkLines(t *testing.T, r *Report) {
	t.Helper()
	lines := r.Lines()
	last := lines[len(lines)-1]
	if want := map[bool]string{true: "  exit 0 — healthy", false: "  exit 1 — action needed"}[r.Verdict().Healthy]; !strings.HasPrefix(last, want) {
		t.Fatalf("%+v ends with %q", r, last)
	}
	var blocks [][]string
	for _, line := range lines[:len(lines)-2] {
		if strings.ContainsAny(line, "\n\t") {
			t.Fatalf("line %q", line)
		}
		if !strings.HasPrefix(line, " ") && line != "" {
			continue
		}
		if label, value, is := cutLabel(line); is {
			if label == "surface" {
				blocks = append(blocks, nil)
			}
			if value == "" || value[0] == ' ' {
				t.Fatalf("%q is not padded to 13", line)
			}
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], label)
		}
	}
	if len(blocks) != len(r.Roots) {
		t.Fatalf("%d blocks of %d: %q", len(blocks), len(r.Roots), lines)
	}
	for i, root := range r.Roots {
		want := []string{"surface", "daemon"}
		if root.Daemon.Call == Rejected {
			want = append(want, "auth")
		}
		if root.Daemon.Token || root.Surface != "cli" {
			want = append(want, "csrf")
		}
		if want = append(want, "agy version", "sidecars", "watch"); fmt.Sprint(blocks[i]) != fmt.Sprint(want) {
			t.Fatalf("%v, not %v", blocks[i], want)
		}
		headed := slices.Contains(lines, root.Path)
		if headed != (len(r.Roots) > 1) {
			t.Fatalf("headed by its path: %v", headed)
		}
	}
	// Each line that fails is followed by what to do, or says it itself.
	for _, bad := range []string{"configured URL unreachable", "configured values unusable", "rejected —", "no token found", "(recorded", "could not read sessions", "incomplete, changed", " held:", " no sidecar yet:", "unreadable sidecar:"} {
		at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, bad) })
		if at < 0 {
			continue
		}
		rest := lines[at:]
		next := slices.IndexFunc(rest[1:], func(l string) bool { _, _, is := cutLabel(l); return is })
		if block := strings.Join(rest[:next+1], "\n"); !strings.Contains(block, "→") && !strings.Contains(block, "fix or unset") {
			t.Fatalf("nothing to do about %q", block)
		}
	}
}

func cutLabel(line string) (label, value string, is bool) {
	if len(line) < 2+width || line[:2] != "  " || line[2] == ' ' {
		return "", "", false
	}
	label, _, is = strings.Cut(line[2:2+width], ":")
	return label, line[2+width:], is && !strings.HasPrefix(line, "  exit")
}
