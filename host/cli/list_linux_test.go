package cli

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal: what is written to one end is read from the other.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	master, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	person = os.NewFile(uintptr(master), "ptmx")
	t.Cleanup(func() { person.Close() })
	if err := unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetInt(master, unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	if program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// A list that takes long says how far it is, on a terminal's stderr; a quick one says nothing.
func TestCaseN06Progress(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		takes time.Duration
		shown bool
	}{{0, false}, {900 * time.Millisecond, true}} {
		person, program := terminal(t)
		a := &app{streams: Streams{Err: program}}
		var done atomic.Int64
		stop := a.showProgress("reading titles", &done, 1000)
		done.Store(250)
		time.Sleep(tc.takes)
		stop()
		program.Close()
		text := make([]byte, 4096)
		_ = person.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		n, _ := person.Read(text) // nothing, or the end, is an error
		if shown := strings.Contains(string(text[:n]), "250/1000"); shown != tc.shown {
			t.Errorf("after %v: %q", tc.takes, text[:n])
		}
	}
}
