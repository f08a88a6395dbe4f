//go:build unix && !linux

package sqlite

import "golang.org/x/sys/unix"

const setLockCommand = unix.F_SETLK
