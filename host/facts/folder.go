package facts

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"agy-reader/sources/regular"
)

// maxFile bounds index files that are read at once.
const maxFile = 64 << 20

// folder is a directory that is only read, and never left by a link. The zero value holds no files.
type folder struct{ path string }

// above is the folder that holds path.
func above(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return filepath.Dir(absolute)
	}
	return filepath.Dir(path)
}

// open opens a regular file. name has slashes. A file that is not there is fs.ErrNotExist.
func (f folder) open(name string) (*os.File, fs.FileInfo, error) {
	if f.path == "" {
		return nil, nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = root.Close() }() // it was only read
	file, err := regular.OpenWithin(root, filepath.FromSlash(name))
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// read returns the content of a file of at most limit bytes.
func (f folder) read(name string, limit int64) ([]byte, error) {
	file, _, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := regular.ReadAll(file, limit)
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), err
}

// load reads an index file. One that cannot be read is noted; false when there is none.
func (x *Index) load(name string) ([]byte, bool) {
	data, err := x.files.read(name, maxFile)
	if err == nil {
		return data, true
	}
	if !errors.Is(err, fs.ErrNotExist) {
		x.note(name, err)
	}
	return nil, false
}

// safeName reports whether an id can be part of a file name and nothing else.
func safeName(id string) bool {
	return id != "" && len(id) <= 128 && id != "." && id != ".." && utf8.ValidString(id) && !strings.ContainsAny(id, "/\\:\x00")
}
