//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sidecar

import (
	"io/fs"
	"os"
	"runtime"
)

// lock excludes writers of this process only. On Windows a file that is open cannot be removed, so that what can be
// removed is dead.
func lock(*os.File) (exclusive bool, unlock func(), err error) {
	return runtime.GOOS == "windows", inProcess(), nil
}

// private does nothing: permissions are not in the mode here.
func private(fs.FileInfo) error { return nil }

func linked(fs.FileInfo) bool { return false }

// syncFolder does nothing where folders cannot be flushed.
func syncFolder(*os.File) error { return nil }
