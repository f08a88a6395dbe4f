package present

import "strings"

// Terminal gives command output as a terminal would have left it: colour and style sequences (SGR) and the clear-to-end
// sequences progress bars use are dropped, and of a line that was overwritten after a carriage return only what remained
// stays. Every other control character is kept for the caller to show. Text without ESC and without a carriage return
// inside a line is returned unchanged; changed tells the two apart.
func Terminal(s string) (shown string, changed bool) {
	if strings.IndexByte(s, 0x1B) < 0 && !hasProgress(s) {
		return s, false
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		line, end := s, ""
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			line, end = s[:i], s[i:i+1]
		}
		s = s[len(line)+len(end):]
		if end != "" && strings.HasSuffix(line, "\r") {
			line, end = line[:len(line)-1], "\r\n"
		}
		out = appendShownLine(out, line)
		out = append(out, end...)
	}
	return string(out), true
}

// hasProgress tells whether a carriage return stands anywhere but before a line feed.
func hasProgress(s string) bool {
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

// appendShownLine keeps of a line what its last carriage return left over. Overwriting by a shorter text is not played
// back cell by cell: a program that redraws a line means the new text. A trailing carriage return hides nothing.
func appendShownLine(dst []byte, line string) []byte {
	start := len(dst)
	for len(line) > 0 {
		i := strings.IndexAny(line, "\x1b\r")
		if i < 0 {
			return append(dst, line...)
		}
		dst = append(dst, line[:i]...)
		if line[i] == 0x1B {
			n := styleLength(line[i:])
			if n == 0 {
				dst = append(dst, 0x1B)
				n = 1
			}
			line = line[i+n:]
			continue
		}
		line = strings.TrimLeft(line[i:], "\r")
		if visibleRest(line) {
			dst = dst[:start]
		}
	}
	return dst
}

// visibleRest tells whether anything but sequences follows.
func visibleRest(line string) bool {
	for len(line) > 0 {
		n := styleLength(line)
		if n == 0 {
			return true
		}
		line = line[n:]
	}
	return false
}

// styleLength returns the length of the SGR (`ESC [ … m`) or erase-line (`ESC [ … K`) sequence s starts with, or 0.
func styleLength(s string) int {
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
