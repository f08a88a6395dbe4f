package present

import "strings"

// Terminal gives command output as a terminal would have left it: sequences for colour and style (SGR) and for erasing
// in a line are dropped, and of a line that was overwritten after a carriage return only its last visible state stays.
// Overwriting by a shorter text is not played back cell by cell: a program that redraws a line means the new text. Every
// other control character is kept for the caller to show. Text without ESC and without a carriage return inside a line
// is returned unchanged; changed tells the two apart.
func Terminal(s string) (shown string, changed bool) {
	if strings.IndexByte(s, 0x1B) < 0 && !HasLoneReturn(s) {
		return s, false
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		line, end := s, ""
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			line, end = s[:i], s[i:i+1]
		}
		s = s[len(line)+len(end):]
		if cut, found := strings.CutSuffix(line, "\r"); found && end != "" {
			line, end = cut, "\r\n"
		}
		out = appendUnstyled(out, lastState(line))
		out = append(out, end...)
	}
	return string(out), true
}

// HasLoneReturn tells whether a carriage return stands anywhere but before a line feed.
func HasLoneReturn(s string) bool {
	for {
		i := strings.IndexByte(s, '\r')
		if i < 0 {
			return false
		}
		if i+1 == len(s) || s[i+1] != '\n' {
			return true
		}
		s = s[i+2:]
	}
}

// lastState returns of a line's states, which carriage returns separate, the last in which something can be seen.
func lastState(line string) string {
	for {
		i := strings.LastIndexByte(line, '\r')
		if state := line[i+1:]; i < 0 || HasVisible(state) {
			return state
		}
		line = line[:i]
	}
}

// HasVisible tells whether anything but style and erase sequences is in s.
func HasVisible(s string) bool {
	for len(s) > 0 {
		n := SequenceLength(s)
		if n == 0 {
			return true
		}
		s = s[n:]
	}
	return false
}

func appendUnstyled(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, 0x1B)
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		n := SequenceLength(s[i:])
		if n == 0 {
			dst = append(dst, 0x1B)
			n = 1
		}
		s = s[i+n:]
	}
}

// SequenceLength returns the length of the style (`ESC [ … m`, SGR) or erase-in-line (`ESC [ … K`) sequence s starts
// with, or 0.
func SequenceLength(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm' || c == 'K':
			return i + 1
		case c >= '0' && c <= '9', c == ';', c == ':':
		default:
			return 0
		}
	}
	return 0
}
