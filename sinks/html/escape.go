package html

import "slices"

// byteClass marks the bytes at which copying must stop and look: markup characters, control characters, and the lead
// bytes of UTF-8 sequences that may be invisible or reorder text.
type byteClass [256]bool

var (
	textClass = newClass("<>&", true)
	attrClass = newClass("<>&\"", true)
	markClass = newClass("", false)
)

func newClass(markup string, carriageReturn bool) *byteClass {
	var c byteClass
	for b := range 0x20 {
		c[b] = b != '\t' && b != '\n'
	}
	c['\r'] = carriageReturn
	c[0x7f] = true
	for _, lead := range []byte{0xC2, 0xD8, 0xE2, 0xEF, 0xF3} {
		c[lead] = true
	}
	for i := range len(markup) {
		c[markup[i]] = true
	}
	return &c
}

// appendText appends s as the text of an element. Control characters and direction controls become visible marks in an
// element of class c, as far as a budget of its own goes; a carriage return before a line feed is kept as it is.
func appendText[T string | []byte](dst []byte, s T) []byte {
	return appendBudgeted(dst, s, new(marks))
}

// appendBudgeted is appendText for one of several texts that share a budget of marks.
func appendBudgeted[T string | []byte](dst []byte, s T, m *marks) []byte {
	return appendEscaped(dst, s, textClass, m)
}

// appendAttr appends s as the value of an attribute in double quotes.
func appendAttr[T string | []byte](dst []byte, s T) []byte {
	return appendEscaped(dst, s, attrClass, nil)
}

// appendMarked appends finished HTML and makes control characters and direction controls in it visible. It changes no
// markup: a mark is plain text that is valid both between tags and in an attribute.
func appendMarked(dst, html []byte) []byte {
	return appendEscaped(dst, html, markClass, nil)
}

// bigText is the size from which a text gets its room at once: growing step by step would leave several times its size behind.
const bigText = 64 << 10

// appendEscaped writes marks as elements when m is set.
func appendEscaped[T string | []byte](dst []byte, s T, class *byteClass, m *marks) []byte {
	if len(s) >= bigText {
		dst = slices.Grow(dst, len(s)+len(s)/8)
	}
	from := 0
	for i := 0; i < len(s); i++ {
		if !class[s[i]] {
			continue
		}
		switch c := s[i]; {
		case c == '<':
			dst = append(append(dst, s[from:i]...), "&lt;"...)
		case c == '>':
			dst = append(append(dst, s[from:i]...), "&gt;"...)
		case c == '&':
			dst = append(append(dst, s[from:i]...), "&amp;"...)
		case c == '"':
			dst = append(append(dst, s[from:i]...), "&#34;"...)
		case c == '\r' && i+1 < len(s) && s[i+1] == '\n':
			dst = append(append(dst, s[from:i]...), "&#13;"...)
		default:
			r, n := markedRune(s[i:])
			if n == 0 {
				continue
			}
			dst = append(dst, s[from:i]...)
			if m == nil {
				dst = appendPicture(dst, r)
				i += n - 1
				break
			}
			times := runLength(s[i:], n)
			dst = m.append(dst, r, times)
			i += times*n - 1
		}
		from = i + 1
	}
	return append(dst, s[from:]...)
}

// markedRune returns the character that needs a mark at the start of s and its length in bytes, 0 for any other.
func markedRune[T string | []byte](s T) (r rune, n int) {
	if c := s[0]; c < 0x20 || c == 0x7f {
		return rune(c), 1
	}
	return hiddenRune(s)
}

// hiddenRune recognises the characters that present.Visible marks, by their bytes, and the tag characters, which spell
// text that no reader sees. n is the length of the one at the start of s, 0 for anything else.
func hiddenRune[T string | []byte](s T) (r rune, n int) {
	switch {
	case len(s) >= 2 && s[0] == 0xC2 && s[1] < 0xA0:
		return rune(s[1]), 2
	case len(s) >= 2 && s[0] == 0xD8 && s[1] == 0x9C:
		return 0x061C, 2
	case len(s) >= 3 && s[0] == 0xE2 && s[1] == 0x80 &&
		(s[2] == 0x8B || s[2] == 0x8E || s[2] == 0x8F || s[2] >= 0xA8 && s[2] <= 0xAE):
		return 0x2000 + rune(s[2]-0x80), 3
	case len(s) >= 3 && s[0] == 0xE2 && s[1] == 0x81 && s[2] >= 0xA0 && s[2] <= 0xAF:
		return 0x2040 + rune(s[2]-0x80), 3
	case len(s) >= 3 && s[0] == 0xEF && s[1] == 0xBB && s[2] == 0xBF:
		return 0xFEFF, 3
	case len(s) >= 4 && s[0] == 0xF3 && s[1] == 0xA0 && (s[2] == 0x80 || s[2] == 0x81):
		return 0xE0000 + rune(s[2]-0x80)<<6 + rune(s[3]-0x80), 4
	}
	return 0, 0
}
