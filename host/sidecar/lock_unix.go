//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sidecar

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"agy-reader/sources"
)

// patience is how long a writer waits for the folder.
const patience = 30 * time.Second

// lock waits until no other process, and nobody else in this one, writes sidecars into the folder. Without locks on the
// file system exclusive is false.
func lock(dir *os.File) (exclusive bool, unlock func(), err error) {
	for wait, waited := time.Millisecond, time.Duration(0); ; wait = min(2*wait, 50*time.Millisecond) {
		switch err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return true, func() { _ = syscall.Flock(int(dir.Fd()), syscall.LOCK_UN) }, nil
		case errors.Is(err, syscall.EINTR):
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return false, inProcess(), nil
		case waited > patience:
			return false, nil, fmt.Errorf("%w: another process has locked %s", sources.ErrBusy, dir.Name())
		}
		time.Sleep(wait)
		waited += wait
	}
}

// private is an error for a file that others may read.
func private(info fs.FileInfo) error {
	if info.Mode().Perm() != 0o600 {
		return fs.ErrPermission
	}
	return nil
}

// linked reports whether the file has other names.
func linked(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}

// syncFolder flushes the entries of a folder. File systems that cannot flush a folder keep their own promises.
func syncFolder(dir *os.File) error {
	err := dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
