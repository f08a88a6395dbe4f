package record

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

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

// leftover is a file that a killed Write left; none is written for as long as leftoverAge.
var leftover = regexp.MustCompile(`^\.COMPATIBILITY\.md\.r[A-Z2-7]{26}\.tmp$`)

const leftoverAge = time.Hour

// Write replaces the record of a checkout's COMPATIBILITY.md at once or not at all. was is its whole text as the caller read
// it: a file that changed since is left alone. Its mode stays.
func Write(repo, was string, r Record) (err error) {
	text, err := Insert(was, r)
	if err != nil {
		return err
	}
	dir, err := os.OpenRoot(repo)
	if err != nil {
		return err
	}
	defer dir.Close()
	tidy(dir)
	temp := "." + FileName + ".r" + rand.Text() + ".tmp"
	out, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	defer func() {
		if err != nil {
			_ = dir.Remove(temp)
		}
	}()
	_, err = out.WriteString(text)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return fmt.Errorf("%w: write %s: %w", sinks.ErrOutput, FileName, err)
	}
	now, mode, err := read(dir)
	switch {
	case err != nil:
		return err
	case now != was:
		return fmt.Errorf("%w: %s changed during the audit; run it again", sinks.ErrOutput, filepath.Join(repo, FileName))
	}
	if err = dir.Chmod(temp, mode); err == nil {
		err = dir.Rename(temp, FileName)
	}
	if err != nil {
		return fmt.Errorf("%w: write %s: %w", sinks.ErrOutput, FileName, err)
	}
	return nil
}

// tidy removes what killed writers left. What cannot be removed stays.
func tidy(dir *os.Root) {
	folder, err := dir.Open(".")
	if err != nil {
		return
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if !leftover.MatchString(name) {
			continue
		}
		if info, err := dir.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftoverAge {
			_ = dir.Remove(name)
		}
	}
}
