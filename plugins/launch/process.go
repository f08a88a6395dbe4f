package launch

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"

	"agy-reader/plugins/rpc"
	"agy-reader/sinks"
)

const (
	// shutdown is how long a plugin may take to end when asked.
	shutdown = time.Second
	// reaping is how long the system may take to end what was killed.
	reaping = 2 * time.Second
)

// Process is a running plugin. It carries any number of conversations, also at the same time.
type Process struct {
	name   string
	dir    string
	child  *child
	client *plugin.Client
	sink   *rpc.SinkClient

	closing  sync.Once
	closeErr error
}

// Sink is the plugin as a sink. It works until Close or until the program ends.
func (p *Process) Sink() *rpc.SinkClient { return p.sink }

// Close asks the program to end, kills it with its whole group when it does not within a second, and removes the
// folder of its socket. Sessions still open fail. It may be called more than once; an error means that something is left
// running.
func (p *Process) Close() error {
	p.closing.Do(func() {
		p.closeErr = p.close()
		p.forget()
	})
	return p.closeErr
}

func (p *Process) close() error {
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		p.client.Kill()
	}()
	select {
	case <-killed:
		return nil
	case <-time.After(shutdown):
	}
	_ = p.child.Kill(context.Background())
	select {
	case <-killed:
		return nil
	case <-time.After(reaping):
		return fmt.Errorf("plugin %s: process %s did not end after it was killed", p.name, p.child.ID())
	}
}

// runner takes the environment go-plugin made up and completes the command with it.
func (p *Process) runner(_ hclog.Logger, spec *exec.Cmd, _ string) (runner.Runner, error) {
	p.child.cmd.Env = append(hostEnv(), spec.Env...)
	// The last one counts: the folder go-plugin made inside ours has too long a path.
	p.child.cmd.Env = append(p.child.cmd.Env, socketDirVariable+"="+p.dir)
	return p.child, nil
}

func (p *Process) fault(message string, cause error, hint string) *rpc.PluginError {
	return &rpc.PluginError{
		Plugin:     p.name,
		Diagnostic: rpc.Diagnostic{Severity: "error", Code: rpc.CodeCrashed, Message: message, Hint: hint},
		Kind:       sinks.ErrPlugin,
		Cause:      cause,
	}
}

// explainBroken says what is known of a connection that broke during a conversation.
func (p *Process) explainBroken(err error) error {
	if how, ok := p.child.ended(time.Second / 2); ok {
		return errors.New("the process ended (" + how + ")" + p.child.err.excerpt())
	}
	return fmt.Errorf("the connection broke while the process still ran: %w", err)
}
