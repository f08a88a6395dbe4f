//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package archive

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes a lock that goes with the descriptor; false when another process holds it. File systems without such locks
// do without.
func lockFile(f *os.File) bool {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false
		default:
			return true
		}
	}
}
