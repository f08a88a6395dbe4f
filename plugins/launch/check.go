package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// findProgram returns the absolute path, links resolved, of a file that may be run. The reasons it may not are told apart
// because the remedy differs.
func findProgram(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	file, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no file %s", abs)
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", file)
	}
	if err := checkModes(file, info); err != nil {
		return "", err
	}
	return file, nil
}

// spawnError says why the system would not run file.
func spawnError(file string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is not a program this machine can run: it is built for another system, or is a script without a first line that starts with #! and names an interpreter", file)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be run: the interpreter or loader it asks for is missing", file)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s cannot be run: no permission (a file system mounted noexec, or an interpreter that is not executable)", file)
	default:
		return fmt.Errorf("%s cannot be run: %w", file, err)
	}
}
