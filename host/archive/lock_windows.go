package archive

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes a lock on a byte far behind the end, so that the file can be read meanwhile; false when another process
// holds it.
func lockFile(f *os.File) bool {
	at := windows.Overlapped{OffsetHigh: 1 << 20}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	return !errors.Is(err, windows.ERROR_LOCK_VIOLATION) && !errors.Is(err, windows.ERROR_IO_PENDING)
}
