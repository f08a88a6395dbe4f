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

// wrapped are the blocks that the product puts around or behind a prompt.
var wrapped = []string{"ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE"}

const (
	requestStart = "<USER_REQUEST>"
	requestEnd   = "</USER_REQUEST>"
)

// promptText is what the person typed of a prompt as the model got it: the text between the outermost marks of the request,
// or, without them, everything but the blocks the product adds. Marks inside belong to the person.
func promptText(s string) string {
	trimmed := strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(trimmed, requestStart); ok {
		if at := strings.LastIndex(rest, requestEnd); at >= 0 {
			rest = rest[:at]
		}
		return strings.TrimSpace(rest)
	}
	for {
		cut := false
		for _, name := range wrapped {
			end := "</" + name + ">"
			if start := strings.LastIndex(trimmed, "<"+name+">"); start >= 0 && strings.HasSuffix(trimmed, end) {
				trimmed, cut = strings.TrimSpace(trimmed[:start]), true
			}
			if strings.HasPrefix(trimmed, "<"+name+">") {
				if at := strings.Index(trimmed, end); at >= 0 {
					trimmed, cut = strings.TrimSpace(trimmed[at+len(end):]), true
				}
			}
		}
		if !cut {
			return trimmed
		}
	}
}
