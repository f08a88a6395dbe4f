package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agy-reader/host/agytest"
)

// The tests of this file run agy-reader and the daemon as real processes.

// person runs agy-reader in a home of its own.
type person struct {
	t    *testing.T
	home string
	env  []string
}

func newPerson(t *testing.T, env ...string) *person {
	t.Helper()
	home := t.TempDir()
	bin, err := exec.LookPath("agy-reader") // which is this test binary
	if err != nil {
		t.Fatal(err)
	}
	return &person{t, home, append([]string{"HOME=" + home, "PATH=" + filepath.Dir(bin)}, env...)}
}

func (p *person) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "agy-reader", args...)
	cmd.Env = p.env
	cmd.Dir = p.home
	return cmd
}

// run returns the exit code and everything that was said.
func (p *person) run(args ...string) (code int, said string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	out, err := p.command(ctx, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatalf("%v: %v", args, err)
	}
	if exit != nil {
		code = exit.ExitCode()
	}
	return code, string(out)
}

// doctor expects a code and texts; a text that begins with "!" must not be there.
func (p *person) doctor(code int, args, texts []string) {
	p.t.Helper()
	got, said := p.run(append(args, "doctor")...)
	ok := got == code
	for _, text := range texts {
		without, not := strings.CutPrefix(text, "!")
		ok = ok && strings.Contains(said, without) != not
	}
	if !ok {
		p.t.Errorf("exit code %d, want %d and %q:\n%s", got, code, texts, said)
	}
}

func sessionID(path string) string { return strings.TrimSuffix(filepath.Base(path), ".db") }

// The life of a store: nothing synced yet, then synced, then a changed sidecar, agy closed, a stale address.
func TestDoctorAndAgy(t *testing.T) {
	t.Parallel()
	root, path := agytest.Store(t)
	d := agytest.Start(t, agytest.Options{Root: root})
	p := newPerson(t)
	named := []string{"--root", root}
	reachable := "  daemon:      reachable (" + d.URL() + ")\n"
	p.doctor(1, named, []string{"  surface:     cli\n", reachable, "  csrf:        token found\n", "SQLite 0 verified, 0 incomplete, 1 unknown", "no sidecar yet: " + sessionID(path), "!auth:", "→ agy-reader --root " + root + " --watch refreshes"})
	if code, said := p.run("--root", root, "--sync", sessionID(path)); code != 0 {
		t.Fatalf("sync: exit code %d\n%s", code, said)
	}
	p.doctor(0, named, []string{reachable, "SQLite 1 verified, 0 incomplete, 0 unknown (supported daemon projection)\n", "  watch:       not running (optional: agy-reader --watch)\n", "\n  exit 0 — healthy\n"})

	// It only asks for what there is, once, and shows no token.
	for _, r := range d.Requests() {
		if r.Token != d.Token() {
			t.Errorf("received %+v", r)
		}
	}
	d.Forget()
	if _, said := p.run("--root", root, "doctor", "--json"); strings.Contains(said, d.Token()) || !strings.Contains(said, `"call": "answered"`) {
		t.Errorf("JSON:\n%s", said)
	}
	if got := d.Requests(); len(got) != 1 || got[0].Method != "GetAllCascadeTrajectories" {
		t.Errorf("received %+v", got)
	}

	// Somebody changes the sidecar: it is not what was verified any more.
	text, err := os.ReadFile(strings.TrimSuffix(path, ".db") + ".trajectory.json")
	if err != nil {
		t.Fatal(err)
	}
	changed := append(bytes.TrimRight(text, "}\n"), `,"more":1}`...)
	if !json.Valid(changed) {
		t.Fatalf("%s", changed)
	}
	if err := os.WriteFile(strings.TrimSuffix(path, ".db")+".trajectory.json", changed, 0o600); err != nil {
		t.Fatal(err)
	}
	p.doctor(1, named, []string{"SQLite 0 verified, 1 incomplete, 0 unknown", "the sidecar is not what was verified"})
	if code, said := p.run("--root", root, "--sync", sessionID(path)); code != 0 {
		t.Fatalf("sync: exit code %d\n%s", code, said)
	}

	d.Kill()
	p.doctor(0, named, []string{"  daemon:      not running (start agy to refresh sidecars)\n", "1 verified", "!csrf:", "\n  exit 0 — healthy\n"})
	p.env = append(p.env, "ANTIGRAVITY_DAEMON_URL="+d.URL())
	p.doctor(1, named, []string{"configured URL unreachable (" + d.URL() + ") — fix or unset ANTIGRAVITY_DAEMON_URL", "→ unset it", "exit 1 — action needed"})
}

// The user's address is honoured, and used for every store.
func TestReferenceN71PinnedURL(t *testing.T) {
	t.Parallel()
	root, _ := agytest.Store(t)
	d := agytest.Start(t, agytest.Options{Root: root})
	elsewhere := t.TempDir()
	p := newPerson(t, "ANTIGRAVITY_DAEMON_URL="+d.URL(), "ANTIGRAVITY_CSRF_TOKEN="+d.Token())
	p.doctor(0, []string{"--root", elsewhere}, []string{"  daemon:      reachable (" + d.URL() + ")\n", "  csrf:        token found\n"})
	p.env[len(p.env)-1] = "ANTIGRAVITY_CSRF_TOKEN=wrong"
	p.doctor(1, []string{"--root", elsewhere}, []string{"  auth:        rejected — sync blocked\n", "unset ANTIGRAVITY_CSRF_TOKEN", "!wrong"})
}

// agy asks for a token that nobody knows until a tool shows it.
func TestDoctorAuth(t *testing.T) {
	t.Parallel()
	root, path := agytest.Store(t)
	d := agytest.Start(t, agytest.Options{Root: root, HowToken: agytest.Exported})
	p := newPerson(t)
	named := []string{"--root", root}
	rejected := []string{"  auth:        rejected — sync blocked\n", "answers 401", "→ let agy run a tool", "agy --csrf_token=\"$(uuidgen)\"", "→ when the daemon accepts the token, ", "!csrf:", "exit 1"}
	p.doctor(1, named, rejected[2:])
	tool := d.Tool(t)
	if code, said := p.run("--root", root, "--sync", sessionID(path)); code != 0 {
		t.Fatalf("sync: exit code %d\n%s", code, said)
	}
	p.doctor(0, named, []string{"csrf:        token found", "!auth:"})
	if err := tool.Stop(); err != nil {
		t.Fatal(err)
	}
	p.doctor(1, named, []string{rejected[0], "1 verified, 0 incomplete, 0 unknown", "exit 1"})
}

// Two stores: the IDE's daemon and the CLI's, each with its own token; a closed one waits, one without a token does too, and
// named stores must not.
func TestDoctorTwoStores(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	cli, ide := filepath.Join(p.home, ".gemini", "antigravity-cli"), filepath.Join(p.home, ".gemini", "antigravity")
	logs := filepath.Join(p.home, ".config", "Antigravity", "logs")
	for _, dir := range []string{cli, ide, logs} {
		if err := os.MkdirAll(filepath.Join(dir, "conversations"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	agy := agytest.Start(t, agytest.Options{Root: cli})
	server := agytest.Start(t, agytest.Options{Root: ide, Surface: "ide", LogFolder: logs})
	p.doctor(0, nil, []string{
		cli + "\n  surface:     cli\n  daemon:      reachable (" + agy.URL() + ")\n", ide + "\n  surface:     ide\n  daemon:      reachable (" + server.URL() + ")\n  csrf:        token found\n",
		"\n  exit 0 — healthy\n", "!auth:",
	})
	agy.Kill()
	p.doctor(0, nil, []string{"exit 0 — healthy (1 root(s) waiting, see above)"})
	server.Kill()
	p.doctor(0, nil, []string{"start the IDE to refresh", "no token (found when the IDE runs)", "exit 0 — healthy (2 root(s) waiting, see above)"})
	p.doctor(0, []string{"--root", cli, "--root", ide}, []string{"\n  exit 0 — healthy\n"})

	// Missing sidecars fail, open or closed, discovered or named.
	clean(t, filepath.Join(ide, "conversations", "c1ea0000-0000-4000-8000-000000000001.db"))
	p.doctor(1, nil, []string{"→ start the IDE; then agy-reader --watch refreshes them all", "exit 1 — action needed"})
}

// A watcher is seen for the stores it covers, whatever the case of a flag; --watch=false and another store's are none.
func TestReferenceN73DoctorSeesItsWatcher(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	root, other := filepath.Join(p.home, "one"), filepath.Join(p.home, "two")
	for _, dir := range []string{root, other} {
		if err := os.MkdirAll(filepath.Join(dir, "conversations"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	watch := func(args ...string) (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		cmd := p.command(ctx, args...)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 20 * time.Second
		said, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := said.Read(make([]byte, 1)); err != nil { // it runs
			t.Fatal(err)
		}
		return func() {
			cancel()
			_ = cmd.Wait()
		}
	}
	stop := watch("--root=one", "--watch")
	p.doctor(0, []string{"--root", root, "--root", other}, []string{root + "\n", "watch:       running\n", "watch:       not running (optional: agy-reader --watch)\n"})
	p.doctor(0, []string{"--root", other}, []string{"!watch:       running\n"})
	stop()
	p.doctor(0, []string{"--root", root}, []string{"!watch:       running\n"})
	p.env = append(p.env, "ANTIGRAVITY_CLI_ROOT="+root)
	stop = watch("--watch")
	p.doctor(0, []string{"--root", root}, []string{"watch:       running\n"})
	stop()
}
