package present

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Clip shortens one-line text to limit characters as a person counts them, never inside one, and marks the cut with `…`.
// White space around it is dropped; of several lines the first with text stays, marked as cut.
func Clip(s string, limit int) string {
	s = strings.TrimSpace(s)
	cut := false
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s, cut = strings.TrimRight(s[:i], " \t"), true
	}
	if len(s) > limit {
		if end := clipped(s, limit); end < len(s) {
			s, cut = strings.TrimRight(s[:end], " \t"), true
		}
	}
	if cut {
		return s + "…"
	}
	return s
}

// widest is how many bytes one character may take; anything longer is decoration piled up to break a layout.
const widest = 64

// clipped returns where the first limit characters of s end.
func clipped(s string, limit int) int {
	end := 0
	for range limit {
		if end >= len(s) {
			break
		}
		if s[end] < utf8.RuneSelf && (end+1 == len(s) || s[end+1] < utf8.RuneSelf) {
			end++
			continue
		}
		character, _, _, _ := uniseg.FirstGraphemeClusterInString(s[end:], -1)
		if len(character) > widest {
			break
		}
		end += len(character)
	}
	return end
}
