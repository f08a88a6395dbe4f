//go:build unix

package sqlite

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFlags opens a file for reading. It never waits, not even for a FIFO that took the place of a file.
const openFlags = os.O_RDONLY | unix.O_NONBLOCK

// ours reports whether this user owns a file.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Uid) == int64(os.Geteuid())
}
