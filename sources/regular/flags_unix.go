//go:build unix

package regular

import (
	"os"

	"golang.org/x/sys/unix"
)

// flags open a file for reading. That never waits, not even for a FIFO that took the place of a file.
const flags = os.O_RDONLY | unix.O_NONBLOCK
