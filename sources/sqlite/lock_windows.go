package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func lockRange(file *os.File, start, length int64) error {
	at := windows.Overlapped{Offset: uint32(start)}
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_FAIL_IMMEDIATELY, 0, uint32(length), 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errHeld
	}
	return err
}

func unlockRange(file *os.File, start, length int64) error {
	at := windows.Overlapped{Offset: uint32(start)}
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, uint32(length), 0, &at)
}
