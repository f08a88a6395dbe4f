//go:build unix

package artifact

import (
	"errors"
	"os"
	"syscall"
)

// syncFolder flushes the entries of a folder. File systems that cannot flush a folder keep their own promises.
func syncFolder(dir *os.File) error {
	err := dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
