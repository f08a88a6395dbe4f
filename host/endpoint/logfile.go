package endpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// logFile is an open log: a regular file below its folder, and of our own user.
type logFile struct {
	*os.File
	info os.FileInfo
}

// openLog opens a log below dir, which is absolute and without links. A link is followed as long as it stays below dir.
func (f *Finder) openLog(dir, name string) (*logFile, error) {
	whole, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	inside, err := filepath.Rel(dir, whole)
	if err != nil || !filepath.IsLocal(inside) {
		return nil, fmt.Errorf("%w: it leads out of %s", regular.ErrLink, dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := regular.OpenIn(root, inside)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !ownedBy(info, f.proc.UID) {
		err = fmt.Errorf("%w: it belongs to another user", sources.ErrUnreadable)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &logFile{file, info}, nil
}

// port returns the port that the newest line of a log names.
func (l *logFile) port() (int, bool) {
	for line := range backward(l, l.info.Size()) {
		if port, is := portIn(line); is {
			return port, true
		}
	}
	return 0, false
}

// resolved is a path made absolute, without links.
func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

func sameFile(a, b fs.FileInfo) bool { return a.Mode().IsRegular() && os.SameFile(a, b) }

// newest returns the name below dir of the file that matches the pattern and was written last, empty when there is none.
func newest(dir, pattern string) string {
	names, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil {
		return "" // the pattern is a constant
	}
	best := ""
	var bestInfo fs.FileInfo
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && (best == "" || !info.ModTime().Before(bestInfo.ModTime())) {
			best, bestInfo = name, info
		}
	}
	return filepath.FromSlash(best)
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
