// Package regular opens regular files of a store and nothing else: reading a FIFO or a device could wait for ever, or do
// something.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"agy-reader/sources"
)

// Open opens a file for reading. Anything but a regular file is sources.ErrUnreadable, also when it takes the file's place
// at the last moment. A missing file is fs.ErrNotExist. Links are followed.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = Check(path, info)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, flags, 0)
	return checked(file, err, path, Check)
}

// ErrLink says that a name is a symbolic link, which OpenIn does not follow.
var ErrLink = errors.New("it is a symbolic link, which is not followed")

// OpenIn opens a file below root for reading. As Open, but a link on the way or at its end is ErrLink, and nothing outside
// root is ever opened.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	if err := noLink(root, filepath.Dir(name)); err != nil {
		return nil, err
	}
	info, err := root.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		err = ErrLink
	}
	if err == nil {
		err = Check(name, info)
	}
	if err != nil {
		return nil, err
	}
	file, err := root.OpenFile(name, flags, 0)
	return checked(file, err, name, Check)
}

// noLink is ErrLink when a folder below root, or one on the way to it, is a link.
func noLink(root *os.Root, folder string) error {
	for ; folder != "." && folder != ""; folder = filepath.Dir(folder) {
		info, err := root.Lstat(folder)
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return ErrLink
		}
		if parent := filepath.Dir(folder); parent == folder {
			return nil // an absolute path; root refuses it
		}
	}
	return nil
}

// OpenWithin is OpenIn that follows links as far as they stay below root.
func OpenWithin(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err == nil {
		err = Check(name, info)
	}
	if err != nil {
		return nil, err
	}
	file, err := root.OpenFile(name, flags, 0)
	return checked(file, err, name, Check)
}

// checked is the file that was opened, if it is of the kind that was looked at before: another one can have taken its place.
func checked(file *os.File, err error, name string, check func(string, fs.FileInfo) error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = check(name, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// ReadAll reads a file of at most limit bytes. A larger one is sources.ErrLimit.
func ReadAll(file io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: it has more than %d bytes", sources.ErrLimit, limit)
	}
	return data, err
}

// Check is sources.ErrUnreadable for anything but a regular file.
func Check(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%w: %s is not a regular file (%s)", sources.ErrUnreadable, filepath.Base(name), info.Mode().Type())
}
