package markdown

import (
	"strings"

	"agy-reader/sinks/present"
)

// appendText appends one-line text so that Markdown shows it as typed: control characters are visible symbols, and a
// character is escaped where it could mean something. Nothing is escaped in vain. The text must not begin a line, which
// the callers see to.
func appendText(dst []byte, s string) []byte {
	s = present.Visible(s)
	i := nextEscape(s, 0, false)
	if i == len(s) {
		return append(dst, s...)
	}
	// GFM makes links of bare addresses, and a backslash in one is no escape: then the address must not be one.
	address := isLinkified(s)
	if address {
		i = nextEscape(s, 0, true)
	}
	for start := 0; ; i = nextEscape(s, start+1, address) {
		dst = append(dst, s[start:i]...)
		if i == len(s) {
			return dst
		}
		dst = append(dst, '\\')
		start = i
	}
}

// nextEscape returns the first position from i on that must be escaped, or the length of s.
func nextEscape(s string, i int, address bool) int {
	for ; i < len(s); i++ {
		c := s[i]
		if c < 0x80 && special[c] && mustEscape(s, i) || address && breaksAddress(s, i) {
			return i
		}
	}
	return i
}

// breaksAddress tells the colon and the dot without which GFM makes no link of the address around them. An address with
// another scheme than these, such as a file, it leaves alone.
func breaksAddress(s string, i int) bool {
	switch s[i] {
	case ':':
		return strings.HasPrefix(s[i:], "://") && (endsFold(s[:i], "http") || endsFold(s[:i], "https") || endsFold(s[:i], "ftp"))
	case '.':
		return endsFold(s[:i], "www")
	}
	return false
}

// isLinkified tells whether GFM may make a link of something in s.
func isLinkified(s string) bool {
	for i := range len(s) {
		if breaksAddress(s, i) || s[i] == ':' && (endsFold(s[:i], "mailto") || endsFold(s[:i], "xmpp")) {
			return true
		}
	}
	return false
}

var special = func() (t [128]bool) {
	for _, c := range "\\`*_[]<>&~#!" {
		t[c] = true
	}
	return t
}()

func mustEscape(s string, i int) bool {
	before, after := byte(' '), byte(' ')
	if i > 0 {
		before = s[i-1]
	}
	last := i+1 == len(s)
	if !last {
		after = s[i+1]
	}
	switch s[i] {
	case '\\':
		return last || isPunct(after)
	case '*':
		return last || before != ' ' || after != ' '
	case '_':
		return !insideWord(s, i)
	case '<':
		return last || opensTag(after)
	case '&':
		return last || isAlnum(after) || after == '#'
	case '~':
		return last || before != ' ' || after != '/'
	case '#':
		return before == ' ' && strings.Trim(s[i:], "# ") == "" // would close a heading
	case '>':
		return i == 0
	case '!':
		return last
	default:
		return true
	}
}

// longestInside is how many underscores insideWord looks at.
const longestInside = 8

// insideWord tells whether the run of underscores at i has letters or digits on both sides, so that it means nothing.
func insideWord(s string, i int) bool {
	first, last := i, i
	for first > 0 && s[first-1] == '_' && i-first < longestInside {
		first--
	}
	for last+1 < len(s) && s[last+1] == '_' && last-i < longestInside {
		last++
	}
	return first > 0 && last+1 < len(s) && isAlnum(s[first-1]) && isAlnum(s[last+1])
}

// opensTag tells whether c behind `<` can begin an HTML tag, comment, declaration or an autolink.
func opensTag(c byte) bool {
	return isLetter(c) || c == '/' || c == '!' || c == '?'
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isAlnum(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func isPunct(c byte) bool { return c > ' ' && c < 0x7F && !isAlnum(c) }

// appendSpan appends one-line text as a code span: its delimiters are longer than any run of backticks inside. Text that
// is empty becomes the words of an empty body.
func appendSpan(dst []byte, s string) []byte {
	s = present.Visible(s)
	if s == "" {
		return append(dst, empty...)
	}
	run := longestRun(s, '`')
	pad := s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != ""
	dst = appendRun(dst, '`', run+1)
	if pad {
		dst = append(dst, ' ')
	}
	dst = append(dst, s...)
	if pad {
		dst = append(dst, ' ')
	}
	return appendRun(dst, '`', run+1)
}

// appendLink appends text as a link to uri, or only the text when uri may not be linked.
func appendLink(dst []byte, text, uri string) []byte {
	href, safe := present.Href(uri)
	if !safe {
		return appendText(dst, text)
	}
	return appendDestination(append(appendText(append(dst, '['), text), ']'), href)
}

// appendDestination appends what stands behind the text of a link. href has passed a check of package present.
func appendDestination(dst []byte, href string) []byte {
	dst = append(dst, "(<"...)
	for i := 0; i < len(href); i++ {
		if href[i] == '&' {
			dst = append(dst, "&amp;"...)
			continue
		}
		dst = append(dst, href[i])
	}
	return append(dst, ">)"...)
}

// appendBeside appends text as a link to a file beside this one, or only the text when href may lead elsewhere.
func appendBeside(dst []byte, text, href string) []byte {
	link, safe := present.RelativeHref(href)
	if !safe {
		return appendText(dst, text)
	}
	return appendDestination(append(appendText(append(dst, '['), text), ']'), link)
}

// appendAddress appends an address: a path as a link to the file, a web address as itself, anything else as text.
func appendAddress(dst []byte, uri string) []byte {
	href, safe := present.Href(uri)
	switch {
	case safe && href == uri && strings.HasPrefix(uri, "http"):
		return append(append(append(dst, '<'), uri...), '>')
	case safe:
		return appendLink(dst, present.Path(uri), uri)
	}
	return appendText(dst, uri)
}

// appendAnchorLink links to a step; the text is its number.
func appendAnchorLink(dst []byte, anchor string) []byte {
	return appendStepLink(dst, present.StepName(anchor), anchor)
}

// appendStepLink appends a link to a step of this document.
func appendStepLink(dst []byte, text, anchor string) []byte {
	anchor = present.Anchor(anchor)
	dst = append(dst, '[')
	dst = appendText(dst, text)
	dst = append(dst, "](#"...)
	dst = append(dst, anchor...)
	return append(dst, ')')
}

// appendStrong appends one-line text in bold, or nothing when it holds nothing to see.
func appendStrong(dst []byte, s string) []byte {
	s = strings.TrimSpace(s)
	if s == "" {
		return dst
	}
	dst = append(dst, "**"...)
	dst = appendText(dst, s)
	return append(dst, "**"...)
}
