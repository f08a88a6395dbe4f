package present

import (
	"fmt"
	"unicode/utf8"
)

// Visible makes control characters seen: C0 controls and DEL become their symbols (`␛`, `␀`), line ends included; C1
// controls, bidirectional overrides, zero-width, tag and line separator characters become `⟨U+202E⟩`; damaged UTF-8 becomes
// U+FFFD. For one-line text such as names, labels and headings. Text without any of these is returned as it is.
func Visible(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7F {
			if cleanPrefix(s, i) == len(s) {
				return s
			}
			var seen []byte
			for _, r := range s {
				seen = appendSeen(seen, r)
			}
			return string(seen)
		}
	}
	return s
}

// cleanPrefix returns the length of the longest prefix of s, at least i, that Visible leaves alone.
func cleanPrefix(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r < 0x20 || r == 0x7F || hidden(r) || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return i
}

// appendSeen appends the visible mark of a control or hidden character, and any other character as it is.
func appendSeen(dst []byte, r rune) []byte {
	switch {
	case r < 0x20:
		return utf8.AppendRune(dst, 0x2400+r)
	case r == 0x7F:
		return append(dst, "␡"...)
	case hidden(r):
		return fmt.Appendf(dst, "⟨U+%04X⟩", r)
	}
	return utf8.AppendRune(dst, r)
}

// hidden tells characters that change how other text is shown, or that cannot be seen although they matter. The zero
// width joiner is not among them: emoji and several scripts need it.
func hidden(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r <= 0x9F, r == 0x061C, r == 0x200B, r == 0x200E, r == 0x200F, r == 0xFEFF:
		return true
	case r >= 0x2028 && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xE0000 && r <= 0xE007F: // tag characters spell text that no reader sees
		return true
	}
	return false
}
