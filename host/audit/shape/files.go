package shape

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agy-reader/host/sidecar"
)

// Files returns the documents that paths name: a file is itself, whatever its name; a folder gives the sidecars directly
// in it. Each is there once, in order. A path that is a symbolic link is followed; what stands in a folder is not. Errors
// are those of the file system; that there is nothing is none.
func Files(paths ...string) ([]string, error) {
	var all []string
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		actual, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(actual)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			all = append(all, actual)
			continue
		}
		entries, err := os.ReadDir(actual)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if strings.HasSuffix(entry.Name(), sidecar.Suffix) && !entry.IsDir() {
				all = append(all, filepath.Join(actual, entry.Name()))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Of is the united shape of the documents that paths name; see Files. Errors are ErrNone, those of Files and Add, and that
// of ctx; they name the file.
func Of(ctx context.Context, paths ...string) (*Shape, error) {
	files, err := Files(paths...)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w under %s; a folder gives the *.trajectory.json directly in it: name the conversations folder of a store", ErrNone, strings.Join(paths, ", "))
	}
	s := new(Shape)
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.addFile(ctx, path); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Shape) addFile(ctx context.Context, path string) error {
	file, err := sidecar.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	defer context.AfterFunc(ctx, func() { file.Close() })() // a big file is given up at once
	if err := s.Add(file); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
