package endpoint

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"agy-reader/host/store"
)

// helperVariable says which role the test binary plays when a test runs it under another name; the values are blank
// separated words.
const helperVariable = "ENDPOINT_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := strings.Fields(os.Getenv(helperVariable)); len(role) > 0 {
		if err := play(role[0], role[1:]); err != nil {
			fmt.Fprintln(os.Stdout, "error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if sharedPath != "" && filepath.Base(sharedPath) == "agy" {
		os.RemoveAll(filepath.Dir(sharedPath))
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// play is a role: `daemon ADDRESS LOG` listens, writes its log, and prints its port and what tokens it gets; `wait` does
// nothing. Both end when their standard input does.
func play(role string, args []string) error {
	if role == "daemon" {
		if lo, err := loopbackUp(); err != nil && lo {
			return err
		}
		listener, err := net.Listen("tcp", args[0])
		if err != nil {
			return err
		}
		port := listener.Addr().(*net.TCPAddr).Port
		if args[1] != "-" {
			log, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
			if err != nil {
				return err
			}
			defer log.Close()
			fmt.Fprint(log, logText(port))
		}
		go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { //nolint:gosec // a test's server on loopback, which ends with it
			token := "none"
			if values, is := r.Header["X-Codeium-Csrf-Token"]; is {
				token = strings.Join(values, ",")
			}
			fmt.Fprintln(os.Stdout, "token", token)
			fmt.Fprint(w, "{}")
		}))
		fmt.Fprintln(os.Stdout, "port", port)
	} else {
		fmt.Fprintln(os.Stdout, "port", 0)
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// loopbackUp turns on the loopback device of a new network namespace. It is up already in the one tests run in.
func loopbackUp() (isNew bool, err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return false, err
	}
	defer unix.Close(fd)
	ifr, err := unix.NewIfreq("lo")
	if err != nil {
		return false, err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, ifr); err != nil || ifr.Uint16()&unix.IFF_UP != 0 {
		return false, err
	}
	ifr.SetUint16(ifr.Uint16() | unix.IFF_UP)
	return true, unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr)
}

// running is a process of a test.
type running struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.Closer
	port  int
	done  chan struct{}

	mu  sync.Mutex
	got []string
}

// start runs the test binary under a name, in a role. Its environment is env alone.
func start(t *testing.T, role string, env, argv []string, attributes *syscall.SysProcAttr) *running {
	t.Helper()
	r := &running{t: t, done: make(chan struct{})}
	r.cmd = &exec.Cmd{Path: shared(t), Args: argv, Env: append([]string{helperVariable + "=" + role}, env...), SysProcAttr: attributes, Stderr: os.Stderr, Dir: "/"}
	stdin, err := r.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		if attributes != nil {
			t.Skipf("such a process cannot be started here: %v", err)
		}
		t.Fatal(err)
	}
	r.stdin = stdin
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		t.Fatalf("%q said nothing", argv)
	}
	if n, err := fmt.Sscanf(lines.Text(), "port %d", &r.port); n != 1 || err != nil {
		t.Fatalf("%q said %q", argv, lines.Text())
	}
	go func() {
		defer close(r.done)
		for lines.Scan() {
			r.mu.Lock()
			r.got = append(r.got, strings.TrimPrefix(lines.Text(), "token "))
			r.mu.Unlock()
		}
	}()
	t.Cleanup(r.stop)
	return r
}

// stop ends the process.
func (r *running) stop() {
	r.stdin.Close()
	select {
	case <-r.done:
	case <-time.After(20 * time.Second):
		r.t.Errorf("process %d does not end", r.cmd.Process.Pid)
		_ = r.cmd.Process.Kill()
		<-r.done
	}
	_ = r.cmd.Wait()
}

// tokens are those of all requests. It is complete once the process has stopped.
func (r *running) tokens() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.got, " ")
}

func (r *running) pid() int { return r.cmd.Process.Pid }

var (
	sharedOnce sync.Once
	sharedPath string
	errShared  error
)

// shared is a copy of the test binary that every user can run.
func shared(t *testing.T) string {
	t.Helper()
	sharedOnce.Do(func() {
		var own string
		if own, errShared = os.Executable(); errShared != nil {
			return
		}
		sharedPath = own
		if os.Geteuid() != 0 {
			return
		}
		dir, err := os.MkdirTemp("", "endpoint")
		if err != nil {
			errShared = err
			return
		}
		sharedPath = filepath.Join(dir, "agy")
		data, err := os.ReadFile(own)
		if err == nil {
			err = os.WriteFile(sharedPath, data, 0o755) //nolint:gosec // another user runs it
		}
		if err == nil {
			err = os.Chmod(dir, 0o755) //nolint:gosec // another user runs it
		}
		errShared = err
	})
	if errShared != nil {
		t.Fatal(errShared)
	}
	return sharedPath
}

// realStore is a store of a test with a place for logs.
func realStore(t *testing.T) store.Root {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "log"), 0o700); err != nil {
		t.Fatal(err)
	}
	return store.Root{Path: dir, Surface: "cli"}
}
