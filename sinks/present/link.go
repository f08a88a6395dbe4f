package present

import (
	"strings"

	"agy-reader/proto/agyreader/fileuri"
)

// Href returns uri as a link destination, or false when no link may be made of it. Only http, https, file and mailto
// are linked; an absolute path becomes a file URI. The result is pure ASCII without spaces, quotes, angle brackets,
// backslashes or control characters: bytes a URI cannot hold are percent-encoded, existing encodings are kept.
func Href(uri string) (string, bool) {
	uri = strings.Trim(uri, " ")
	scheme, rest, found := strings.Cut(uri, ":")
	switch {
	case strings.HasPrefix(uri, "/") && !strings.HasPrefix(uri, "//"):
		return "file://" + encode(uri, true), true
	case len(uri) > 2 && fileuri.IsDrive(uri):
		return "file:///" + encode(strings.ReplaceAll(uri, `\`, "/"), true), true
	case !found:
		return "", false
	}
	scheme = strings.ToLower(scheme)
	switch scheme {
	case "http", "https":
		if !strings.HasPrefix(rest, "//") || len(rest) == 2 {
			return "", false
		}
		return scheme + ":" + encode(rest, false), true
	case "file":
		if !strings.HasPrefix(rest, "/") {
			return "", false
		}
		return "file:" + encode(rest, true), true
	case "mailto":
		if rest == "" {
			return "", false
		}
		return "mailto:" + encode(rest, false), true
	}
	return "", false
}

// Path is how a URI or path reads: the decoded path of a file URI, anything else as it stands. Control characters are
// visible symbols.
func Path(uri string) string {
	return Visible(fileuri.Path(uri))
}

// Name is the last element of Path, for example `main.go`; the host and path of a web address; `/` for the root.
func Name(uri string) string {
	if _, rest, found := strings.Cut(uri, "://"); found && !strings.HasPrefix(uri, "file:") {
		return Visible(strings.TrimSuffix(rest, "/"))
	}
	path := strings.TrimRight(Path(uri), `/\`)
	if path == "" {
		return Path(uri)
	}
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// encode percent-encodes what a URI cannot hold. In a path `?` is part of a name, and `#` too unless a line reference
// such as `#L10-L20` follows.
func encode(s string, path bool) string {
	const hex = "0123456789ABCDEF"
	fragment := len(s)
	if i := strings.LastIndexByte(s, '#'); i >= 0 && isLines(s[i+1:]) {
		fragment = i
	}
	var b []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		keep := inURI(c)
		switch {
		case c == '%':
			keep = i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		case path && c == '?':
			keep = false
		case path && c == '#':
			keep = i == fragment
		}
		if keep {
			if b != nil {
				b = append(b, c)
			}
			continue
		}
		if b == nil {
			b = append(make([]byte, 0, len(s)+16), s[:i]...)
		}
		b = append(b, '%', hex[c>>4], hex[c&15])
	}
	if b == nil {
		return s
	}
	return string(b)
}

func inURI(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return strings.IndexByte("-._~:/?#[]@!$&'()*+,;=", c) >= 0
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func isLines(fragment string) bool {
	return strings.HasPrefix(fragment, "L") && strings.Trim(fragment, "L0123456789-C:") == ""
}
