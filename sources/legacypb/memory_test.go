package legacypb

import (
	"runtime/debug"
	"testing"
)

// The collector has its own setting again when no large file is held. Not parallel: the setting is the process's.
func TestHold(t *testing.T) {
	setting := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	usual := setting()
	one, two := hold(32<<20), hold(96<<20)
	if got, want := setting(), usual/5; got != want {
		t.Errorf("%d percent while 128 MB are held, want %d", got, want)
	}
	two()
	two()
	if got, want := setting(), usual/2; got != want {
		t.Errorf("%d percent while 32 MB are held, want %d", got, want)
	}
	small := hold(1 << 20)
	one()
	if got := setting(); got != usual {
		t.Errorf("%d percent after all, want %d", got, usual)
	}
	small()
	if huge := hold(1 << 50); setting() != 1 {
		t.Errorf("%d percent while a petabyte is held", setting())
	} else {
		huge()
	}
	if got := setting(); got != usual {
		t.Errorf("%d percent at the end, want %d", got, usual)
	}
}
