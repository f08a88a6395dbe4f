package agytest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/agytest"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// The readers find the process by each way that a token can be known, and the token is the one it asks for.
func TestFoundWithItsToken(t *testing.T) {
	t.Parallel()
	for how, wantToken := range map[string]bool{
		agytest.LaunchFlag: true, agytest.LaunchEquals: true, agytest.PairSlot: true, agytest.Exported: true, agytest.None: false,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			root, _ := agytest.Store(t)
			d := agytest.Start(t, agytest.Options{Root: root, HowToken: how})
			f := finder(t.TempDir(), nil)
			r := store.Root{Path: root, Surface: "cli"}
			if how == agytest.Exported {
				e, err := f.Find(t.Context(), r)
				if err != nil || e.Token.Known() {
					t.Errorf("before a tool runs: %+v, %v", e, err)
				}
				tool := d.Tool(t)
				t.Cleanup(func() { _ = tool.Stop() })
			}
			e, err := f.Find(t.Context(), r)
			if err != nil || e.URL != d.URL() || e.PID != d.PID() || e.Token.Known() != wantToken || e.Token.Reveal() != d.Token() {
				t.Fatalf("found %+v, %v; want %s of process %d", e, err, d.URL(), d.PID())
			}
			c := daemon.NewClient(e)
			defer c.Close()
			if err := c.Probe(t.Context()); err != nil {
				t.Error(err)
			}
			got := d.Requests()
			if len(got) != 1 || got[0].Method != "GetAllCascadeTrajectories" || got[0].HasToken != wantToken || got[0].Token != d.Token() || got[0].Secure {
				t.Errorf("received %+v", got)
			}
		})
	}
}

// Two daemons of one store have a log each; cli.log leads to the newer one's, and both are found.
func TestTwoDaemons(t *testing.T) {
	t.Parallel()
	root, _ := smallStore(t)
	older, newer := agytest.Start(t, agytest.Options{Root: root}), agytest.Start(t, agytest.Options{Root: root})
	if target, err := filepath.EvalSymlinks(root + "/cli.log"); err != nil || target != newer.Log() || older.Log() == newer.Log() {
		t.Errorf("cli.log leads to %s, %v; the logs are %s and %s", target, err, older.Log(), newer.Log())
	}
	f, r := finder(t.TempDir(), nil), store.Root{Path: root, Surface: "cli"}
	first, err := f.Find(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	others, err := f.Others(t.Context(), r, first)
	if err != nil || len(others) != 1 {
		t.Fatalf("others: %+v, %v", others, err)
	}
	found := map[string]string{first.URL: first.Token.Reveal(), others[0].URL: others[0].Token.Reveal()}
	if found[older.URL()] != older.Token() || found[newer.URL()] != newer.Token() || older.Token() == newer.Token() {
		t.Errorf("found %s and %s", first.URL, others[0].URL)
	}
}

// The process looks like the product's: its name, its log with both ports, and cli.log that leads to it.
func TestLooksLikeAgy(t *testing.T) {
	t.Parallel()
	root, _ := agytest.Store(t)
	d := agytest.Start(t, agytest.Options{Root: root, Args: []string{"a prompt with --csrf_token inside"}})
	args, err := os.ReadFile("/proc/" + itoa(d.PID()) + "/cmdline")
	if want := "agy\x00--csrf_token\x00" + d.Token() + "\x00a prompt with --csrf_token inside\x00"; err != nil || string(args) != want {
		t.Errorf("arguments %q, %v", args, err)
	}
	target, err := os.Readlink(root + "/cli.log")
	if err != nil || !strings.HasPrefix(target, "log/cli-2") || root+"/"+target != d.Log() {
		t.Errorf("cli.log leads to %q, %v; the log is %s", target, err, d.Log())
	}
	text, err := os.ReadFile(d.Log())
	for _, line := range []string{"listening on random port at " + port(d.URL()) + " for HTTP\n", "listening on random port at " + port(d.HTTPS()) + " for HTTPS (gRPC)\n"} {
		if err != nil || strings.Count(string(text), line) != 1 {
			t.Errorf("the log has not %q once: %s", line, text)
		}
	}
}

// No process is left behind, neither the daemon nor its tools, and not when the daemon was killed.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	var pids []int
	for _, kill := range []bool{false, true} {
		t.Run("", func(t *testing.T) {
			root, _ := agytest.Store(t)
			d := agytest.Start(t, agytest.Options{Root: root})
			tool := d.Tool(t)
			pids = append(pids, d.PID(), tool.PID())
			if kill {
				d.Kill()
			}
		})
	}
	for _, pid := range pids {
		waitGone(t, pid)
	}
}
