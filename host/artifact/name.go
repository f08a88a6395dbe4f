package artifact

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName leaves room for the temporary name within the 255 bytes that file systems give a name.
const maxName = 200

// checkName reports why name cannot be the name of an artifact on any of the supported systems: it must be one plain
// path element that Linux, macOS and Windows all take, that shows as what it is, and that no shell or listing hides.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("the name is empty")
	case len(name) > maxName:
		return errors.New("the name is longer than 200 bytes")
	case !utf8.ValidString(name):
		return errors.New("the name is not UTF-8")
	case strings.ContainsAny(name, `/\`):
		return errors.New("the name holds a path separator")
	case strings.ContainsAny(name, `<>:"|?*`):
		return errors.New("the name holds a character that Windows does not take")
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, " "):
		return errors.New("the name begins with a dot or a space")
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return errors.New("the name ends with a dot or a space")
	case strings.ContainsFunc(name, invisible):
		return errors.New("the name holds a control or formatting character")
	case reservedOnWindows(name) || !filepath.IsLocal(name):
		return errors.New("the name is reserved on Windows")
	}
	return nil
}

// CheckName reports why an artifact cannot have this name; see Set.Create.
func CheckName(name string) error { return checkPath(name) }

// Fold maps names to what a file system that ignores case and composition compares.
func Fold(name string) string { return fold(name) }

// checkPath is checkName for an artifact that may lie one folder below: `report.assets/picture.png`.
func checkPath(name string) error {
	folder, base, below := strings.Cut(name, "/")
	if !below {
		return checkName(name)
	}
	if err := checkName(folder); err != nil {
		return fmt.Errorf("of its folder: %w", err)
	}
	return checkName(base)
}

// folderOf is the folder below the set's own that an artifact lies in, or empty.
func folderOf(name string) string {
	folder, _, below := strings.Cut(name, "/")
	if !below {
		return ""
	}
	return folder
}

// SafeName turns any text into a name that checkName accepts, for base names from untrusted ids and file stems. It leaves
// room for a suffix and gives "conversation" when nothing usable is left. Different texts may give the same name.
func SafeName(text string) string {
	const room = 120
	safe := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || invisible(r) || strings.ContainsRune(`/\<>:"|?*`, r) {
			return '_'
		}
		return r
	}, text)
	for len(safe) > room {
		_, size := utf8.DecodeLastRuneInString(safe)
		safe = safe[:len(safe)-size]
	}
	safe = strings.TrimRight(strings.TrimLeft(safe, ". "), ". ")
	if safe != "" && checkName(safe) != nil {
		safe = "_" + safe
	}
	if checkName(safe) != nil {
		return "conversation"
	}
	return safe
}

// invisible characters could make one name look like another.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// reservedOnWindows reports device names, with any suffix, as Windows compares them.
func reservedOnWindows(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, isPort := strings.CutPrefix(stem, "COM")
	if !isPort {
		port, isPort = strings.CutPrefix(stem, "LPT")
	}
	return isPort && utf8.RuneCountInString(port) == 1 && strings.ContainsAny(port, "0123456789¹²³")
}

// fold maps names to what a file system that ignores case and composition compares.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, norm.NFC.String(name))
}
