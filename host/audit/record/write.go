package record

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"agy-reader/host/replace"
	"agy-reader/sinks"
	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// maxFile bounds COMPATIBILITY.md, in bytes.
const maxFile = 4 << 20

// Read reads the COMPATIBILITY.md of a checkout. Links are not followed.
func Read(repo string) (string, error) {
	dir, err := os.OpenRoot(repo)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	text, _, err := read(dir)
	return text, err
}

func read(dir *os.Root) (string, fs.FileMode, error) {
	in, err := regular.OpenIn(dir, FileName)
	if err != nil {
		return "", 0, fmt.Errorf("read %s: %w", FileName, err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return "", 0, fmt.Errorf("read %s: %w", FileName, err)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return "", 0, fmt.Errorf("read %s: %w", FileName, err)
	}
	if len(data) > maxFile {
		return "", 0, fmt.Errorf("%w: %s is larger than %d bytes", sources.ErrLimit, FileName, maxFile)
	}
	return string(data), info.Mode().Perm(), nil
}

// Write replaces the record of a checkout's COMPATIBILITY.md at once or not at all. was is its whole text as the caller read
// it: a file that changed since is left alone. Its mode stays.
func Write(repo, was string, r Record) error {
	text, err := Insert(was, r)
	if err != nil {
		return err
	}
	dir, err := os.OpenRoot(repo)
	if err != nil {
		return err
	}
	defer dir.Close()
	now, mode, err := read(dir)
	switch {
	case err != nil:
		return err
	case now != was:
		return fmt.Errorf("%w: %s changed during the audit; run it again", sinks.ErrOutput, filepath.Join(repo, FileName))
	}
	if err := replace.File(dir, FileName, []byte(text), mode); err != nil {
		return fmt.Errorf("%w: write %s: %w", sinks.ErrOutput, FileName, err)
	}
	return nil
}
