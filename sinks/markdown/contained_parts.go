package markdown

import "strings"

// hasLiveAngle tells whether s holds `<` before something that could make it a tag.
func hasLiveAngle(s string) bool {
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 == len(s) {
			return false
		}
		if opensTag(s[i+1]) {
			return true
		}
		s = s[i+1:]
	}
}

// indentation returns the columns of white space a quoted line begins with, and its bytes. Tabs go to the next multiple
// of four, counted with the two columns of the quote's own prefix.
func indentation(s string) (columns, width int) {
	for width < len(s) {
		switch s[width] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - (columns+2)%4
		default:
			return columns, width
		}
		width++
	}
	return columns, width
}

// fenceRun returns the fence character s begins with and how often, or 0 when it is no fence.
func fenceRun(s string) (byte, int) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	if n := runLength(s); n >= 3 {
		return s[0], n
	}
	return 0, 0
}

// defines tells whether s, which begins with `[`, begins with a label followed by a colon.
func defines(s string) bool {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return false
		case ']':
			return strings.HasPrefix(s[i+1:], ":")
		}
	}
	return false
}

// autolink returns the length of the web or mail address in angle brackets s begins with, or 0.
func autolink(s string) int {
	end := strings.IndexAny(s[1:], "<> \t`\\&")
	if end < 1 || s[end+1] != '>' {
		return 0
	}
	address := s[1 : end+1]
	for _, scheme := range [...]string{"http://", "https://", "mailto:"} {
		if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
			return end + 2
		}
	}
	if name, host, found := strings.Cut(address, "@"); found && isMail(name, ".+_-") && isMail(host, ".-") {
		return end + 2
	}
	return 0
}

func isMail(s, also string) bool {
	for i := 0; i < len(s); i++ {
		if !isAlnum(s[i]) && strings.IndexByte(also, s[i]) < 0 {
			return false
		}
	}
	return s != "" && isAlnum(s[0]) && isAlnum(s[len(s)-1])
}

// hasAddress tells whether GFM may find a bare web, mail or chat address in s: it becomes a link, backslashes and
// backticks in it included.
func hasAddress(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ':':
			if strings.HasPrefix(s[i:], "://") || endsFold(s[:i], "mailto") || endsFold(s[:i], "xmpp") {
				return true
			}
		case '.':
			if endsFold(s[:i], "www") {
				return true
			}
		}
	}
	return false
}

// followsAddress tells whether the last word of s may be a bare address, which would go on behind s. Of a word that is
// very long it cannot tell.
func followsAddress(s string) bool {
	const longest = 1 << 10
	word := s[max(0, len(s)-longest):]
	if i := strings.LastIndexAny(word, " \t"); i >= 0 {
		return hasAddress(word[i:])
	}
	return len(s) > longest || hasAddress(word)
}

func endsFold(s, word string) bool {
	return len(s) >= len(word) && strings.EqualFold(s[len(s)-len(word):], word)
}

// runLength returns how often s begins with its first character.
func runLength(s string) int {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}
