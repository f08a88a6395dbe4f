package html

import "strconv"

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
// element of class c; a carriage return before a line feed is kept as it is.
func appendText[T string | []byte](dst []byte, s T) []byte {
	return appendEscaped(dst, s, textClass, `<b class="c">`, `</b>`)
}

// appendAttr appends s as the value of an attribute in double quotes.
func appendAttr[T string | []byte](dst []byte, s T) []byte {
	return appendEscaped(dst, s, attrClass, "", "")
}

// appendMarked appends finished HTML and makes control characters and direction controls in it visible. It changes no
// markup: a mark is plain text that is valid both between tags and in an attribute.
func appendMarked(dst, html []byte) []byte {
	return appendEscaped(dst, html, markClass, "", "")
}

func appendEscaped[T string | []byte](dst []byte, s T, class *byteClass, open, end string) []byte {
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
		case c < 0x20 || c == 0x7f:
			dst = append(append(dst, s[from:i]...), open...)
			dst = append(appendPicture(dst, c), end...)
		default:
			r, n := hiddenRune(s[i:])
			if n == 0 {
				continue
			}
			dst = append(append(dst, s[from:i]...), open...)
			dst = append(appendCodePoint(dst, r), end...)
			i += n - 1
		}
		from = i + 1
	}
	return append(dst, s[from:]...)
}

// appendPicture appends the Unicode picture of an ASCII control character.
func appendPicture(dst []byte, c byte) []byte {
	if c == 0x7f {
		return append(dst, "\u2421"...)
	}
	return append(dst, 0xE2, 0x90, 0x80+c)
}

func appendCodePoint(dst []byte, r rune) []byte {
	dst = append(dst, "⟨U+"...)
	if r < 0x1000 {
		dst = append(dst, '0')
	}
	if r < 0x100 {
		dst = append(dst, '0')
	}
	dst = appendUpperHex(dst, r)
	return append(dst, "⟩"...)
}

func appendUpperHex(dst []byte, r rune) []byte {
	from := len(dst)
	dst = strconv.AppendUint(dst, uint64(r), 16)
	for i := from; i < len(dst); i++ {
		if dst[i] >= 'a' {
			dst[i] -= 'a' - 'A'
		}
	}
	return dst
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
