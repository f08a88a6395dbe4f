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

// files returns the documents that paths name: a file is itself, whatever its name; a folder gives the sidecars directly
// in it. Each is there once, in order. A path that is a symbolic link is followed; what stands in a folder is not. Of a path
// that names nothing, or cannot be looked at, there is an error in bad.
func files(paths []string) (all []string, bad []error) {
	for _, path := range paths {
		named, err := filesOf(path)
		if err != nil {
			bad = append(bad, err)
		}
		all = append(all, named...)
	}
	slices.Sort(all)
	return slices.Compact(all), bad
}

func filesOf(path string) ([]string, error) {
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
		return []string{actual}, nil
	}
	entries, err := os.ReadDir(actual)
	var all []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), sidecar.Suffix) && !entry.IsDir() {
			all = append(all, filepath.Join(actual, entry.Name()))
		}
	}
	return all, err
}

// Found is what Of made of documents.
type Found struct {
	// Shape is that of the documents that could be read, whose number is Read.
	Shape *Shape
	Read  int
	// Bad has an error for each that could not be read, and for each path that names nothing. Errors are those of Add and of
	// the file system; they name the file.
	Bad []error
}

// Of is the united shape of the documents that paths name: a file, or a folder with sidecars directly in it. Errors are
// ErrNone, when there is nothing to read, and that of ctx.
func Of(ctx context.Context, paths ...string) (*Found, error) {
	all, bad := files(paths)
	if len(all)+len(bad) == 0 {
		return nil, fmt.Errorf("%w under %s; a folder gives the *.trajectory.json directly in it: name the conversations folder of a store", ErrNone, strings.Join(paths, ", "))
	}
	found := &Found{Shape: new(Shape), Bad: bad}
	for _, path := range all {
		err := found.Shape.addFile(ctx, path)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			found.Bad = append(found.Bad, err)
		default:
			found.Read++
		}
	}
	return found, nil
}

func (s *Shape) addFile(ctx context.Context, path string) error {
	file, err := sidecar.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	defer context.AfterFunc(ctx, func() { file.Close() })() // a big file is given up at once
	if err := s.Add(file); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
