package facts

import (
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Path is the path of a file URI as a person writes it, decoded once: file:///C:/x%20y is C:/x y, file://host/share is
// //host/share. Anything else, also vscode-remote://…, stays as it is.
func Path(uri string) string {
	rest, ok := strings.CutPrefix(uri, "file://")
	if !ok {
		return uri
	}
	host, below, rooted := strings.Cut(rest, "/")
	decoded, err := url.PathUnescape("/" + below)
	if err != nil || !utf8.ValidString(decoded) || !rooted && host == "" {
		return uri
	}
	if len(decoded) >= 3 && isDrive(decoded[1:]) {
		decoded = decoded[1:]
	}
	if host != "" && !strings.EqualFold(host, "localhost") {
		return "//" + host + decoded
	}
	return decoded
}

func isDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z'
}

// windows reports whether a path is one of Windows.
func windows(p string) bool {
	return isDrive(p) || strings.HasPrefix(p, `\\`) || strings.HasPrefix(p, "//")
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
