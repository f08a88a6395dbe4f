package agytest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agy-reader/host/agytest/control"
)

// patience is how long a process may take to start, to answer and to end.
const patience = 20 * time.Second

// errEnded: the process is not there any more.
var errEnded = errors.New("the daemon has ended")

// process is one run of the daemon.
type process struct {
	cmd    *exec.Cmd
	input  io.WriteCloser
	errors bytes.Buffer
	token  string
	ready  control.Ready
	// done is closed when all output is read and the process has ended.
	done chan struct{}

	writing sync.Mutex

	mu      sync.Mutex
	got     []Request
	asked   int
	replies map[int]chan control.Reply
	failed  string
}

// run starts a process and waits until it listens.
func run(t testing.TB, path string, args, env []string, attributes *syscall.SysProcAttr, config control.Config) *process {
	t.Helper()
	p := &process{token: config.Token, done: make(chan struct{}), replies: map[int]chan control.Reply{}}
	name := strings.TrimSuffix(filepath.Base(path), ".exe")
	p.cmd = &exec.Cmd{
		Path: path, Args: append([]string{name}, args...), SysProcAttr: attributes, Dir: filepath.Dir(path), Stderr: &p.errors,
		Env: append([]string{control.Variable + "=1", "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir()}, env...),
	}
	var err error
	if p.input, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		if attributes != nil {
			t.Skipf("such a process cannot be started here: %v", err)
		}
		t.Fatal(err)
	}
	ready := make(chan control.Ready, 1)
	go p.listen(output, ready)
	line, err := json.Marshal(config)
	if err == nil {
		_, err = p.input.Write(append(line, '\n'))
	}
	if err != nil {
		p.kill()
		t.Fatalf("start the daemon: %v", err)
	}
	select {
	case p.ready = <-ready:
		return p
	case <-p.done:
	case <-time.After(patience):
		p.kill()
	}
	t.Fatalf("the daemon did not start: %s%s", p.failed, p.errors.String())
	return nil
}

// listen reads what the process says until it ends.
func (p *process) listen(output io.Reader, ready chan<- control.Ready) {
	defer close(p.done)
	lines := bufio.NewReaderSize(output, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var e control.Event
		if err := json.Unmarshal(line, &e); err != nil {
			e = control.Event{Failed: fmt.Sprintf("it said %q", line)}
		}
		p.mu.Lock()
		switch {
		case e.Ready != nil:
			ready <- *e.Ready
		case e.Request != nil:
			p.got = append(p.got, *e.Request)
		case e.Reply != nil:
			if to := p.replies[e.Reply.ID]; to != nil {
				to <- *e.Reply
				delete(p.replies, e.Reply.ID)
			}
		case e.Failed != "":
			p.failed = e.Failed
		}
		p.mu.Unlock()
	}
	_ = p.cmd.Wait() // a process that was killed has no good end
}

// ask sends a command and waits for its reply.
func (p *process) ask(c control.Command) (control.Reply, error) {
	answer := make(chan control.Reply, 1)
	p.mu.Lock()
	p.asked++
	c.ID = p.asked
	p.replies[c.ID] = answer
	p.mu.Unlock()
	line, err := json.Marshal(c)
	if err != nil {
		return control.Reply{}, err
	}
	p.writing.Lock()
	_, err = p.input.Write(append(line, '\n'))
	p.writing.Unlock()
	if err != nil {
		return control.Reply{}, errEnded
	}
	select {
	case reply := <-answer:
		if reply.Error != "" {
			return reply, errors.New(reply.Error)
		}
		return reply, nil
	case <-p.done:
		return control.Reply{}, errEnded
	case <-time.After(patience):
		return control.Reply{}, errors.New("the daemon does not reply")
	}
}

// flush waits until what was received is known here.
func (p *process) flush() {
	if _, err := p.ask(control.Command{Op: "ping"}); errors.Is(err, errEnded) {
		<-p.done
	}
}

func (p *process) requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.got)
}

func (p *process) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// kill ends the process at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
	p.input.Close()
}

// end lets the process end by itself; its tools end with it.
func (p *process) end(t testing.TB) {
	if p == nil {
		return
	}
	p.input.Close()
	select {
	case <-p.done:
	case <-time.After(patience):
		t.Errorf("daemon %d does not end", p.pid())
		p.kill()
	}
}
