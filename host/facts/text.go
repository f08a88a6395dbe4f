package facts

import (
	"strings"
	"unicode/utf8"
)

// titleRunes bounds a title or preview.
const titleRunes = 200

func clone(s string) string { return strings.Clone(s) }

// text makes one line of a title: its first line with text, blanks folded, valid UTF-8, bounded.
func text(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > 16*titleRunes {
		line = line[:16*titleRunes]
	}
	line = strings.Join(strings.Fields(strings.ToValidUTF8(line, string(utf8.RuneError))), " ")
	n := 0
	for i := range line {
		if n == titleRunes {
			return line[:i] + "…"
		}
		n++
	}
	return clone(line)
}
