//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package artifact

import (
	"os"
	"syscall"
)

// lockFolder waits until no other process publishes into the folder. The lock is on the folder itself, so that nothing is
// left behind, and goes with the descriptor: a killed process holds it no longer. File systems without such locks do
// without.
func lockFolder(dir *os.File) {
	for {
		if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			return
		}
	}
}
