package endpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agy-reader/host/endpoint/proc"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// The newest line of a log counts.
func TestReferenceN16NewestLine(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	p := tr.agy(7, s.port, "--csrf_token=T")
	tr.write(p.log, logText(1)+logText(2)+logText(s.port)+"I0616 21:38:09.605102  3516 server.go:9] more\n")
	tr.add(p)
	if e, err := visit(t, tr.finder(), tr.root); err != nil || e.PID != 7 || s.received() != "T" {
		t.Errorf("%+v, %v", e, err)
	}
}

// A cli.log that a short run left behind names a dead port; the process that runs is found all the same.
func TestReferenceN17DeadPort(t *testing.T) {
	t.Parallel()
	tr, s, dead := newTree(t), serve(t), deadPort(t)
	tr.write(filepath.Join(tr.root.Path, "log", "cli-20260616_224517.log"), logText(dead))
	tr.link(filepath.Join(tr.root.Path, "log", "cli-20260616_224517.log"), filepath.Join(tr.root.Path, "cli.log"))
	f := tr.finder()
	var missing *NotFoundError
	if _, err := visit(t, f, tr.root); !errors.As(err, &missing) || !errors.Is(err, daemon.ErrUnavailable) || !strings.Contains(err.Error(), fmt.Sprintf("discovered daemon port %d is unreachable", dead)) {
		t.Errorf("alone: %v", err)
	}
	tr.add(tr.agy(7, s.port))
	if e, err := visit(t, f, tr.root); err != nil || e.PID != 7 || s.received() != "none" {
		t.Errorf("%+v, %v", e, err)
	}
}

// A token goes to its own port, store and network namespace only.
func TestReferenceN18OtherPortRootNamespace(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*tree, *process){
		"port of the log is not its own":     func(tr *tree, p *process) { tr.write(p.log, logText(p.port)); p.port = 1 },
		"log of another store":               func(tr *tree, p *process) { p.log = filepath.Join(filepath.Dir(tr.root.Path), "other", "cli.log") },
		"log of another name":                func(tr *tree, p *process) { p.log = filepath.Join(tr.root.Path, "log", "daemon.log") },
		"log deeper in the store":            func(tr *tree, p *process) { p.log = filepath.Join(tr.root.Path, "log", "old", "cli-7.log") },
		"no log":                             func(_ *tree, p *process) { p.log = "" },
		"another network namespace":          func(_ *tree, p *process) { p.net = "net:[2]" },
		"another user":                       func(_ *tree, p *process) { p.uid++ },
		"another name":                       func(_ *tree, p *process) { p.args[0] = "/opt/bin/agyx" },
		"on all addresses":                   func(_ *tree, p *process) { p.address = "0.0.0.0" },
		"on all IPv6 addresses":              func(_ *tree, p *process) { p.address = "::" },
		"on another address":                 func(_ *tree, p *process) { p.address = "10.0.0.1" },
		"another socket on the same address": func(_ *tree, p *process) { p.others = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr, s := newTree(t), serve(t)
			p := tr.agy(7, s.port, "--csrf_token", "T")
			change(tr, &p)
			tr.add(p)
			tr.add(tool(8, s.port, "T"))
			e, err := visit(t, tr.finder(), tr.root)
			// The log alone may still lead there, which gives no token.
			if got := s.received(); got != "" && got != "none" || e.PID != 0 || e.Token.Known() {
				t.Errorf("received %q, %+v, error %v", got, e, err)
			}
			tr.env[urlVariable] = localURL(s.port)
			if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "none" {
				t.Errorf("a pinned address got a token, or %v", err)
			}
		})
	}
}

func TestListenerForms(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	p := tr.agy(7, s.port, "--csrf_token", "T")
	p.address = "::ffff:127.0.0.1"
	tr.add(p)
	if e, err := visit(t, tr.finder(), tr.root); err != nil || e.URL != localURL(s.port) || s.received() != "T" {
		t.Errorf("%+v, %v", e, err)
	}
	six := serve(t, "[::1]:0")
	tr = newTree(t)
	p = tr.agy(7, six.port, "--csrf_token", "T")
	p.address = "::1"
	tr.add(p)
	if e, err := visit(t, tr.finder(), tr.root); err != nil || e.URL != fmt.Sprintf("http://[::1]:%d", six.port) || six.received() != "T" {
		t.Errorf("%+v, %v", e, err)
	}
}

// Arguments that are not the launch flag give no token: a prompt that looks like it, a flag that is not the first argument, or
// one that is repeated.
func TestReferenceN19PromptLooksLikeFlag(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-p", "--csrf_token=evil"},
		{"-p", "--csrf_token", "evil"},
		{"--", "--csrf_token=evil"},
		{"explain --csrf_token=evil"},
		{"--csrf_token", "--evil"},
		{"--csrf_token="},
		{"--csrf_token"},
		{"--csrf_token_file=evil"},
		{"csrf_token=evil"},
		{"---csrf_token=evil"},
		{"--extension_server_csrf_token=evil"},
	} {
		checkLaunch(t, args, "none")
	}
	for _, args := range [][]string{{"--csrf_token=T"}, {"--csrf_token", "T"}, {"-csrf_token=T"}, {"-csrf_token", "T", "-p", "about csrf_token"}} {
		checkLaunch(t, args, "T")
	}
}

func TestReferenceN20FlagPosition(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"--continue", "--csrf_token=T"}, {"--csrf_token=T", "--csrf_token=U"}, {"--csrf_token=T", "--csrf_token=T"}, {"--csrf_token", "T", "-p", "--csrf_token=T"}, {"--csrf_token", "T", "-csrf_token", "U"},
	} {
		checkLaunch(t, args, "none")
	}
}

func checkLaunch(t *testing.T, args []string, want string) {
	t.Helper()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port, args...))
	if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != want {
		t.Errorf("%q: not %s, %v", args, want, err)
	}
}

// A child of agy that has not become its own program yet has the name, the arguments, the log and the socket of its agy.
func TestChildThatIsNotYetItself(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port))
	tr.add(tool(8, s.port, "T"))
	child := tr.agy(9, 0)
	child.log = filepath.Join(tr.root.Path, "log", "cli-7.log")
	tr.add(child)
	tr.link(fmt.Sprintf("socket:[%d]", tr.inode), filepath.Join(tr.dir, "9", "fd", "10"))
	if e, err := visit(t, tr.finder(), tr.root); err != nil || e.PID != 7 || s.received() != "T" {
		t.Errorf("%+v, %v", e, err)
	}
}

// Before agy starts there is an error; then the same Finder finds it.
func TestReferenceN31BeforeAgy(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	f := tr.finder()
	var missing *NotFoundError
	if _, err := visit(t, f, tr.root); !errors.As(err, &missing) || missing.Root != tr.root.Path || strings.Contains(missing.Cause.Error(), urlVariable) {
		t.Fatalf("before: %v", err)
	}
	tr.add(tr.agy(7, s.port, "--csrf_token=T"))
	if e, err := visit(t, f, tr.root); err != nil || e.PID != 7 || s.received() != "T" {
		t.Errorf("%+v, %v", e, err)
	}
}

// After a restart the address is the new one, with the new token, and says so.
func TestReferenceN34PortMove(t *testing.T) {
	t.Parallel()
	tr, before, after := newTree(t), serve(t), serve(t)
	tr.add(tr.agy(7, before.port, "--csrf_token=T"))
	f := tr.finder()
	first, err := visit(t, f, tr.root)
	if err != nil || before.received() != "T" {
		t.Fatal(err)
	}
	tr.remove(7)
	tr.add(tr.agy(8, after.port, "--csrf_token=U"))
	second, err := visit(t, f, tr.root)
	if err != nil || after.received() != "U" || before.received() != "" || second.URL == first.URL || second.Origin != "process 8, log/cli-8.log" {
		t.Errorf("%+v, %+v, %v", first, second, err)
	}
}

// No token is known: no header, not an empty one.
func TestReferenceN38NoEmptyHeader(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port))
	tr.env[tokenVariable] = "  "
	if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "none" {
		t.Error(err)
	}
}

// More than eight others are not tried.
func TestReferenceN87EightOthers(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	for i := range 11 {
		tr.add(tr.agy(100+i, serve(t).port, fmt.Sprint("--csrf_token=", i)))
	}
	tr.add(tr.agy(200, deadPort(t), "--csrf_token=x"))
	f := tr.finder()
	first, err := f.Find(t.Context(), tr.root)
	if err != nil || first.PID != 110 {
		t.Fatalf("%+v, %v", first, err)
	}
	others, err := f.Others(t.Context(), tr.root, first)
	if err != nil || len(others) != MaxOthers {
		t.Fatalf("%d others, %v", len(others), err)
	}
	for i, e := range others {
		if e.PID != 109-i || e.Token != daemon.NewToken(fmt.Sprint(9-i)) {
			t.Errorf("%d: %+v", i, e)
		}
	}
}

// Without an endpoint the error says what to do; no token is in it.
func TestNotFound(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.env[tokenVariable] = "secret-token"
	_, err := tr.finder().Find(t.Context(), tr.root)
	var missing *NotFoundError
	if !errors.As(err, &missing) {
		t.Fatal(err)
	}
	if said := err.Error(); strings.Contains(said, "\n") || len(said) > 200 {
		t.Errorf("advice stands in the message: %s", said)
	}
	for _, want := range []string{urlVariable + " is not set", "read cli.log", "ss -tlnp | grep agy", "lsof -iTCP -sTCP:LISTEN -anP | grep agy", "the port logged for HTTP", "export " + urlVariable + "=http://127.0.0.1:<port>", tokenVariable} {
		if !strings.Contains(err.Error()+missing.Next(), want) {
			t.Errorf("%v, %s lacks %q", err, missing.Next(), want)
		}
	}
	if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "secret-token") {
		t.Error("the token is in the error")
	}
	tr.write(filepath.Join(tr.root.Path, "cli.log"), "nothing\n")
	if _, err := tr.finder().Find(t.Context(), tr.root); err == nil || !strings.Contains(err.Error(), "no active HTTP daemon port found in "+tr.root.Path) {
		t.Error(err)
	}
	if _, err := tr.finder().Find(t.Context(), store.Root{Path: "/none/such", Surface: "cli"}); err == nil {
		t.Error("a store that is not there")
	}
	f := New(testEnvironment("", nil))
	f.proc = proc.FS{Dir: t.TempDir()}
	if _, err := f.Find(t.Context(), tr.root); err == nil {
		t.Error("no proc file system")
	}
}

// deadPort is a port that nobody listens on: it is taken by a socket that does not.
func deadPort(t *testing.T) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return name.(*syscall.SockaddrInet4).Port
}

// Between finding a daemon and calling it, its port may become somebody else's, who is connected to and told nothing.
func TestPortChangesHandsAfterFind(t *testing.T) {
	t.Parallel()
	call := func(e daemon.Endpoint) error {
		c := daemon.NewClient(e)
		defer c.Close()
		return c.Load(t.Context(), "x")
	}
	for name, prepare := range map[string]func(*tree, *server) (*Finder, store.Root){
		"agy": func(tr *tree, s *server) (*Finder, store.Root) {
			tr.add(tr.agy(7, s.port, "--csrf_token=T"))
			return tr.finder(), tr.root
		},
		"pinned": func(tr *tree, s *server) (*Finder, store.Root) {
			tr.add(tr.agy(7, s.port, "--csrf_token=T"))
			tr.env[urlVariable] = localURL(s.port)
			return tr.finder(), tr.root
		},
		"ide": func(tr *tree, s *server) (*Finder, store.Root) {
			tr.logs(map[string]string{"language_server.log": portLineOf(s.port), "main.log": spawnLine + "--csrf_token T\n"})
			root := tr.ide(7, s, "--csrf_token", "T")
			return tr.finder(), root
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr, s := newTree(t), serve(t)
			f, root := prepare(tr, s)
			e, err := f.Find(t.Context(), root)
			if err != nil || call(e) != nil || s.received() != "T" {
				t.Fatalf("%+v, %v", e, err)
			}
			tr.remove(7)
			tr.table.Reset()
			tr.socket("127.0.0.1", s.port, os.Geteuid()+1)
			tr.sync()
			if err := call(e); !errors.Is(err, daemon.ErrRefused) || s.received() != "" {
				t.Errorf("another user's: %v", err)
			}
		})
	}
}
