package facts

import (
	"path"
	"regexp"
	"strings"

	"agy-reader/proto/agyreader/fileuri"
)

// windows reports whether a path is one of Windows.
func windows(p string) bool {
	return fileuri.IsDrive(p) || strings.HasPrefix(p, `\\`) || strings.HasPrefix(p, "//")
}

// Comparable is a path as it is compared with others: without separators at its end; a path of Windows with slashes and
// in lower case.
func Comparable(p string) string {
	if windows(p) {
		p = strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	}
	if cut := strings.TrimRight(p, "/"); cut != "" {
		return cut
	}
	return p
}

// Base is the last element of a path, a project's short name.
func Base(p string) string {
	if windows(p) {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if p = strings.TrimRight(p, "/"); p == "" {
		return "/"
	}
	return path.Base(p)
}

// insideStore: a folder below one of the product's stores, wherever that lies.
var insideStore = regexp.MustCompile(`(?i)(^|/)\.gemini/antigravity([ _-][a-z0-9]+)?(/|$)`)

// scratch reports whether a folder belongs to the product: what the store itself holds is no project.
func (x *Index) scratch(p string) bool {
	p = Comparable(p)
	if insideStore.MatchString(strings.ReplaceAll(p, `\`, "/")) {
		return true
	}
	root := Comparable(x.files.path)
	return root != "" && (p == root || strings.HasPrefix(p, root+"/"))
}
