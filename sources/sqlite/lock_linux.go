package sqlite

import "golang.org/x/sys/unix"

// setLockCommand makes locks belong to the open file, not to the process.
const setLockCommand = unix.F_OFD_SETLK
