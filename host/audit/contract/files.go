package contract

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agy-reader/host/sidecar"
)

// Result is what was found about one file.
type Result struct {
	// Path leads to the file as the caller's path does.
	Path string
	Findings
	// Err says why the file or folder could not be read; there are no findings then.
	Err error
}

// Valid reports whether the file was read and keeps the contract.
func (r *Result) Valid() bool { return r.Err == nil && len(r.Problems) == 0 }

// Verify checks files and tells each as soon as it is done. A path to a file is checked whatever its name; a folder gives
// all sidecars in it and below, in order of their names. Each is told once. A path that is a symbolic link is followed; a
// folder in a tree that is one is passed over, and a sidecar that is one is told as not readable. The error is that of ctx.
func Verify(ctx context.Context, paths []string, tell func(Result)) error {
	seen := map[string]bool{}
	once := func(path, actual string) {
		if !seen[actual] {
			seen[actual] = true
			if r := file(ctx, path, actual); ctx.Err() == nil {
				tell(r)
			}
		}
	}
	for _, path := range paths {
		info, actual, err := resolve(path)
		switch {
		case err != nil:
			tell(Result{Path: path, Err: err})
		case info.IsDir():
			tree(ctx, path, actual, tell, once)
		default:
			once(path, actual)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func resolve(path string) (info os.FileInfo, actual string, err error) {
	if actual, err = filepath.Abs(path); err != nil {
		return nil, "", err
	}
	if actual, err = filepath.EvalSymlinks(actual); err != nil {
		return nil, "", err
	}
	info, err = os.Stat(actual)
	return info, actual, err
}

// tree visits the sidecars in and below a folder.
func tree(ctx context.Context, path, actual string, tell func(Result), once func(path, actual string)) {
	_ = filepath.WalkDir(actual, func(at string, entry fs.DirEntry, err error) error {
		shown := path
		if below, relErr := filepath.Rel(actual, at); relErr == nil {
			shown = filepath.Join(path, below)
		}
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			tell(Result{Path: shown, Err: err})
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && strings.HasSuffix(entry.Name(), sidecar.Suffix):
			once(shown, at)
		}
		return nil
	})
}

func file(ctx context.Context, path, actual string) Result {
	in, err := sidecar.Open(actual)
	if err != nil {
		return Result{Path: path, Err: err}
	}
	defer in.Close()
	defer context.AfterFunc(ctx, func() { in.Close() })() // a big file is given up at once
	found, err := Check(in)
	if err != nil {
		return Result{Path: path, Err: fmt.Errorf("read %s: %w", path, err)}
	}
	return Result{Path: path, Findings: found}
}
