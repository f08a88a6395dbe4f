package watch

import (
	"fmt"
	"sync"

	"agy-reader/host/store"
)

// lines gives each root its label and keeps lines of several roots apart.
type lines struct {
	mu  sync.Mutex
	out func(string)
}

func (l *lines) labelled(label string) func(format string, args ...any) {
	return func(format string, args ...any) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.out(label + fmt.Sprintf(format, args...))
	}
}

// label names a root among several: by its surface, or by its path when another root has the same. One root alone needs
// none.
func label(roots []store.Root, at int) string {
	if len(roots) < 2 {
		return ""
	}
	name := roots[at].Surface
	for i, other := range roots {
		if i != at && other.Surface == name {
			name = roots[at].Path
		}
	}
	return "[" + name + "] "
}
