package launch

import (
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

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
