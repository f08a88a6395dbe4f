package launch

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-plugin/runner"
)

// lingering is how long pipes stay open after the program ended, for what it wrote last.
const lingering = 250 * time.Millisecond

// child is one running program. It is what go-plugin drives in place of a command of its own, because go-plugin would
// hand the program our standard input, end it without its children, and read its output without a limit.
type child struct {
	cmd *exec.Cmd
	log *slog.Logger
	err tail

	// spawned is why the program could not be started, nil if it was.
	spawned error

	// first is the first line on standard output; set before it is passed on through lines.
	first      chan struct{}
	firstLine  string
	lines      *io.PipeReader
	linesIn    *io.PipeWriter
	mu         sync.Mutex
	group      *group
	reaped     bool
	killed     bool
	exited     chan struct{}
	quiet      chan struct{}
	finalState *os.ProcessState
}

var _ runner.Runner = (*child)(nil)

func newChild(cmd *exec.Cmd, log *slog.Logger) *child {
	c := &child{
		cmd:    cmd,
		log:    log,
		first:  make(chan struct{}),
		exited: make(chan struct{}),
		quiet:  make(chan struct{}),
	}
	c.lines, c.linesIn = io.Pipe()
	return c
}

// Start runs the program. One goroutine keeps its thread for as long as the program lives.
func (c *child) Start(context.Context) error {
	c.spawned = c.start()
	return c.spawned
}

func (c *child) start() error {
	outR, outW, err := os.Pipe()
	if err != nil {
		return err
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		_ = outR.Close()
		_ = outW.Close()
		return err
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = nil, outW, errW
	prepare(c.cmd)
	started := make(chan error)
	go c.live(started)
	err = <-started
	_ = outW.Close()
	_ = errW.Close()
	if err != nil {
		_ = outR.Close()
		_ = errR.Close()
		return err
	}
	var readers sync.WaitGroup
	readers.Go(func() { c.readStdout(outR) })
	readers.Go(func() { readLines(errR, func(line string) { c.err.add(logLine(c.log, line)) }) })
	go func() {
		defer close(c.quiet)
		<-c.exited
		late := time.AfterFunc(lingering, func() {
			_ = outR.Close()
			_ = errR.Close()
		})
		readers.Wait()
		late.Stop()
		_ = outR.Close()
		_ = errR.Close()
		_ = c.linesIn.Close()
	}()
	return nil
}

// live starts the program, waits for its end and takes its group with it.
func (c *child) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.cmd.Start(); err != nil {
		started <- err
		return
	}
	group := newGroup(c.cmd)
	c.mu.Lock()
	c.group = group
	if c.killed {
		group.kill()
	}
	c.mu.Unlock()
	started <- nil
	group.await()
	if !awaitKeepsNumber {
		_ = c.cmd.Wait()
	}
	c.mu.Lock()
	group.kill()
	if awaitKeepsNumber {
		_ = c.cmd.Wait()
	}
	c.reaped = true
	c.finalState = c.cmd.ProcessState
	group.release()
	c.mu.Unlock()
	close(c.exited)
}

// readStdout passes on the first line, the handshake. What comes later has no reader and is only logged.
func (c *child) readStdout(r io.Reader) {
	n := 0
	readLines(r, func(line string) {
		n++
		switch {
		case n == 1:
			c.firstLine = line
			close(c.first)
			_, _ = c.linesIn.Write([]byte(line + "\n"))
		case strings.TrimSpace(line) != "":
			c.log.Debug("plugin printed to its standard output", "line", strconv.Quote(line))
		}
	})
}

// handshake returns the first line of standard output, if there was one.
func (c *child) handshake() (string, bool) {
	select {
	case <-c.first:
		return c.firstLine, true
	default:
		return "", false
	}
}

// ended says how the program ended, if it has or does within limit.
func (c *child) ended(limit time.Duration) (how string, ok bool) {
	select {
	case <-c.exited:
	case <-time.After(limit):
		return "", false
	}
	// What it wrote last is worth a moment.
	select {
	case <-c.quiet:
	case <-time.After(2 * lingering):
	}
	return c.finalState.String(), true
}

// wasKilled says whether Kill ended the program.
func (c *child) wasKilled() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.killed
}

// Wait returns when the program has ended and its output is read.
func (c *child) Wait(context.Context) error {
	<-c.quiet
	if c.finalState == nil || !c.finalState.Success() {
		return fmt.Errorf("%v", c.finalState)
	}
	return nil
}

// Kill ends the program and everything in its group. It may be called at any time, more than once; before Start it has the
// program ended as soon as it runs.
func (c *child) Kill(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reaped {
		return nil
	}
	c.killed = true
	if c.group != nil {
		c.group.kill()
	}
	return nil
}

// ID is the process number, empty before Start.
func (c *child) ID() string {
	if c.cmd.Process == nil {
		return ""
	}
	return strconv.Itoa(c.cmd.Process.Pid)
}

// Stdout gives the handshake line and then nothing until the program ends.
func (c *child) Stdout() io.ReadCloser { return c.lines }

// Stderr is read by child itself.
func (c *child) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name is the file that runs.
func (c *child) Name() string { return c.cmd.Path }

// Diagnose is left to explainStart, which knows more.
func (c *child) Diagnose(context.Context) string { return "" }

// PluginToHost and HostToPlugin: both sides see the same addresses.
func (c *child) PluginToHost(network, address string) (hostNetwork, hostAddress string, err error) {
	return network, address, nil
}

// HostToPlugin is the way back.
func (c *child) HostToPlugin(network, address string) (pluginNetwork, pluginAddress string, err error) {
	return network, address, nil
}
