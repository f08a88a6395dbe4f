package verify

import (
	"maps"
	"slices"
	"strings"
)

// Rules of a profile about ordinary answers.
const (
	ruleHeld = "held"
	ruleLive = "live"
)

// maxNotCovered is how many paths evidence names.
const maxNotCovered = 100

// coverage collects the paths that could not be compared, without indexes.
type coverage struct {
	paths map[string]bool
	more  bool
}

func (c *coverage) add(path string) {
	path = general(path)
	if c.paths == nil {
		c.paths = map[string]bool{}
	}
	if len(c.paths) == maxNotCovered && !c.paths[path] {
		c.more = true
		return
	}
	c.paths[path] = true
}

func (c *coverage) merge(other *coverage) {
	for path := range other.paths {
		c.add(path)
	}
	c.more = c.more || other.more
}

func (c *coverage) list() []string {
	all := slices.Sorted(maps.Keys(c.paths))
	if c.more {
		all = append(all, "…")
	}
	return all
}

// general replaces the indexes in a path: steps[3].x becomes steps[].x.
func general(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	var b strings.Builder
	for len(path) > 0 {
		open := strings.IndexByte(path, '[')
		if open < 0 {
			break
		}
		b.WriteString(path[:open+1])
		path = path[open+1:]
		path = strings.TrimLeft(path, "0123456789")
	}
	return b.String() + path
}
