//go:build unix

package main

import "golang.org/x/sys/unix"

// freeSpace is how many bytes a folder's file system has left for us.
func freeSpace(folder string) (free int64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:unconvert // their types differ between systems
}
