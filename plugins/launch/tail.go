package launch

import (
	"strings"
	"sync"

	"agy-reader/plugins/rpc"
)

const (
	// maxTail is how much of what the plugin wrote last is kept.
	maxTail = 64 << 10
	// shownLines is how much of that an error shows.
	shownLines = 12
)

// tail keeps the last lines of a plugin's standard error. It is safe for concurrent use.
type tail struct {
	mu    sync.Mutex
	lines []string
	size  int
}

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
	t.size += len(line)
	drop := 0
	for t.size > maxTail && drop < len(t.lines)-1 {
		t.size -= len(t.lines[drop])
		drop++
	}
	t.lines = t.lines[drop:]
}

// excerpt is the head of a crash report of the Go runtime if there is one, else the last lines, ready to be put behind an
// error text; empty when nothing was written.
func (t *tail) excerpt() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	shown := t.lines[max(0, len(t.lines)-shownLines):]
	for i, line := range t.lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			shown = t.lines[i:min(len(t.lines), i+shownLines)]
			break
		}
	}
	if len(shown) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nit wrote to standard error:")
	for _, line := range shown {
		b.WriteString("\n  | ")
		b.WriteString(rpc.Printable(line))
	}
	return b.String()
}
