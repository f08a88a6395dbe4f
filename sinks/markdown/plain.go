package markdown

import "strings"

// plain tells whether Markdown shows s as typed when the lines of a paragraph end in hard breaks: no character in it means
// something where it stands. Only single spaces at the sides of a line, and the second of two inside, are not seen. It may
// say no to harmless text, never yes to text that would change.
func plain(s string) bool {
	if len(s) > 8<<10 || strings.ContainsAny(s, "\r\x00\v\f\u2028\u2029\u0085") {
		return false
	}
	if !quotable(s) {
		return false
	}
	s, _ = cutFeeds(s)
	blank := true
	for {
		line, rest, more := strings.Cut(s, "\n")
		if line == "" && blank || line != "" && !plainLine(line) {
			return false
		}
		if blank = line == ""; !more {
			return !blank
		}
		s = rest
	}
}

// plainLine judges one line of a paragraph.
func plainLine(s string) bool {
	s = strings.TrimPrefix(s, " ")
	if strings.Trim(s, " ") == "" {
		return false
	}
	switch c := s[0]; {
	case strings.IndexByte(" \t>-+=#~|:*", c) >= 0:
		return false
	case c >= '0' && c <= '9':
		if rest := strings.TrimLeft(s, "0123456789"); rest != "" && (rest[0] == '.' || rest[0] == ')') {
			return false
		}
	}
	tildes, dollars := 0, 0
	for i := 0; i < len(s); i++ {
		c, after := s[i], byte(' ')
		if i+1 < len(s) {
			after = s[i+1]
		}
		switch c {
		case '`':
			return false
		case '*':
			if s[i-1] != ' ' || after != ' ' || i+1 == len(s) {
				return false
			}
		case '[':
			if after == '^' {
				return false
			}
		case ']':
			if strings.IndexByte("([:", after) >= 0 {
				return false
			}
		case '\\':
			if i+1 == len(s) || isPunct(after) {
				return false
			}
		case '<':
			if opensTag(after) {
				return false
			}
		case '&':
			if isAlnum(after) || after == '#' {
				return false
			}
		case '_':
			if !insideWord(s, i) {
				return false
			}
		case ' ':
			if strings.HasPrefix(s[i:], "   ") {
				return false
			}
		case '~':
			tildes++
		case '$':
			dollars++
		case '\t', 0x1B:
			return false
		}
	}
	return tildes < 2 && dollars < 2
}
