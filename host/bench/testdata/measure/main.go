//go:build linux || darwin

// Command measure runs a program once, with its standard output in a file, and prints what it took as JSON:
//
//	measure FILE PROGRAM ARGUMENT…
//
// The file is removed first, so that whoever writes it, the program itself or we, has as much to do as every other.
// It is a program of its own because the kernel counts the memory of the process that starts a program into the peak of
// that program: whoever measures must be small.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Taken is the output; host/bench reads it. Times are nanoseconds.
type Taken struct {
	Wall, CPU time.Duration
	// RSS is the peak resident set in bytes of the largest process, the program or one it waited for.
	RSS    int64
	Exit   int
	Stderr string
}

// tail keeps the end of what a program says about its failure.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > 4096 {
		t.text = t.text[len(t.text)-4096:]
	}
	return len(p), nil
}

// create makes an empty file, or opens a device such as /dev/null.
func create(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

func main() {
	if len(os.Args) < 3 {
		os.Exit(2)
	}
	out, err := create(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	stderr := &tail{}
	cmd.Stdout, cmd.Stderr = out, stderr
	start := time.Now()
	err = cmd.Run()
	t := Taken{Wall: time.Since(start), Stderr: string(stderr.text)}
	if cmd.ProcessState == nil {
		t.Exit, t.Stderr = -1, err.Error()
	} else {
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		t.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		t.RSS = int64(usage.Maxrss)
		if runtime.GOOS == "linux" {
			t.RSS <<= 10
		}
		t.Exit = cmd.ProcessState.ExitCode()
	}
	if err := json.NewEncoder(os.Stdout).Encode(t); err != nil {
		os.Exit(1)
	}
}
