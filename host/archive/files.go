package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
)

// checkFiles looks whether the files of an entry are still what was written. A change of the same size that is not later
// than the manifest is not seen.
func (a *archive) checkFiles(e *Entry) (missing bool, edited error) {
	files := e.Files
	for _, v := range e.Earlier {
		files = append(files[:len(files):len(files)], v.Files...)
	}
	for _, f := range files {
		info, err := a.root.Lstat(f.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = missing || !f.Stale && !a.earlier(e, f.Name)
			continue
		case err == nil && info.Size() == f.Size && info.Mode().IsRegular() && info.ModTime().Before(a.written):
			continue
		case err == nil && info.Mode().IsRegular():
			var sum string
			if sum, _, err = hashFile(a.root, f.Name); err == nil && sum == f.SHA256 {
				continue
			}
		}
		if !a.earlier(e, f.Name) && !f.Stale {
			edited = errors.Join(edited, fmt.Errorf("%s was changed since it was written: %w", f.Name, artifact.ErrExists))
		}
	}
	return missing, edited
}

// earlier reports a file that no run writes again.
func (a *archive) earlier(e *Entry, name string) bool {
	for _, v := range e.Earlier {
		for _, f := range v.Files {
			if f.Name == name {
				return true
			}
		}
	}
	return false
}

// hashFile is the SHA-256 of a file in hex, and its size.
func hashFile(root *os.Root, name string) (sum string, size int64, err error) {
	f, err := root.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	hash := sha256.New()
	if size, err = io.Copy(hash, f); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(hash.Sum(nil)), size, nil
}

// describe says of each published file what it is.
func (a *archive) describe(base string, published []artifact.File) ([]File, error) {
	files := make([]File, 0, len(published))
	for _, p := range published {
		sum, size, err := hashFile(a.root, p.Name)
		if err != nil {
			return nil, fmt.Errorf("read back %s: %w", p.Name, err)
		}
		if size != p.Size {
			return nil, fmt.Errorf("read back %s: %d bytes were written, %d are there", p.Name, p.Size, size)
		}
		files = append(files, File{Name: p.Name, Format: formatOf(base, p.Name, a.opt.Targets), MediaType: p.MediaType, Size: size, SHA256: sum})
	}
	return files, nil
}

// formatOf finds the sink whose suffix a document has.
func formatOf(base, name string, targets []convert.Target) string {
	if strings.Contains(name, "/") || !strings.HasPrefix(name, base) {
		return ""
	}
	format, longest := "", 0
	for _, t := range targets {
		if info := t.Sink.Describe(); strings.HasSuffix(name, info.Suffix) && len(info.Suffix) > longest {
			format, longest = info.Name, len(info.Suffix)
		}
	}
	return format
}

// sameFiles reports whether every file of now is one of before.
func sameFiles(now, before []File) bool {
	sums := map[string]string{}
	for _, f := range before {
		sums[f.Name] = f.SHA256
	}
	for _, f := range now {
		if sums[f.Name] != f.SHA256 {
			return false
		}
	}
	return true
}

// carried are files of an earlier run that this one did not write again: they stay, and are marked when they are out of date.
func (a *archive) carried(old *Entry, now []File, changed bool) []File {
	written := map[string]bool{}
	for _, f := range now {
		written[f.Name] = true
	}
	var kept []File
	for _, f := range old.Files {
		if written[f.Name] {
			continue
		}
		if _, err := a.root.Lstat(f.Name); err != nil {
			continue // nothing is left to list
		}
		f.Stale = f.Stale || changed
		kept = append(kept, f)
	}
	return kept
}
