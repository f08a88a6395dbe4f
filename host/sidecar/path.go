package sidecar

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agy-reader/sources/regular"
)

// Suffix is the ending of a sidecar's name.
const Suffix = ".trajectory.json"

// ErrCorrupt: the file is not one JSON object with at most one agyReader member, itself an object. Write replaces such a
// file; everything else reports it.
var ErrCorrupt = errors.New("corrupt sidecar")

// Path is where the sidecar of a session file belongs.
func Path(sessionFile string) string {
	return strings.TrimSuffix(sessionFile, filepath.Ext(sessionFile)) + Suffix
}

// Open opens a sidecar for reading. It never waits and follows no link: anything but a regular file is
// sources.ErrUnreadable or regular.ErrLink, and a missing one fs.ErrNotExist. The caller closes it.
func Open(path string) (*os.File, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return open(root, filepath.Base(path))
}

func open(root *os.Root, name string) (*os.File, error) {
	file, err := regular.OpenIn(root, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(root.Name(), name), err)
	}
	return file, nil
}
