package launch

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Scheme starts a reference to a plugin on the command line.
const Scheme = "plugin:"

// Ref says which plugin is meant.
type Ref struct {
	// Path is the file to run, as it was written.
	Path string
}

// ParseRef reads `plugin:./FILE`, `plugin:../FILE` or `plugin:/ABSOLUTE/FILE`. A bare `plugin:NAME` is kept free for
// installed plugins and is an error that says so.
func ParseRef(s string) (Ref, error) {
	rest, ok := strings.CutPrefix(s, Scheme)
	switch {
	case !ok:
		return Ref{}, fmt.Errorf("%q does not start with %s", s, Scheme)
	case rest == "":
		return Ref{}, fmt.Errorf("%q names no plugin; write %s./FILE", s, Scheme)
	case strings.ContainsRune(rest, 0):
		return Ref{}, fmt.Errorf("%q is not a file name", s)
	case !isPath(rest):
		return Ref{}, fmt.Errorf("%q: plugins cannot be named yet, only given as a file; write %s./%s", s, Scheme, rest)
	}
	return Ref{Path: rest}, nil
}

func isPath(s string) bool {
	slashed := filepath.ToSlash(s)
	return filepath.IsAbs(s) || strings.HasPrefix(slashed, "/") || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../")
}
