//go:build unix

package endpoint

import (
	"io/fs"
	"syscall"
)

// ownedBy reports whether a file belongs to a user.
func ownedBy(info fs.FileInfo, uid int) bool {
	stat, is := info.Sys().(*syscall.Stat_t)
	return is && int(stat.Uid) == uid
}
