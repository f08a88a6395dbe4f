package store

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLinks bounds how many symbolic links of one path are followed.
const maxLinks = 255

// Inside reports whether a path is a folder or lies below it, once written to: with all links followed, also those that
// lead nowhere yet. Of a path with `..` behind a link both readings count, the system's and the one of its text.
func Inside(path, folder string) bool {
	folder = RealPath(folder)
	for _, reading := range []string{path, filepath.Clean(path)} {
		if relative, err := filepath.Rel(folder, RealPath(reading)); err == nil && filepath.IsLocal(relative) {
			return true
		}
	}
	return false
}

// RealPath is where a file of this path is or would be made: absolute, with all symbolic links followed in the system's
// order, also one whose target is not there. It is the path's text, made absolute, when it leads through too many links.
func RealPath(path string) string {
	text, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	whole := path
	if !filepath.IsAbs(path) {
		at, err := filepath.Abs(".")
		if err != nil {
			return text
		}
		whole = at + string(filepath.Separator) + path
	}
	at, rest := rooted(whole)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		target, err := os.Readlink(next)
		switch {
		case err != nil:
			at = next
		case links == maxLinks:
			return text
		case filepath.IsAbs(target):
			links++
			start, names := rooted(target)
			at, rest = start, append(names, rest...)
		default:
			links++
			rest = append(names(target), rest...)
		}
	}
	return settled(at)
}

// rooted is the root of an absolute path and the names below it.
func rooted(path string) (root string, below []string) {
	volume := filepath.VolumeName(path)
	return volume + string(filepath.Separator), names(path[len(volume):])
}

func names(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

// settled is a path in the system's own spelling as far as it exists.
func settled(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if there, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(there, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
