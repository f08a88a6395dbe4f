// Package command runs other programs for a bounded time and keeps a bounded part of what they say. No shell is used, they get
// no input, and never our token.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrMissing says that there is no such program on PATH.
var ErrMissing = errors.New("not on PATH")

// Command is one program to run.
type Command struct {
	// Name is looked up on PATH; one in the current folder that PATH finds by a relative entry is none.
	Name string
	Args []string
	// Dir is where it runs; empty is the current folder.
	Dir string
	// Timeout ends it, with all it started.
	Timeout time.Duration
	// Keep is how many bytes of its output are kept: the last ones with Tail, else the first ones.
	Keep int
	Tail bool
	// Both keeps what it says on standard error too.
	Both bool
}

// String is the command line for people.
func (c Command) String() string { return strings.Join(append([]string{c.Name}, c.Args...), " ") }

// Run runs a program and returns what it said as valid text, and whether that is all. The error is ErrMissing, that of ctx,
// or says what the program did; the output goes with it.
func Run(ctx context.Context, c Command) (said string, whole bool, err error) {
	path, err := exec.LookPath(c.Name)
	if err != nil {
		return "", false, fmt.Errorf("%s is %w", c.Name, ErrMissing)
	}
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	out := &bounded{keep: c.Keep, tail: c.Tail}
	cmd := exec.CommandContext(limited, path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = slices.DeleteFunc(os.Environ(), secret)
	cmd.Stdout = out
	if c.Both {
		cmd.Stderr = out
	}
	cmd.WaitDelay = time.Second
	endTogether(cmd)
	err = cmd.Run()
	said, whole = strings.ToValidUTF8(string(out.data), string(utf8.RuneError)), !out.cut
	switch {
	case ctx.Err() != nil:
		return said, whole, context.Cause(ctx)
	case limited.Err() != nil:
		return said, whole, fmt.Errorf("`%s` did not end within %s", c, c.Timeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // something it left behind keeps its output open
		return said, whole, fmt.Errorf("`%s` failed: %w", c, err)
	}
	return said, whole, nil
}

// bounded keeps a part of what is written to it.
type bounded struct {
	data []byte
	keep int
	tail bool
	cut  bool
}

// Write implements io.Writer.
func (b *bounded) Write(data []byte) (int, error) {
	n := len(data)
	if b.tail {
		b.data = append(b.data, data...)
		if over := len(b.data) - b.keep; over > 0 {
			b.cut = true
			b.data = append(b.data[:0], b.data[over:]...)
		}
		return n, nil
	}
	room := b.keep - len(b.data)
	if n > room {
		b.cut = true
		data = data[:room]
	}
	b.data = append(b.data, data...)
	return n, nil
}

// secret reports whether a variable holds, or may hold, what lets one into a daemon: a token, or an address with a password.
func secret(variable string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
	return slices.Contains([]string{"ANTIGRAVITY_CSRF_TOKEN", "ANTIGRAVITY_PAIR_TOKEN", "ANTIGRAVITY_DAEMON_URL"}, name)
}
