package mirror

import "github.com/go-json-experiment/json/jsontext"

// begin starts a string: a member's name, or a value. Only names and values that the index looks at are kept.
func (s *lineScan) begin(key bool) {
	s.state, s.key, s.capture = inString, key, s.capture[:0]
	switch {
	case key:
		s.over = s.depth != 1 && !s.inCall()
	case s.depth == 1:
		s.over = s.member == otherMember || s.member == callsMember
	case s.member == truncatedMember:
		s.truncated, s.over = true, true
	default:
		s.over = !s.name
	}
}

// inCall reports whether the innermost object is an element of the array of calls.
func (s *lineScan) inCall() bool { return s.member == callsMember && s.depth == 3 && s.inObject() }

func (s *lineScan) keep(c byte) {
	if s.over || len(s.capture) == maxCaptured {
		s.over = true
		return
	}
	s.capture = append(s.capture, c)
}

func (s *lineScan) inString(c byte) {
	switch {
	case c == '"':
		s.endString()
	case c == '\\':
		s.keep(c)
		s.state = inEscape
	case c < 0x20:
		s.state = broken
	default:
		s.keep(c)
	}
}

func (s *lineScan) inEscape(c byte) {
	s.keep(c)
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.state = inString
	case 'u':
		s.state, s.left = inHex, 4
	default:
		s.state = broken
	}
}

func (s *lineScan) inHex(c byte) {
	s.keep(c)
	if c < '0' || c > '9' && (c|0x20 < 'a' || c|0x20 > 'f') {
		s.state = broken
		return
	}
	if s.left--; s.left == 0 {
		s.state = inString
	}
}

func (s *lineScan) inWord(c byte) {
	if c != s.word[0] {
		s.state = broken
		return
	}
	if s.word = s.word[1:]; s.word == "" {
		s.state = afterValue
	}
}

func isNumber(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == '+' || c == '-' || c|0x20 == 'e'
}

// endNumber checks the number that was kept. One that is too long to be kept is not checked further: nobody reads it.
func (s *lineScan) endNumber() {
	s.state = afterValue
	if !s.over && !jsontext.Value(s.capture).IsValid() {
		s.state = broken
		return
	}
	if s.depth == 1 && s.member == indexMember && !s.over {
		s.index = string(s.capture)
	}
}

// endString takes the string that was kept. Names and values beyond what is kept name nothing the index looks at.
func (s *lineScan) endString() {
	s.state = afterValue
	if s.key {
		s.state = atColon
	}
	text := ""
	if !s.over {
		text = unquoted(s.capture)
	}
	switch {
	case s.key && s.depth == 1:
		s.member = members[text]
		if s.member == callsMember {
			s.calls, s.names = 0, s.names[:0]
		}
	case s.key:
		s.name = s.inCall() && text == "name"
	case s.depth == 1:
		s.take(text)
	case s.name && s.inCall():
		if n := len(s.names); n > 0 && s.calls <= maxCalls {
			s.names[n-1] = text
		}
		s.name = false
	}
}

// take keeps a text of a top-level member. An index is a number.
func (s *lineScan) take(text string) {
	switch s.member {
	case kindMember:
		s.kind = text
	case statusMember:
		s.status = text
	case createdMember:
		s.created = text
	}
}

// unquoted returns the text of the inside of a JSON string.
func unquoted(inside []byte) string {
	quoted := append(append([]byte{'"'}, inside...), '"')
	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil && len(text) == 0 {
		return string(inside)
	}
	return string(text)
}
