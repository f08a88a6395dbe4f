package sidecar

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// folder is a locked folder and the sidecar in it that is to be written.
type folder struct {
	root   *os.Root
	name   string
	path   string
	unlock func()
}

// lockFolder opens the folder of a sidecar, waits for other writers, and lets what killed ones left be removed.
func lockFolder(path string) (*folder, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	dir, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	exclusive, unlock, err := lock(dir)
	if err != nil {
		dir.Close()
		root.Close()
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	f := &folder{root: root, name: filepath.Base(path), path: path, unlock: func() {
		unlock()
		dir.Close()
	}}
	if exclusive {
		sweeps.sweep(root, dir)
	}
	return f, nil
}

func (f *folder) close() {
	f.unlock()
	f.root.Close()
}

// old opens and scans the sidecar that is there. Without an error the caller closes it.
func (f *folder) old() (*os.File, layout, error) {
	in, err := open(f.root, f.name)
	if err != nil {
		return nil, layout{}, err
	}
	l, err := scan(in)
	if err != nil {
		in.Close()
		return nil, l, fmt.Errorf("read %s: %w", f.path, err)
	}
	return in, l, nil
}

// refresh makes a sidecar private and moves its time forward.
func (f *folder) refresh(info fs.FileInfo, verified time.Time) error {
	if private(info) != nil {
		if err := f.root.Chmod(f.name, 0o600); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
	}
	if verified.After(info.ModTime()) {
		if err := setTime(f.root, f.name, verified); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
	}
	return nil
}

// setTime is replaced in tests.
var setTime = func(root *os.Root, name string, at time.Time) error { return root.Chtimes(name, at, at) }

// replace puts a new file in the sidecar's place. A zero time is now.
func (f *folder) replace(content document, at time.Time) error {
	temp := ".trajectory-r" + rand.Text() + ".json.tmp"
	out, err := f.root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	err = errors.Join(fill(f.root, temp, out, content, at), out.Close())
	if err == nil {
		err = f.root.Rename(temp, f.name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", f.path, errors.Join(err, f.root.Remove(temp)))
	}
	if err := f.sync(); err != nil {
		return fmt.Errorf("flush the folder of %s: %w", f.path, err)
	}
	return nil
}

// fill writes a temporary file whole, with its time, and flushes it.
func fill(root *os.Root, temp string, out *os.File, content document, at time.Time) error {
	n, err := io.Copy(out, content)
	if err != nil {
		return err
	}
	if n != content.size {
		return fmt.Errorf("the file changed while it was copied: %w", io.ErrUnexpectedEOF)
	}
	if err := out.Chmod(0o600); err != nil {
		return err
	}
	if !at.IsZero() {
		if err := setTime(root, temp, at); err != nil {
			return err
		}
	}
	return out.Sync()
}

func (f *folder) sync() error {
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return syncFolder(dir)
}
