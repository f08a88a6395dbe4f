package profile

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"

	"agy-reader/proto/antigravity"
)

// Bounds on a user's own profiles.
const (
	maxProfileFile  = 1 << 20
	maxProfileBytes = 16 << 20
	maxProfileOpens = 10_000
	maxBrackets     = 200
)

// folder is a user's folder of profiles. Files are read whole, only ordinary ones, and none outside of it.
type folder struct {
	root *os.Root

	mu    sync.Mutex
	left  int64
	opens int
}

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folder{root: root, left: maxProfileBytes}, nil
}

func (f *folder) close() { f.root.Close() }

// Open implements fs.FS.
func (f *folder) Open(name string) (fs.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.opens++; f.opens > maxProfileOpens {
		return nil, refuse(name, fmt.Sprintf("more than %d files", maxProfileOpens))
	}
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	info, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return f.root.FS().Open(name)
	case !info.Mode().IsRegular():
		return nil, refuse(name, "no ordinary file")
	case info.Size() > maxProfileFile:
		return nil, refuse(name, fmt.Sprintf("bigger than %d bytes", maxProfileFile))
	}
	text, err := f.root.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if f.left -= int64(len(text)); f.left < 0 {
		return nil, refuse(name, fmt.Sprintf("all files together are bigger than %d bytes", maxProfileBytes))
	}
	if path.Ext(name) == ".proto" && brackets(text) > maxBrackets {
		return nil, refuse(name, fmt.Sprintf("brackets nest more than %d deep", maxBrackets))
	}
	return &textFile{bytes.NewReader(text), info}, nil
}

func refuse(name, why string) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w: %s", antigravity.ErrBadProfile, why)}
}

// brackets is how deep brackets nest, wherever they stand. The compiler descends that deep.
func brackets(text []byte) int {
	depth, deepest := 0, 0
	for _, c := range text {
		switch c {
		case '{', '[', '(', '<':
			depth++
			deepest = max(deepest, depth)
		case '}', ']', ')', '>':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

// textFile is an open file in memory.
type textFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *textFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *textFile) Close() error               { return nil }
