package lineage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agy-reader/sources"
	"agy-reader/sources/regular"
	"agy-reader/sources/spawned"
)

const (
	// maxFolder bounds how many files of a subagents folder are read, maxRecord the size of one.
	maxFolder = 10_000
	maxRecord = 1 << 20
)

// readFolder reads the folder in which a conversation keeps a file about each subagent. Nothing outside the store is read.
// problems are sentences about files that could not be used.
func readFolder(ref sources.Ref) (all []spawned.Record, problems []string) {
	dir := filepath.Join(".system_generated", "subagents")
	var names []string
	folder, err := regular.Brain(ref)
	if err == nil {
		defer func() { _ = folder.Close() }() // it was only read
		names, err = list(folder, dir)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, "the subagents folder of this conversation cannot be read: "+plainError(err))
		}
		return nil, problems
	}
	if len(names) > maxFolder {
		problems = append(problems, fmt.Sprintf("%d of %d files about subagents were not read", len(names)-maxFolder, len(names)))
		names = names[:maxFolder]
	}
	for _, name := range names {
		s, problem := readRecord(folder, filepath.Join(dir, name), strings.TrimSuffix(name, ".json"))
		if problem != "" {
			problems = append(problems, "subagents/"+name+": "+problem)
		}
		if s.ID != "" {
			all = append(all, s)
		}
	}
	return all, problems
}

// list returns the names of the records in order.
func list(folder *os.Root, dir string) ([]string, error) {
	f, err := regular.OpenFolder(folder, dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && e.Type().IsRegular() && mayBeID(id) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// mayBeID reports whether a file can be named after a conversation.
func mayBeID(name string) bool {
	if len(name) < 4 || len(name) > 128 {
		return false
	}
	for i := range len(name) {
		c := name[i]
		letter := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && c != '-') {
			return false
		}
	}
	return true
}

// readRecord reads one file. The file's name is the child's id even when its content is of no use.
func readRecord(folder *os.Root, path, id string) (s spawned.Record, problem string) {
	s.ID = id
	f, err := regular.OpenIn(folder, path)
	if err != nil {
		return s, plainError(err)
	}
	defer f.Close()
	data, err := regular.ReadAll(f, maxRecord)
	if err != nil {
		return s, plainError(err)
	}
	return spawned.Parse(data, id)
}

// plainError is an error without the path, which depends on where the store lies.
func plainError(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
