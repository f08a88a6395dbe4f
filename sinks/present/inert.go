package present

import "unicode/utf8"

// Inert appends text to dst so that a terminal only ever shows it: every control character but line feed and tab,
// carriage returns included, and every character Visible marks beyond these becomes its visible mark; each byte that is
// no UTF-8 becomes U+FFFD. Everything else stays byte for byte, and what is inert already stays whole.
//
// It keeps no state, so a stream can be passed piece by piece, but pieces must end between characters: a character that
// is cut in two is taken for damage. Complete lines are such pieces. text is read only, dst grows as with append.
func Inert(dst, text []byte) []byte {
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x20 && c < 0x7F || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if c >= utf8.RuneSelf && !hidden(r) && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		dst = append(dst, text[from:i]...)
		dst = appendSeen(dst, r)
		i += size
		from = i
	}
	return append(dst, text[from:]...)
}
