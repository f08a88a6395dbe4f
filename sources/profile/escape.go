package profile

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// AppendString appends s as a JSON string with its quotes, as protojson writes it: only `"`, `\` and control characters
// below U+0020 are escaped; everything else, also <, >, & and U+2028, stays as it is. Each byte that is not part of valid
// UTF-8 becomes U+FFFD, so the result is valid JSON for any s.
func AppendString(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return appendValidString(dst, s)
	}
	return appendRepairedString(dst, s)
}

const replacement = string(utf8.RuneError)

// badBytes counts the bytes of s that are not part of valid UTF-8.
func badBytes(s string) (n int) {
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		if bad(s[i], size) {
			n++
		}
		i += size
	}
	return n
}

// bad reports whether a byte was decoded, size bytes long, as no part of valid UTF-8.
func bad(c byte, size int) bool { return size == 1 && c >= utf8.RuneSelf }

// repaired returns s with each byte that is not part of valid UTF-8 replaced by U+FFFD, in one piece of memory of just
// that size.
func repaired(s string) string {
	out := make([]byte, 0, len(s)+badBytes(s)*(len(replacement)-1))
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		if bad(s[i], size) {
			out = append(out, replacement...)
		} else {
			out = append(out, s[i:i+size]...)
		}
		i += size
	}
	return unsafeText(out)
}

// appendRepairedString is AppendString for text that is not UTF-8. It needs no copy of the repaired text.
func appendRepairedString(dst []byte, s string) []byte {
	dst = append(slices.Grow(dst, len(s)+badBytes(s)*(len(replacement)-1)+2), '"')
	for i := 0; i < len(s); {
		c := s[i]
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case bad(c, size):
			dst = append(dst, replacement...)
		case c < ' ' || c == '"' || c == '\\':
			var e [6]byte
			dst = append(dst, e[:putEscape(e[:], c)]...)
		default:
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

// appendValidString is AppendString for text known to be UTF-8. It copies eight bytes at a time and looks for the first of
// them that needs an escape.
func appendValidString(dst []byte, s string) []byte {
	const slack = 16
	dst = slices.Grow(dst, len(s)+len(s)/16+slack)
	out, n := dst[:cap(dst)], len(dst)
	out[n] = '"'
	n++
	i := 0
	for len(s)-i >= 8 {
		if len(out)-n < slack {
			out = slices.Grow(out[:n], len(s)-i+slack)
			out = out[:cap(out)]
		}
		w := load64(s, i)
		binary.LittleEndian.PutUint64(out[n:], w)
		mask := escapes(w)
		if mask == 0 {
			n += 8
			i += 8
			continue
		}
		k := bits.TrailingZeros64(mask) >> 3
		n += k
		i += k
		n += putEscape(out[n:n+6], s[i])
		i++
	}
	dst = out[:n]
	for ; i < len(s); i++ {
		if c := s[i]; c >= ' ' && c != '"' && c != '\\' {
			dst = append(dst, c)
		} else {
			var e [6]byte
			dst = append(dst, e[:putEscape(e[:], c)]...)
		}
	}
	return append(dst, '"')
}

// escapes sets the high bit of bytes of w that a JSON string must escape. Only the lowest set bit is exact.
func escapes(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote := w ^ ones*'"'
	slash := w ^ ones*'\\'
	return ((w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash) & high
}

func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// letters are the second characters of two-character escapes; the other escaped characters have none.
var letters = [256]byte{'"': '"', '\\': '\\', '\n': 'n', '\t': 't', '\r': 'r', '\b': 'b', '\f': 'f'}

// putEscape writes the escape of c and returns its length.
func putEscape(out []byte, c byte) int {
	_ = out[5]
	out[0] = '\\'
	if letter := letters[c]; letter != 0 {
		out[1] = letter
		return 2
	}
	out[1], out[2], out[3], out[4], out[5] = 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15]
	return 6
}
