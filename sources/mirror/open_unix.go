//go:build unix

package mirror

import (
	"os"

	"golang.org/x/sys/unix"
)

// openFlags opens a file for reading. It never waits, not even for a FIFO that took the place of a file.
const openFlags = os.O_RDONLY | unix.O_NONBLOCK
