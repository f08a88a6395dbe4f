package facts

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoted decodes one quoted piece of a string.
func (s *textScanner) quoted(b *strings.Builder) bool {
	quote := s.text[s.at]
	for s.at++; s.at < len(s.text); {
		c := s.text[s.at]
		s.at++
		switch c {
		case quote:
			return true
		case '\n':
			return false
		case '\\':
			if !s.escape(b) {
				return false
			}
		default:
			b.WriteByte(c)
		}
	}
	return false
}

var escapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// escape decodes what stands behind a backslash: octal and hexadecimal bytes, code points, and the usual letters.
func (s *textScanner) escape(b *strings.Builder) bool {
	if s.at == len(s.text) {
		return false
	}
	c := s.text[s.at]
	if plain, ok := escapes[c]; ok {
		s.at++
		b.WriteByte(plain)
		return true
	}
	switch {
	case c >= '0' && c <= '7':
		n, ok := s.number(3, 8)
		b.WriteByte(byte(n))
		return ok
	case c == 'x' || c == 'X':
		s.at++
		n, ok := s.number(2, 16)
		b.WriteByte(byte(n))
		return ok
	case c == 'u':
		s.at++
		return s.codePoint(b, 4)
	case c == 'U':
		s.at++
		return s.codePoint(b, 8)
	}
	return false
}

// codePoint decodes exactly so many digits, and the second half of a pair of surrogates.
func (s *textScanner) codePoint(b *strings.Builder, digits int) bool {
	start := s.at
	n, ok := s.number(digits, 16)
	if !ok || s.at-start != digits || n > utf8.MaxRune {
		return false
	}
	if n >= 0xd800 && n < 0xdc00 && strings.HasPrefix(string(s.text[s.at:min(len(s.text), s.at+2)]), `\u`) {
		back := s.at
		s.at += 2
		if low, ok := s.number(4, 16); ok && low >= 0xdc00 && low < 0xe000 {
			n = (n-0xd800)<<10 + (low - 0xdc00) + 0x10000
		} else {
			s.at = back
		}
	}
	b.WriteRune(rune(n))
	return true
}

// number takes up to so many digits of a base.
func (s *textScanner) number(digits, base int) (uint64, bool) {
	start := s.at
	for s.at < len(s.text) && s.at-start < digits {
		if _, err := strconv.ParseUint(string(s.text[s.at:s.at+1]), base, 8); err != nil {
			break
		}
		s.at++
	}
	n, err := strconv.ParseUint(string(s.text[start:s.at]), base, 64)
	return n, err == nil
}
