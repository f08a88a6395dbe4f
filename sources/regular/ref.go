package regular

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"agy-reader/sources"
)

// OpenRef opens the file of a conversation, as Open does. A link that leads out of its store is ErrLink.
func OpenRef(ref sources.Ref) (*os.File, error) {
	name, inside := within(ref)
	if !inside {
		return Open(ref.Path)
	}
	store, err := os.OpenRoot(ref.Root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = store.Close() }() // it was only read
	file, err := OpenWithin(store, name)
	if err != nil {
		if _, why := Resolve(ref); errors.Is(why, ErrLink) {
			err = why
		}
	}
	return file, err
}

// Resolve is the absolute path of the file of a conversation without links. One that leads out of its store is ErrLink.
func Resolve(ref sources.Ref) (string, error) {
	path, err := filepath.EvalSymlinks(ref.Path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if _, inside := within(ref); err == nil && inside && !below(ref.Root, path) {
		return "", fmt.Errorf("%w: %s leads out of its store: %w; name the file it leads to", sources.ErrUnreadable, filepath.Base(ref.Path), ErrLink)
	}
	return path, err
}

// within is where in its store the file of a conversation is, going by its name; false when it is in none.
func within(ref sources.Ref) (string, bool) {
	if ref.Root == "" {
		return "", false
	}
	root, err := filepath.Abs(ref.Root)
	if err != nil {
		return "", false
	}
	path, err := filepath.Abs(ref.Path)
	if err != nil {
		return "", false
	}
	name, err := filepath.Rel(root, path)
	return name, err == nil && filepath.IsLocal(name)
}

// below reports whether a path without links is below a folder.
func below(folder, path string) bool {
	folder, err := filepath.EvalSymlinks(folder)
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return false
	}
	inside, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(inside)
}
