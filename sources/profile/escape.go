package profile

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// AppendString appends s as a JSON string with its quotes, as protojson writes it: only `"`, `\` and control characters
// below U+0020 are escaped; everything else, also <, >, & and U+2028, stays as it is. Each byte that is not part of valid
// UTF-8 becomes U+FFFD, so the result is valid JSON for any s.
func AppendString(dst []byte, s string) []byte {
	out, ascii := appendEscaped(dst, s)
	if ascii || utf8.ValidString(s) {
		return out
	}
	return appendRepairedString(out[:len(dst)], s)
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

// escapeRoom is how many bytes one step of appendEscaped may write: eight escapes of six, and the quote.
const escapeRoom = 64

// appendEscaped appends s as a JSON string as it is, valid or not, and reports whether it is all ASCII. Where the machine
// has the instructions, escapeBlocks does most of it. The rest goes eight bytes at a time: those without an escape are
// copied, the others go through a table without a branch for each byte, because in code about every second eight have an
// escape and nobody can guess where.
func appendEscaped(dst []byte, s string) (_ []byte, ascii bool) {
	const spaces, high = 0x2020202020202020, 0x8080808080808080
	dst = slices.Grow(dst, len(s)+len(s)/8+escapeRoom)
	out, n := dst[:cap(dst)], len(dst)
	out[n] = '"'
	n++
	var all uint64
	i := 0
	for len(s)-i >= 8 {
		if len(out)-n < escapeRoom {
			out = slices.Grow(out[:n], len(s)-i+escapeRoom)
			out = out[:cap(out)]
		}
		if hasBlocks && len(s)-i >= 16 {
			read, written, wide := escapeBlocks(out[n:], s[i:])
			if wide {
				all = high
			}
			if i, n = i+read, n+written; read > 0 {
				continue
			}
		}
		w := load64(s, i)
		all |= w
		if escapes(w) == 0 {
			binary.LittleEndian.PutUint64(out[n:], w)
			n += 8
		} else {
			n += putEscaped((*[6 * 8]byte)(out[n:]), w)
		}
		i += 8
	}
	if len(out)-n < escapeRoom {
		out = slices.Grow(out[:n], escapeRoom)
		out = out[:cap(out)]
	}
	if rest := len(s) - i; rest > 0 {
		// The last bytes are filled up with spaces, which are taken back.
		w := uint64(spaces) << (8 * uint(rest))
		if i > 0 {
			w |= load64(s, len(s)-8) >> (64 - 8*uint(rest))
		} else {
			for k := range rest {
				w |= uint64(s[k]) << (8 * uint(k) & 63)
			}
		}
		all |= w
		n += putEscaped((*[6 * 8]byte)(out[n:]), w) - (8 - rest)
	}
	out[n] = '"'
	return out[:n+1], all&high == 0
}

// escapes is 0 when no byte of w must be escaped in a JSON string.
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

// pieces say how each byte is written: one or two bytes in the low half, how many of them in the high half. It is sixBytes
// for an escape without a letter.
var pieces = func() (p [256]uint32) {
	for c := range p {
		switch {
		case letters[c] != 0:
			p[c] = 2<<16 | uint32(letters[c])<<8 | '\\'
		case c < ' ':
			p[c] = sixBytes
		default:
			p[c] = 1<<16 | uint32(c)
		}
	}
	return p
}()

const sixBytes = 1 << 31

// putEscaped writes the eight bytes of w, escaped where they must be, and returns the length. Behind it, up to two bytes
// may be overwritten.
func putEscaped(out *[6 * 8]byte, w uint64) int {
	a, b, c, d := pieces[byte(w)], pieces[byte(w>>8)], pieces[byte(w>>16)], pieces[byte(w>>24)]
	e, f, g, h := pieces[byte(w>>32)], pieces[byte(w>>40)], pieces[byte(w>>48)], pieces[byte(w>>56)]
	if (a|b|c|d|e|f|g|h)&sixBytes != 0 {
		return putLong(out, w)
	}
	const within = 15 // of out; it saves the check of every index
	n := uint32(0)
	binary.LittleEndian.PutUint16(out[n&within:], uint16(a))
	n += a >> 16
	binary.LittleEndian.PutUint16(out[n&within:], uint16(b))
	n += b >> 16
	binary.LittleEndian.PutUint16(out[n&within:], uint16(c))
	n += c >> 16
	binary.LittleEndian.PutUint16(out[n&within:], uint16(d))
	n += d >> 16
	binary.LittleEndian.PutUint16(out[n&within:], uint16(e))
	n += e >> 16
	binary.LittleEndian.PutUint16(out[n&within:], uint16(f))
	n += f >> 16
	binary.LittleEndian.PutUint16(out[n&within:], uint16(g))
	n += g >> 16
	binary.LittleEndian.PutUint16(out[n&within:], uint16(h))
	n += h >> 16
	return int(n)
}

// putLong is putEscaped for any bytes.
func putLong(out *[6 * 8]byte, w uint64) (n int) {
	for range 8 {
		if p := pieces[byte(w)]; p != sixBytes {
			binary.LittleEndian.PutUint16(out[n:], uint16(p))
			n += int(p >> 16)
		} else {
			n += putEscape(out[n:n+6], byte(w))
		}
		w >>= 8
	}
	return n
}

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
