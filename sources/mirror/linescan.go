package mirror

// lineScan checks one line while its bytes pass by and keeps what an index needs. It holds no more than a few short values,
// whatever the line's length, so that a line need not be in memory to be known.
type lineScan struct {
	state state
	depth int
	// stack has one bit a level: set for an object.
	stack [maxNesting/64 + 1]uint64
	// member is the top-level member whose value passes by, name that of a call's member two levels below it.
	member  member
	name    bool
	key     bool
	capture []byte
	// over: the value is longer than is kept.
	over bool
	left int
	word string

	index, kind, status, created string
	truncated                    bool
	names                        []string
	calls                        int
}

// maxNesting is how deep the values of a line may lie inside each other. Real ones are four deep.
const maxNesting = 1000

// maxCaptured bounds names, numbers and times that are kept of a line.
const maxCaptured = 128

// maxCalls bounds how many calls of one line are told apart.
const maxCalls = 1 << 12

type state uint8

const (
	atStart state = iota
	atValue
	atFirstElement
	atFirstKey
	atKey
	atColon
	afterValue
	inString
	inEscape
	inHex
	inNumber
	inWord
	atEnd
	broken
)

// member is a top-level member that the index looks at.
type member uint8

const (
	otherMember member = iota
	indexMember
	kindMember
	statusMember
	createdMember
	callsMember
	truncatedMember
)

var members = map[string]member{
	"step_index": indexMember, "type": kindMember, "status": statusMember, "created_at": createdMember,
	"tool_calls": callsMember, "truncated_fields": truncatedMember,
}

// reset prepares for the next line.
func (s *lineScan) reset() {
	*s = lineScan{capture: s.capture[:0], names: s.names[:0]}
}

// feed takes the next bytes of the line, which may end anywhere.
func (s *lineScan) feed(b []byte) {
	for i := 0; i < len(b); {
		if s.state == inString && s.over {
			// Most bytes of a log are texts nobody keeps.
			j := i
			for j < len(b) && b[j] != '"' && b[j] != '\\' && b[j] >= 0x20 {
				j++
			}
			if i = j; i == len(b) {
				return
			}
		}
		if s.state == broken {
			return
		}
		if s.step(b[i]) {
			i++
		}
	}
}

// step takes one byte, and reports false when it ended a value without belonging to it.
func (s *lineScan) step(c byte) bool {
	switch s.state {
	case inString:
		s.inString(c)
		return true
	case inEscape:
		s.inEscape(c)
		return true
	case inHex:
		s.inHex(c)
		return true
	case inNumber:
		if isNumber(c) {
			s.keep(c)
			return true
		}
		s.endNumber()
		return false
	case inWord:
		s.inWord(c)
		return true
	}
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0 && (s.state == atStart || s.state == atEnd) {
		return true
	}
	s.token(c)
	return true
}

// token takes a byte that begins or separates values.
func (s *lineScan) token(c byte) {
	switch s.state {
	case atStart:
		if c != '{' {
			s.state = broken
			return
		}
		s.open(true)
	case atValue, atFirstElement:
		if c == ']' && s.state == atFirstElement {
			s.shut()
			return
		}
		s.value(c)
	case atFirstKey, atKey:
		switch {
		case c == '"':
			s.begin(true)
		case c == '}' && s.state == atFirstKey:
			s.shut()
		default:
			s.state = broken
		}
	case atColon:
		s.state = broken
		if c == ':' {
			s.state = atValue
		}
	case afterValue:
		s.after(c)
	default:
		s.state = broken
	}
}

// value takes the first byte of a value.
func (s *lineScan) value(c byte) {
	switch {
	case c == '"':
		s.begin(false)
	case c == '{':
		if s.member == callsMember && s.depth == 2 {
			s.calls++
			if s.calls <= maxCalls {
				s.names = append(s.names, "")
			}
		}
		s.open(true)
	case c == '[':
		s.open(false)
	case c == '-' || '0' <= c && c <= '9':
		s.state, s.over, s.capture = inNumber, false, append(s.capture[:0], c)
	case c == 't':
		s.state, s.word = inWord, "true"[1:]
	case c == 'f':
		s.state, s.word = inWord, "false"[1:]
	case c == 'n':
		s.state, s.word = inWord, "null"[1:]
	default:
		s.state = broken
	}
}

// after takes the byte behind a value.
func (s *lineScan) after(c byte) {
	switch {
	case c == ',' && s.inObject():
		s.state = atKey
		if s.depth == 1 {
			s.member = otherMember
		}
	case c == ',':
		s.state = atValue
	case c == '}' && s.inObject(), c == ']' && !s.inObject():
		s.shut()
	default:
		s.state = broken
	}
}

func (s *lineScan) open(object bool) {
	if s.depth == maxNesting {
		s.state = broken
		return
	}
	bit := uint64(1) << (s.depth % 64)
	s.stack[s.depth/64] &^= bit
	s.state = atFirstElement
	if object {
		s.stack[s.depth/64] |= bit
		s.state = atFirstKey
	}
	s.depth++
}

func (s *lineScan) inObject() bool {
	d := s.depth - 1
	return s.stack[d/64]&(1<<(d%64)) != 0
}

func (s *lineScan) shut() {
	s.depth--
	s.state = afterValue
	if s.depth == 0 {
		s.state = atEnd
	}
}

// whole reports whether the line was one JSON object.
func (s *lineScan) whole() bool { return s.state == atEnd }
