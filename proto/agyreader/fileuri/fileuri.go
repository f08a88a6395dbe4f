// Package fileuri reads the addresses of files that transcripts hold. It knows nothing of the product, so that sources, host
// and sinks read an address in the same way.
package fileuri

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Path is the path of a file URI as a person writes it, decoded once: file:///C:/x%20y is C:/x y, file://host/share is
// //host/share. Percent signs that do not encode text are part of the name. Anything else,
// also vscode-remote://…, comes back as it is.
func Path(uri string) string {
	const scheme = "file:"
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return uri
	}
	host, path := "", uri[len(scheme):]
	if below, found := strings.CutPrefix(path, "//"); found {
		end := strings.IndexByte(below, '/')
		switch {
		case IsDrive(below): // a slash is missing
			path = "/" + below
		case end >= 0:
			host, path = below[:end], below[end:]
		case below == "":
			return uri
		default:
			host, path = below, "/"
		}
	}
	if path == "" || path[0] != '/' {
		return uri
	}
	if strings.IndexByte(path, '%') >= 0 {
		if decoded, err := url.PathUnescape(path); err == nil && utf8.ValidString(decoded) {
			path = decoded
		}
	}
	if IsDrive(path[1:]) {
		path = path[1:]
	}
	if host != "" && !strings.EqualFold(host, "localhost") {
		return "//" + host + path
	}
	return path
}

// IsDrive reports whether a path starts with a drive of Windows, as `C:\x`, `c:/x` and `C:` do.
func IsDrive(path string) bool {
	return len(path) >= 2 && path[1] == ':' && path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z' &&
		(len(path) == 2 || path[2] == '/' || path[2] == '\\')
}
