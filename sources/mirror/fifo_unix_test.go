//go:build unix

package mirror_test

import "golang.org/x/sys/unix"

func fifo(path string) error { return unix.Mkfifo(path, 0o600) }
