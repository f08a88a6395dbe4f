package facts

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// errText: the bytes are no protobuf text.
var errText = errors.New("no protobuf text")

// eachText calls fn for every scalar member at the top of a protobuf text, in order, strings decoded. It is more tolerant than a parser
// with a schema: members nobody knows, also messages in any depth, are passed over; blanks may stand anywhere; what was read
// before an error was given to fn.
func eachText(text []byte, fn func(name, value string)) error {
	s := textScanner{text: text}
	for depth := 0; ; {
		s.blanks()
		if s.at == len(s.text) {
			if depth > 0 {
				return errText
			}
			return nil
		}
		switch s.text[s.at] {
		case '}', '>':
			s.at++
			if depth--; depth < 0 {
				return errText
			}
		case ';', ',':
			s.at++
		default:
			name, ok := s.name()
			if !ok {
				return errText
			}
			s.blanks()
			colon := s.take(':')
			s.blanks()
			if s.take('{') || s.take('<') {
				depth++
				continue
			}
			value, ok := s.value()
			if !ok || !colon {
				return errText
			}
			if depth == 0 {
				fn(name, value)
			}
		}
	}
}

type textScanner struct {
	text []byte
	at   int
}

// blanks passes over blanks and comments.
func (s *textScanner) blanks() {
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n', '\v', '\f':
		case '#':
			for s.at+1 < len(s.text) && s.text[s.at+1] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

func (s *textScanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// name is an identifier, a number, or an extension in brackets.
func (s *textScanner) name() (string, bool) {
	start := s.at
	if s.take('[') {
		for s.at < len(s.text) && !s.take(']') {
			s.at++
		}
		return string(s.text[start:s.at]), s.text[s.at-1] == ']'
	}
	s.word()
	return string(s.text[start:s.at]), s.at > start
}

func (s *textScanner) word() {
	for s.at < len(s.text) {
		c := s.text[s.at]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' && c != '+' {
				return
			}
		}
		s.at++
	}
}

// value is a word, a string in pieces, or a list, of which the text is not given.
func (s *textScanner) value() (string, bool) {
	if s.at == len(s.text) {
		return "", false
	}
	switch s.text[s.at] {
	case '"', '\'':
		var b strings.Builder
		for s.at < len(s.text) && (s.text[s.at] == '"' || s.text[s.at] == '\'') {
			if !s.quoted(&b) {
				return "", false
			}
			s.blanks()
		}
		return strings.ToValidUTF8(b.String(), string(utf8.RuneError)), true
	case '[':
		return "", s.list()
	}
	start := s.at
	s.word()
	return string(s.text[start:s.at]), s.at > start
}

// list passes over a list: brackets nest through messages in it.
func (s *textScanner) list() bool {
	var unused strings.Builder
	for depth := 0; s.at < len(s.text); {
		switch c := s.text[s.at]; c {
		case '"', '\'':
			if !s.quoted(&unused) {
				return false
			}
			unused.Reset()
			continue
		case '[':
			depth++
		case ']':
			depth--
		}
		if s.at++; depth == 0 {
			return true
		}
	}
	return false
}
