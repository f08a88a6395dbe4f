package regular

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"agy-reader/sources"
)

// OpenFolder opens a folder below root to list it. It never waits: a FIFO in its place, or any other file, is
// sources.ErrUnreadable, and a link on the way or at its end is ErrLink. A missing folder is fs.ErrNotExist.
func OpenFolder(root *os.Root, name string) (*os.File, error) {
	if err := checkFolder(root, name); err != nil {
		return nil, err
	}
	folder, err := root.OpenFile(name, flags, 0)
	if err != nil {
		return nil, err
	}
	info, err := folder.Stat()
	if err == nil {
		err = isFolder(name, info)
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// Below opens a folder below root as a root of its own, with the same errors as OpenFolder.
func Below(root *os.Root, name string) (*os.Root, error) {
	if err := checkFolder(root, name); err != nil {
		return nil, err
	}
	return root.OpenRoot(name)
}

func checkFolder(root *os.Root, name string) error {
	if err := noLink(root, filepath.Dir(name)); err != nil {
		return err
	}
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	return isFolder(name, info)
}

func isFolder(name string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return ErrLink
	}
	return fmt.Errorf("%w: %s is not a folder", sources.ErrUnreadable, filepath.Base(name))
}
