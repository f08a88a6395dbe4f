package mirror

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first needed: most runs read no log.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
