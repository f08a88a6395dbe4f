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
	return checked(folder, err, name, isFolder)
}

// Below opens a folder below root as a root of its own, with the same errors as OpenFolder.
func Below(root *os.Root, name string) (*os.Root, error) {
	if err := checkFolder(root, name); err != nil {
		return nil, err
	}
	return root.OpenRoot(name)
}

// Brain opens the folder in which a store keeps what belongs to a conversation, with the same errors as Below: from its store
// when that is known, so that no link leads out of it. A reference without such a folder is fs.ErrNotExist.
func Brain(ref sources.Ref) (*os.Root, error) {
	if ref.Brain == "" {
		return nil, fs.ErrNotExist
	}
	inside, err := filepath.Rel(ref.Root, ref.Brain)
	if ref.Root == "" || err != nil || !filepath.IsLocal(inside) {
		return os.OpenRoot(ref.Brain)
	}
	store, err := os.OpenRoot(ref.Root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = store.Close() }() // it was only read
	return Below(store, inside)
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
