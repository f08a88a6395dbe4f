package artifact

import (
	"io"
	"io/fs"
	"os"
)

// folder is everything a set does to the folder it publishes into. Names are single path elements, or two of them with a
// slash between for a file in a folder of this one. Tests put a failing
// one in place of the real one.
type folder interface {
	// OpenFile never follows a symbolic link out of the folder.
	OpenFile(name string, flag int, perm fs.FileMode) (file, error)
	Lstat(name string) (fs.FileInfo, error)
	// Link gives the file a second name. It fails when that name exists, and on file systems without hard links.
	Link(name, second string) error
	// Rename replaces what newName was.
	Rename(oldName, newName string) error
	Remove(name string) error
	// Mkdir makes a folder in this one.
	Mkdir(name string) error
	Names() ([]string, error)
	// Lock keeps other processes from publishing into the folder until unlock is called.
	Lock() (unlock func(), err error)
	// Sync flushes the entries of the folder itself, or of one in it.
	Sync(name string) error
	Close() error
}

// file is an open file of a folder.
type file interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	Sync() error
}

// rootFolder is a real folder.
type rootFolder struct{ root *os.Root }

func openFolder(dir string) (folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rootFolder{root}, nil
}

func (f rootFolder) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	opened, err := f.root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return opened, nil
}

func (f rootFolder) Lstat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }

func (f rootFolder) Link(name, second string) error { return f.root.Link(name, second) }

func (f rootFolder) Rename(oldName, newName string) error { return f.root.Rename(oldName, newName) }

func (f rootFolder) Remove(name string) error { return f.root.Remove(name) }

func (f rootFolder) Close() error { return f.root.Close() }

func (f rootFolder) Names() ([]string, error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Readdirnames(-1)
}

func (f rootFolder) Lock() (unlock func(), err error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	lockFolder(dir)
	return func() { _ = dir.Close() }, nil // closing lets the lock go
}

func (f rootFolder) Mkdir(name string) error { return f.root.Mkdir(name, 0o755) }

func (f rootFolder) Sync(name string) error {
	dir, err := f.root.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return syncFolder(dir)
}
