package agytest

import (
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"testing"

	"agy-reader/host/agytest/control"
)

// Daemon is a stand-in daemon. Its methods may be called from several goroutines, except Restart and Kill.
type Daemon struct {
	options Options
	path    string

	mu      sync.Mutex
	process *process
	// earlier are the requests of processes that ended.
	earlier []Request
}

// Start runs a daemon until the end of the test, and waits until it listens.
func Start(t testing.TB, o Options) *Daemon {
	t.Helper()
	if o.Root == "" {
		t.Fatal("agytest: no root")
	}
	if o.Surface == "" {
		o.Surface = "cli"
	}
	if o.HowToken == "" {
		o.HowToken = LaunchFlag
		if o.Surface != "cli" {
			o.HowToken = Logged
		}
	}
	if o.Surface != "cli" && o.LogFolder == "" {
		t.Fatal("agytest: a language server of the IDE needs a LogFolder")
	}
	if o.Layout == "" {
		o.Layout = Flat
	}
	if o.Version == "" {
		o.Version = "cli-1.4.4"
	}
	name := "agy"
	if o.Surface != "cli" {
		name = "language_server"
	}
	d := &Daemon{options: o, path: executable(t, name)}
	t.Cleanup(func() { d.running().end(t) })
	d.start(t, o.Token)
	return d
}

// start runs the process; an empty token makes a new one.
func (d *Daemon) start(t testing.TB, token string) {
	t.Helper()
	o := d.options
	switch {
	case o.HowToken == None:
		token = ""
	case token == "":
		token = rand.Text()
	}
	config := control.Config{
		Root: o.Root, Surface: o.Surface, Token: token, LogName: o.LogName, LogFolder: o.LogFolder, Layout: o.Layout,
		Version: o.Version, Address: o.Address, JSONOnly: o.JSONOnly, Hold: o.Hold,
	}
	env := slices.Clone(o.Env)
	if o.HowToken == PairSlot {
		env = append(env, "ANTIGRAVITY_PAIR_TOKEN="+token)
	}
	p := run(t, d.path, o.arguments(token), env, o.Attributes, config)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.process != nil {
		d.earlier = append(d.earlier, d.process.requests()...)
	}
	d.process = p
}

func (d *Daemon) running() *process {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.process
}

// URL is the address for HTTP, like "http://127.0.0.1:PORT"; HTTPS the other one, with a certificate nobody signed.
func (d *Daemon) URL() string { return d.running().ready.HTTP }

// HTTPS is the address for gRPC and Connect: TLS 1.3 and a certificate that nobody signed.
func (d *Daemon) HTTPS() string { return d.running().ready.HTTPS }

// Token is what requests must carry now.
func (d *Daemon) Token() string { return d.running().token }

// PID is the number of the process.
func (d *Daemon) PID() int { return d.running().pid() }

// Log is the path of the log with the port.
func (d *Daemon) Log() string { return d.running().ready.Log }

// Requests are all requests received since Start or Forget, in their order, also by processes before a Restart.
func (d *Daemon) Requests() []Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.process.flush()
	return append(slices.Clone(d.earlier), d.process.requests()...)
}

// Forget drops the requests received so far.
func (d *Daemon) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.process.flush()
	d.process.forget()
	d.earlier = nil
}

// Set tells the daemon how to behave from now on; what it was told before does not count any more. Without arguments it has no
// faults.
func (d *Daemon) Set(t testing.TB, behaviours ...Behaviour) {
	t.Helper()
	if _, err := d.running().ask(control.Command{Op: "set", Behaviours: behaviours}); err != nil {
		t.Fatalf("tell the daemon how to behave: %v", err)
	}
}

// Restart ends the process as a kill does and starts another one on another port, with a new token unless Options name one.
func (d *Daemon) Restart(t testing.TB) {
	t.Helper()
	d.RestartWith(t, d.options.Token)
}

// RestartWith is Restart with this token.
func (d *Daemon) RestartWith(t testing.TB, token string) {
	t.Helper()
	d.Kill()
	d.start(t, token)
}

// Kill ends the process at once, as `kill -9` does, and waits for it. The log and its link stay.
func (d *Daemon) Kill() { d.running().kill() }

// Tool is a program that agy runs for the model.
type Tool struct {
	process *process
	pid     int
}

// Tool starts a child process of the daemon with what agy exports: ANTIGRAVITY_LS_ADDRESS, ANTIGRAVITY_LS_VERSION and
// ANTIGRAVITY_CSRF_TOKEN. Each change is NAME=VALUE, or NAME to leave it out. It runs until Stop, or until the daemon ends.
func (d *Daemon) Tool(t testing.TB, changes ...string) *Tool {
	t.Helper()
	p := d.running()
	reply, err := p.ask(control.Command{Op: "tool", Environment: changes})
	if err != nil {
		t.Fatalf("start a tool: %v", err)
	}
	return &Tool{p, reply.PID}
}

// PID is the number of the tool's process.
func (t *Tool) PID() int { return t.pid }

// Stop ends the tool and waits for it. An error says that the daemon had ended before.
func (t *Tool) Stop() error {
	if _, err := t.process.ask(control.Command{Op: "stop", PID: t.pid}); err != nil {
		return fmt.Errorf("stop a tool: %w", err)
	}
	return nil
}
