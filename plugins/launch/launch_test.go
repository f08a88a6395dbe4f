//go:build unix

package launch_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/launch"
	"agy-reader/sinks"
)

func self(t testing.TB, args ...string) launch.Command {
	t.Helper()
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return launch.Command{Path: file, Args: args}
}

func request() *sinks.Request { return &sinks.Request{BaseName: "base"} }

func readAccount(t *testing.T, file string) account {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var a account
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// gone fails when a process of the group is left after three seconds.
func gone(t *testing.T, group int) {
	t.Helper()
	within(t, func() int { return alive(group) })
}

// goneProcess is the same for a single process.
func goneProcess(t *testing.T, pid int) {
	t.Helper()
	within(t, func() int { return aliveProcess(pid) })
}

func within(t *testing.T, left func() int) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Second); left() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d processes are left", left())
		}
	}
}

func TestProcess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "account")
	p, err := launch.Start(t.Context(), self(t, "good", file), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if diff := cmp.Diff(trial.All().Describe(), p.Sink().Describe()); diff != "" || p.Sink().Version() != "1.2.3" {
		t.Errorf("version %s: %s", p.Sink().Version(), diff)
	}
	for _, n := range []int{3, 500, 0} {
		events := trial.Conversation(n)
		want, err := trial.Drive(t.Context(), trial.All(), request(), &trial.Memory{}, false, events...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.Drive(t.Context(), p.Sink(), request(), &trial.Memory{}, true, events...)
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(want, got) {
			t.Errorf("%d steps: outputs differ", n)
		}
	}
	a := readAccount(t, file)
	if a.PID != a.Group {
		t.Errorf("process %d is in group %d", a.PID, a.Group)
	}
	if !a.StdinEnds {
		t.Error("the plugin got a standard input")
	}
	if info, err := os.Stat(a.SocketDir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("socket folder: %v %v", info.Mode(), err)
	}
	if a.Dir != a.SocketDir || len(a.SocketDir) > 68 {
		t.Errorf("folders %s, %s", a.Dir, a.SocketDir)
	}
	var names []string
	for _, entry := range a.Env {
		name, _, _ := strings.Cut(entry, "=")
		names = append(names, name)
	}
	if slices.Contains(names, "AGY_TEST_SECRET") || len(names) > 20 {
		t.Errorf("environment: %s", names)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	gone(t, a.Group)
	if _, err := os.Stat(a.SocketDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket folder is left: %v", err)
	}
	if _, err := p.Sink().Open(t.Context(), request(), &trial.Memory{}); !errors.Is(err, sinks.ErrPlugin) {
		t.Errorf("open after close: %v", err)
	}
}

func TestLargeEvent(t *testing.T) {
	t.Parallel()
	p, err := launch.Start(t.Context(), self(t, "good"), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	event := trial.Sized(0, 50<<20)
	got, err := trial.Drive(t.Context(), p.Sink(), request(), &trial.Memory{}, false, event)
	if err != nil {
		t.Fatal(err)
	}
	want, err := trial.Drive(t.Context(), trial.All(), request(), &trial.Memory{}, false, event)
	if err != nil {
		t.Fatal(err)
	}
	if string(got["base.show"]) != string(want["base.show"]) {
		t.Errorf("%d bytes came, %d were sent", len(got["base.show"]), len(want["base.show"]))
	}
}

func TestBadPlugins(t *testing.T) {
	t.Parallel()
	const (
		name  = "plugin launch.test"
		notes = "\nit wrote to standard error:\n  | "
	)
	plug, late := sinks.ErrPlugin, sinks.ErrTimeout
	tests := []struct {
		mode string
		kind error
		text []string
	}{
		{"prints", plug, []string{name, `it printed "starting up\x1b[0m …" where its handshake belongs`, "must not print to standard output"}},
		{"prints a megabyte", plug, []string{`it printed "xxx`, `" … where its handshake belongs`}},
		{"hello", plug, []string{`it printed "hello" where its handshake belongs`}},
		{"a|b|c|d|e", plug, []string{`it printed "a|b|c|d|e" where its handshake belongs`}},
		{"1|2|unix|/nowhere|grpc|", plug, []string{"it speaks version 2 of the plugin protocol, this program speaks 1", "get a release"}},
		{"2|1|unix|/nowhere|grpc|", plug, []string{"incompatible go-plugin (core protocol 2, expected 1)"}},
		{"1|1|unix|/nowhere|netrpc|", plug, []string{"it does not serve gRPC"}},
		{"1|1|carrier-pigeon|/nowhere|grpc|", plug, []string{`its handshake "1|1|carrier-pigeon|/nowhere|grpc|" cannot be used`}},
		{"1|1|unix|/nowhere|grpc|" + strings.Repeat("A", 60), plug, []string{"cannot be used", "cert"}},
		{"1|1|unix|/nowhere|grpc|", plug, []string{"it offers no certificate"}},
		{"no certificate", plug, []string{"it offers no certificate, so the connection cannot be protected"}},
		{"wrong cookie", plug, []string{"it ended before it answered (exit status 1)", "This binary is a plugin", "is a plugin for agy-reader"}},
		{"hangs", late, []string{"it did not answer within 1.5s"}},
		{"closes stdout", late, []string{"it did not answer within 1.5s"}},
		{"no describe", late, []string{"it did not describe itself within 3s"}},
		{"exits", plug, []string{"it ended before it answered (exit status 3)", `no configuration\u0007 found`}},
		{"exits silently", plug, []string{"it ended before it answered (exit status 0)"}},
		{"panics at start", plug, []string{"(exit status 2)", "  | panic: nothing works"}},
		{"never opens", late, []string{"plugin script: it did not get ready for the conversation within 1s"}},
		{"panics", plug, []string{"plugin script: panic in event: mid-stream; report this to the author"}},
		{"crashes", plug, []string{"the conversation broke off: the process ended (exit status 2)" + notes + "panic: in a goroutine of its own"}},
		{"exits mid-stream", plug, []string{"the process ended (exit status 7)"}},
		{"killed", plug, []string{"the process ended (signal: killed)"}},
		{"chunk before begin", plug, []string{"plugin script 0: it broke the protocol: artifact chunk for number 0, which is not open"}},
		{"two dones", plug, []string{"it broke the protocol: done after done"}},
		{"lies", plug, []string{"it broke the protocol: done counts 5 events, 4 were sent"}},
		{"5 MiB", plug, []string{"it broke the protocol: a message above 1048576 bytes"}},
	}
	for _, tt := range tests {
		t.Run(tt.mode[:min(len(tt.mode), 40)], func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "account")
			out := &trial.Memory{}
			// Only what is to time out has little time: the machine may be busy.
			opts := launch.Options{StartTimeout: 30 * time.Second, Idle: 30 * time.Second}
			switch tt.mode {
			case "hangs", "closes stdout":
				opts.StartTimeout = 1500 * time.Millisecond
			case "no describe":
				opts.StartTimeout = 3 * time.Second
			case "never opens":
				opts.Idle = time.Second
			}
			err := convert(t.Context(), self(t, "bad", tt.mode, file), opts, out)
			if err == nil {
				t.Fatal("no error")
			}
			t.Log(err)
			if !errors.Is(err, tt.kind) {
				t.Errorf("the kind is not %q", tt.kind)
			}
			for _, text := range tt.text {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("error is\n%s\nwant in it\n%s", err, text)
				}
			}
			if out.Published() != nil {
				t.Error("something was published")
			}
			a := readAccount(t, file)
			gone(t, a.Group)
			if _, err := os.Stat(a.SocketDir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the socket folder is left: %v", err)
			}
		})
	}
}

// convert starts a plugin, gives it three steps in four events and closes it.
func convert(ctx context.Context, command launch.Command, opts launch.Options, out *trial.Memory) error {
	p, err := launch.Start(ctx, command, opts)
	if err != nil {
		return err
	}
	_, err = trial.Drive(ctx, p.Sink(), request(), out, false, trial.Conversation(0)[0], trial.Sized(0, 9), trial.Sized(1, 9), trial.Sized(2, 9))
	return errors.Join(err, p.Close())
}

func TestStubbornGroupIsGone(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"stubborn", "leaves a child"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "account")
			p, err := launch.Start(t.Context(), self(t, "bad", mode, file), launch.Options{})
			if err != nil {
				t.Fatal(err)
			}
			a := readAccount(t, file)
			if alive(a.Group) < 2 {
				t.Fatal("the grandchild does not run")
			}
			began := time.Now()
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("close took %s", took)
			}
			gone(t, a.Group)
		})
	}
}

// What left the group outlives the plugin, but holds nobody up.
func TestDaemonHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "account")
	p, err := launch.Start(t.Context(), self(t, "bad", "leaves a daemon", file), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file + ".daemon")
	if err != nil {
		t.Fatal(err)
	}
	daemon, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = killHard(daemon) }()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	gone(t, readAccount(t, file).Group)
	if aliveProcess(daemon) == 0 {
		t.Error("the daemon did not outlive it, so this test shows nothing")
	}
}

// SIGTERM ends a plugin after its conversations were aborted.
func TestTerminated(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "account")
	p, err := launch.Start(t.Context(), self(t, "bad", "terminated", file), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	session, err := p.Sink().Open(t.Context(), request(), &trial.Memory{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Abort()
	a := readAccount(t, file)
	if err := terminate(a.PID); err != nil {
		t.Fatal(err)
	}
	gone(t, a.Group)
	if err := session.Close(); !errors.Is(err, sinks.ErrPlugin) {
		t.Errorf("close: %v", err)
	}
	if _, err := os.Stat(file + ".aborted"); err != nil {
		t.Errorf("the conversation was not aborted: %v", err)
	}
}

func TestFloodedLogs(t *testing.T) {
	t.Parallel()
	p, err := launch.Start(t.Context(), self(t, "bad", "floods"), launch.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := trial.Drive(t.Context(), p.Sink(), request(), &trial.Memory{}, false, trial.Conversation(2)...); err != nil {
		t.Fatal(err)
	}
}

func TestStartIsCancelled(t *testing.T) {
	t.Parallel()
	// Before the program runs, about when it starts, and while it hangs.
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 40 * time.Millisecond, time.Second} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "account")
			stop := errors.New("the user stopped it")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(after, func() { cancel(stop) })
			_, err := launch.Start(ctx, self(t, "bad", "hangs", file), launch.Options{StartTimeout: time.Hour})
			if !errors.Is(err, stop) || errors.Is(err, sinks.ErrPlugin) {
				t.Error(err)
			}
			if _, err := os.Stat(file); err == nil {
				gone(t, readAccount(t, file).Group)
			}
		})
	}
}
