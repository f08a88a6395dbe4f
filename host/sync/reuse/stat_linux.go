package reuse

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// stat looks at a file, links followed. A missing one is the zero File; ok is false when it cannot be known or is no
// regular file.
func stat(path string) (f File, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, errors.Is(err, fs.ErrNotExist)
	}
	sys, known := info.Sys().(*syscall.Stat_t)
	if !known || !info.Mode().IsRegular() {
		return File{}, false
	}
	return File{
		Device: uint64(sys.Dev), //nolint:unconvert // its type differs between architectures
		Inode:  sys.Ino, Size: info.Size(),
		Modified: info.ModTime().UnixNano(), Changed: sys.Ctim.Nano(),
	}, true
}

// boot identifies the time since the machine started; empty when it is not known.
func boot() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// own reports whether a file belongs to this user.
func own(info fs.FileInfo) bool {
	sys, known := info.Sys().(*syscall.Stat_t)
	return known && sys.Uid == uint32(os.Geteuid())
}
