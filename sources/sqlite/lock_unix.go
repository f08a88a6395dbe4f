//go:build unix

package sqlite

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

func lockRange(file *os.File, start, length int64) error {
	return setLock(file, unix.F_RDLCK, start, length)
}

func unlockRange(file *os.File, start, length int64) error {
	return setLock(file, unix.F_UNLCK, start, length)
}

func setLock(file *os.File, kind int16, start, length int64) error {
	l := unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: start, Len: length}
	err := unix.FcntlFlock(file.Fd(), setLockCommand, &l)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return errHeld
	}
	return err
}
