package endpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"agy-reader/host/endpoint/proc"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// The tests of this file run real processes with real logs, sockets and environments.

func startAgy(t *testing.T, root store.Root, name string, env []string, attributes *syscall.SysProcAttr, args ...string) *running {
	t.Helper()
	return start(t, "daemon 127.0.0.1:0 "+filepath.Join(root.Path, "log", name), env, append([]string{"/opt/bin/agy"}, args...), attributes)
}

func realFinder(variables map[string]string) *Finder { return New(testEnvironment("/none", variables)) }

// The launch token goes to the process that was started with it.
func TestRealLaunchToken(t *testing.T) {
	t.Parallel()
	root := realStore(t)
	older := startAgy(t, root, "cli-1.log", nil, nil, "--csrf_token=T")
	newer := startAgy(t, root, "cli-2.log", nil, nil, "--csrf_token", "U")
	prompt := startAgy(t, root, "cli-3.log", nil, nil, "-p", "--csrf_token=evil")
	f := realFinder(nil)
	e, err := visit(t, f, root)
	if err != nil || e.PID != newer.pid() || e.Pinned {
		t.Fatalf("%+v, %v", e, err)
	}
	others, err := f.Others(t.Context(), root, e)
	if err != nil || len(others) != 2 || others[0].PID != older.pid() || others[1].PID != prompt.pid() || others[1].Token.Known() {
		t.Errorf("%+v, %v", others, err)
	}
	newer.stop()
	if e, err := visit(t, f, root); err != nil || e.PID != older.pid() {
		t.Errorf("%+v, %v", e, err)
	}
	older.stop()
	if e, err := visit(t, f, root); err != nil || e.PID != prompt.pid() {
		t.Errorf("%+v, %v", e, err)
	}
	prompt.stop()
	if got := older.tokens() + "/" + newer.tokens() + "/" + prompt.tokens(); got != "T/U/none" {
		t.Errorf("received %s", got)
	}
	var missing *NotFoundError
	if _, err := visit(t, f, root); !errors.As(err, &missing) {
		t.Error(err)
	}
}

// The token of a tool is found while it runs, kept while its agy runs, and never sent to the agy of another store.
func TestRealToolToken(t *testing.T) {
	t.Parallel()
	root, elsewhere := realStore(t), realStore(t)
	agy, other := startAgy(t, root, "cli-1.log", nil, nil), startAgy(t, elsewhere, "cli-1.log", nil, nil)
	f := realFinder(nil)
	if _, err := visit(t, f, root); err != nil {
		t.Fatal(err)
	}
	tool := start(t, "wait", exportOf(agy.port, "T"), []string{"sh"}, nil)
	for range 2 {
		if _, err := visit(t, f, root); err != nil {
			t.Error(err)
		}
		if _, err := visit(t, f, elsewhere); err != nil {
			t.Error(err)
		}
		tool.stop()
	}
	liar := start(t, "wait", exportOf(agy.port, "U"), []string{"sh"}, nil)
	second := start(t, "wait", exportOf(agy.port, "V"), []string{"sh"}, nil)
	if _, err := visit(t, f, root); err != nil {
		t.Error(err)
	}
	liar.stop()
	second.stop()
	if _, err := visit(t, f, root); err != nil {
		t.Error(err)
	}
	agy.stop()
	again := startAgy(t, root, "cli-2.log", nil, nil)
	if e, err := visit(t, f, root); err != nil || e.PID != again.pid() {
		t.Errorf("%+v, %v", e, err)
	}
	again.stop()
	other.stop()
	for r, want := range map[*running]string{agy: "none,T,T,none,none", other: "none,none", again: "none"} {
		if got := strings.ReplaceAll(r.tokens(), " ", ","); got != want {
			t.Errorf("port %d received %s, not %s", r.port, got, want)
		}
	}
}

func TestRealPairSlot(t *testing.T) {
	t.Parallel()
	root := realStore(t)
	agy := startAgy(t, root, "cli-pair-1.log", []string{"ANTIGRAVITY_PAIR_TOKEN=T"}, nil, "--pair_token_slot=1")
	if _, err := visit(t, realFinder(nil), root); err != nil {
		t.Error(err)
	}
	agy.stop()
	if agy.tokens() != "T" {
		t.Errorf("received %s", agy.tokens())
	}
}

// Another user's agy is none, though it has our log open and would take our token.
func TestRealOtherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run a process as another user")
	}
	root := realStore(t)
	for path := root.Path; strings.HasPrefix(path, os.TempDir()+"/"); path = filepath.Dir(path) {
		if err := os.Chmod(path, 0o755); err != nil { //nolint:gosec // the other user must get here
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root.Path, "log"), 0o777); err != nil { //nolint:gosec // so that the other user can write a log
		t.Fatal(err)
	}
	nobody := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	agy := startAgy(t, root, "cli-1.log", nil, nobody, "--csrf_token=T")
	start(t, "wait", exportOf(agy.port, "T"), []string{"sh"}, nil)
	if err := os.WriteFile(filepath.Join(root.Path, "cli.log"), []byte(logText(agy.port)), 0o600); err != nil {
		t.Fatal(err)
	}
	f := New(testEnvironment("/none", map[string]string{tokenVariable: "mine"}))
	if e, err := visit(t, f, root); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("%+v, %v", e, err)
	}
	// The IDE's logs name the port that another user has by now.
	home := t.TempDir()
	writeLogs(t, home, map[string]string{"language_server.log": portLineOf(agy.port), "main.log": spawnLine + "--csrf_token I\n"})
	if e, err := visit(t, New(testEnvironment(home, nil)), store.Root{Path: filepath.Join(home, ".gemini", "antigravity"), Surface: "ide"}); err == nil {
		t.Errorf("%+v", e)
	}
	agy.stop()
	if agy.tokens() != "" {
		t.Errorf("another user received %s", agy.tokens())
	}
}

// An agy in another network namespace is none, and whoever has its port number here gets no token.
func TestRealOtherNamespace(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a network namespace")
	}
	root, s := realStore(t), serve(t)
	agy := start(t, fmt.Sprintf("daemon 127.0.0.1:%d %s", s.port, filepath.Join(root.Path, "log", "cli-1.log")), nil, []string{"agy", "--csrf_token=T"}, &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET})
	if agy.port != s.port {
		t.Fatal(agy.port)
	}
	f := realFinder(nil)
	if e, err := visit(t, f, root); e.Token.Known() || e.PID != 0 {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err := visit(t, realFinder(map[string]string{urlVariable: localURL(s.port)}), root); err != nil || e.Token.Known() {
		t.Errorf("%+v, %v", e, err)
	}
	agy.stop()
	if got := s.received() + agy.tokens(); strings.Contains(got, "T") {
		t.Errorf("received %s", got)
	}
}

// A process that ends or starts while others look gives right pairs only.
func TestRealRestarts(t *testing.T) {
	t.Parallel()
	root := realStore(t)
	f := realFinder(nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	type pair struct{ url, token string }
	var found atomic.Int32
	seen := make(chan map[pair]bool)
	go func() {
		all := map[pair]bool{}
		for ctx.Err() == nil {
			if e, err := f.Find(ctx, root); err == nil && e.Token.Known() {
				all[pair{e.URL, e.Token.Reveal()}] = true
				found.Store(int32(len(all)))
			}
		}
		seen <- all
	}()
	right := map[pair]bool{}
	for i := 0; found.Load() < 5 && ctx.Err() == nil; i++ {
		token := fmt.Sprint("T", i)
		agy := startAgy(t, root, fmt.Sprintf("cli-%d.log", i), nil, nil, "--csrf_token="+token)
		right[pair{localURL(agy.port), token}] = true
		time.Sleep(time.Duration(i%10) * 40 * time.Millisecond)
		agy.stop()
	}
	cancel()
	for p := range <-seen {
		if !right[p] {
			t.Errorf("%s was given token %s", p.url, p.token)
		}
	}
	if found.Load() == 0 {
		t.Error("none was ever found")
	}
}

// The program's own processes: a watcher is seen with what it covers, until it ends.
func TestRealWatcher(t *testing.T) {
	t.Parallel()
	root := realStore(t)
	w := start(t, "wait", []string{"HOME=/none"}, []string{"/usr/local/bin/agy-reader", "--watch", "--root", root.Path}, nil)
	f := realFinder(nil)
	covered := func() bool {
		all, err := f.Watchers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			if one.PID == w.pid() {
				return one.Known && one.Covers(root)
			}
		}
		return false
	}
	if !covered() {
		t.Error("not seen")
	}
	w.stop()
	if covered() {
		t.Error("seen after its end")
	}
}

// No token shows, however an endpoint, an error or a Finder is printed.
func TestCaseK07NeverShown(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port, "--csrf_token=very-secret"))
	tr.add(tr.agy(8, s.port+1))
	tr.add(tool(9, s.port, "very-secret"))
	f := tr.finder()
	e, err := f.Find(t.Context(), tr.root)
	if err != nil || e.Token != daemon.NewToken("very-secret") {
		t.Fatalf("%+v, %v", e, err)
	}
	tr.add(process{pid: 10, start: 100, uid: os.Geteuid(), net: "net:[1]", args: []string{"agy"}, log: filepath.Join(tr.root.Path, "log", "cli-7.log"), port: s.port})
	_, again := f.Find(t.Context(), tr.root)
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		if text := fmt.Sprintf(strings.Repeat(format+" ", 5), e, &e, f.kept, again, f); strings.Contains(text, "very-secret") || strings.Contains(text, "766572792d736563726574") {
			t.Errorf("%s shows the token: %s", format, text)
		}
	}
}

// The header is the daemon's, and without it a daemon that asks for a token refuses.
func TestCaseK06Header(t *testing.T) {
	t.Parallel()
	root := realStore(t)
	agy := startAgy(t, root, "cli-1.log", nil, nil, "-csrf_token", "T")
	if e, err := visit(t, realFinder(nil), root); err != nil || e.PID != agy.pid() {
		t.Errorf("%+v, %v", e, err)
	}
	agy.stop()
	if agy.tokens() != "T" {
		t.Errorf("received %q in x-codeium-csrf-token", agy.tokens())
	}
}

// A process whose number was given away is gone.
func TestRealProcessGone(t *testing.T) {
	t.Parallel()
	w := start(t, "wait", nil, []string{"sh"}, nil)
	all, err := proc.System().Processes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.PID != w.pid() {
			continue
		}
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		w.stop()
		if err := p.Check(); !errors.Is(err, proc.ErrGone) {
			t.Error(err)
		}
		return
	}
	t.Error("not seen")
}
