package launch

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
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
