package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"agy-reader/host/agytest/control"
)

// tools are the programs that run for the model, by process id.
type tools struct {
	mu      sync.Mutex
	running map[int]tool
}

type tool struct {
	cmd   *exec.Cmd
	input io.Closer
}

// toolEnvironment is what agy tells a tool about itself (behaviour.md c.4), with changes.
func (d *daemon) toolEnvironment(changes []string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		fmt.Sprintf("ANTIGRAVITY_LS_ADDRESS=localhost:%d", d.port),
		"ANTIGRAVITY_LS_VERSION=" + d.config.Version,
		"ANTIGRAVITY_CSRF_TOKEN=" + d.config.Token,
	}
	for _, change := range changes {
		name, _, set := strings.Cut(change, "=")
		env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if set {
			env = append(env, change)
		}
	}
	return env
}

// start runs a tool. It ends when it is stopped or when the daemon does, whatever way.
func (t *tools) start(env []string) (pid int, err error) {
	own, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := &exec.Cmd{Path: own, Args: []string{control.ToolName}, Env: env}
	input, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running == nil {
		t.running = map[int]tool{}
	}
	t.running[cmd.Process.Pid] = tool{cmd, input}
	return cmd.Process.Pid, nil
}

// stop ends a tool and waits for it.
func (t *tools) stop(pid int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	one, is := t.running[pid]
	if !is {
		return errors.New("no such tool")
	}
	delete(t.running, pid)
	one.input.Close()
	return one.cmd.Wait()
}
