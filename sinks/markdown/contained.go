package markdown

import (
	"strings"

	"agy-reader/sinks/present"
)

// contained tells whether s, read as Markdown inside a block quote, stays there: no raw HTML, no link reference or
// footnote definition, no image from the network, no link with a scheme other than ours. It may say no to harmless text,
// never yes to text that reaches out. Code is recognised only where every reading of the lines around agrees that it is
// code; everything else counts as live.
func contained(s string) bool {
	if !strings.Contains(s, "](") && !strings.Contains(s, "]:") && !hasLiveAngle(s) {
		return true
	}
	if present.HasLoneReturn(s) { // some parsers end a line there, others do not
		return false
	}
	var c container
	for pos := 0; pos < len(s); {
		end := pos + lineEnd(s[pos:], true)
		if !c.line(s, pos, end) {
			return false
		}
		pos = end
	}
	return true
}

// container is where a line stands: in a fence, or in a paragraph of which some backtick may have opened a code span.
type container struct {
	fence     byte
	length    int
	indent    int
	uncertain bool
	image     bool
}

// line judges the line s[pos:end] and returns false when something reaches out or when it cannot tell.
func (c *container) line(s string, pos, end int) bool {
	text := strings.TrimRight(s[pos:end], "\r\n")
	columns, width := indentation(text)
	rest := text[width:]
	if c.fence != 0 {
		return c.fenced(text[:width], rest, columns)
	}
	if strings.Trim(rest, " \t") == "" {
		c.uncertain, c.image = false, false
		return true
	}
	if char, n := fenceRun(rest); n > 0 && columns <= 3 && width == columns {
		if char == '~' || strings.IndexByte(rest[n:], '`') < 0 {
			*c = container{fence: char, length: n, indent: columns}
			return true
		}
	}
	inner := strings.TrimLeft(text, " \t>-+*0123456789.)")
	if _, n := fenceRun(inner); n > 0 {
		return false // a fence inside a list or a quote, or something that looks like one
	}
	if strings.HasPrefix(inner, "[") && defines(s[pos+len(text)-len(inner):]) {
		return false
	}
	return c.inline(s[:pos+len(text)], s, pos+width)
}

// fenced handles a line inside a fence. The content of an indented fence must stay as far right as the fence, or a list
// item that holds it would end.
func (c *container) fenced(space, rest string, columns int) bool {
	if rest == "" {
		return true
	}
	if char, n := fenceRun(rest); char == c.fence && n >= c.length && strings.Trim(rest[n:], " \t") == "" {
		switch {
		case strings.IndexByte(space, '\t') >= 0:
			return false // parsers count tabs differently
		case c.indent == 0 && columns <= 3, columns == c.indent:
			*c = container{}
			return true
		case c.indent > 0:
			return false
		}
	}
	return columns >= c.indent
}

// inline walks the inline content of one line, which begins at pos and ends where line does; s goes on behind it.
func (c *container) inline(line, s string, pos int) bool {
	begin := pos
	for {
		for pos < len(line) && !live[line[pos]] {
			pos++
		}
		if pos == len(line) {
			return true
		}
		after := byte(0)
		if pos+1 < len(s) {
			after = s[pos+1]
		}
		switch s[pos] {
		case '\\':
			if after == '`' {
				c.uncertain = true
			}
			if !c.uncertain && isPunct(after) && !followsAddress(line[begin:pos]) {
				pos++
			}
			pos = min(pos+1, len(line))
		case '!':
			c.image = c.image || after == '['
			pos++
		case '`':
			pos = c.span(line, begin, pos)
		case '<':
			n := 1
			if opensTag(after) {
				if n = autolink(line[pos:]); n == 0 {
					return false
				}
			}
			pos += n
		case ']':
			pos++
			if after != '(' {
				continue
			}
			n, safe := c.destination(s[pos+1:])
			if !safe {
				return false
			}
			pos = min(pos+1+n, len(line))
		}
	}
}

// live are the characters inline walks by.
var live = [256]bool{'`': true, '<': true, ']': true, '!': true, '\\': true}

// span moves behind the code span that begins at pos when it ends on this line. A cell border of a table ends a span
// too, so a span with a bar in it is not trusted; nor is one whose beginning a bare address before it may swallow.
func (c *container) span(line string, begin, pos int) int {
	n := runLength(line[pos:])
	if c.uncertain || followsAddress(line[begin:pos]) {
		c.uncertain = true
		return pos + n
	}
	for i := pos + n; ; {
		next := strings.IndexByte(line[i:], '`')
		if next < 0 {
			break
		}
		i += next
		m := runLength(line[i:])
		i += m
		if m != n {
			continue
		}
		if strings.IndexByte(line[pos:i], '|') >= 0 {
			break
		}
		return i
	}
	c.uncertain = true
	return pos + n
}

// destination judges the link destination s begins with, behind the opening parenthesis, and returns how much of it
// can be skipped. Behind anything but a plain destination it is not known where the link ends.
func (c *container) destination(s string) (int, bool) {
	start := len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	angle := strings.HasPrefix(s[start:], "<")
	stops := " \t\r\n)([]<`"
	if angle {
		start++
		stops = "\r\n><"
	}
	length := strings.IndexAny(s[start:], stops)
	if length < 0 {
		length = len(s) - start
	}
	dest := s[start : start+length]
	if !c.safe(dest) {
		return 0, false
	}
	end := start + length
	if !angle && start == 0 && end < len(s) && s[end] == ')' && !strings.ContainsAny(dest, ">\\\"'") {
		return end + 1, true
	}
	c.uncertain = true
	return 0, true
}

// safe judges a destination: relative, or with one of our schemes; from the network only when no image is about.
func (c *container) safe(dest string) bool {
	i := strings.IndexAny(dest, ":/?#&\\")
	if i < 0 {
		return true
	}
	switch dest[i] {
	case '&', '\\':
		return false
	case ':':
		switch strings.ToLower(dest[:i]) {
		case "http", "https":
			return !c.image
		case "file", "mailto":
			return !strings.HasPrefix(dest[i:], "://") || strings.HasPrefix(dest[i:], ":///") || !c.image
		}
		return i == 1 && isLetter(dest[0])
	}
	return !c.image || !strings.HasPrefix(dest, "//")
}
