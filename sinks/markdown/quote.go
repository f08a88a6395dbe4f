package markdown

import "strings"

// mark is what stands at the end of a quoted line for a line break that Markdown would not show.
const mark = "  "

// mostFeeds is how many line feeds at the end of a body are marks; more are lines of their own.
const mostFeeds = 8

// quotable tells whether appendQuote can write body so that it is read back: its last line must not end in what would
// be taken for a mark.
func quotable(body string) bool {
	return !strings.HasSuffix(body, mark)
}

// appendQuote appends a body as a block quote and the blank line behind it. Marks say what the quote would not: the two
// spaces of a hard line break where breaks is set, and those behind the last line for the line feeds the body ends with.
// The caller asked quotable.
func appendQuote(dst []byte, body string, breaks bool) []byte {
	if body == "" {
		return append(dst, empty+"\n\n"...)
	}
	body = withoutNUL(body)
	onlyLF := strings.IndexByte(body, '\r') < 0
	body, feeds := cutFeeds(body)
	for body != "" {
		end := lineEnd(body, onlyLF)
		text := strings.TrimRight(body[:end], "\r\n")
		if body[0] == '\n' || body[0] == '\r' {
			dst = append(dst, '>')
		} else {
			dst = append(append(dst, "> "...), text...)
		}
		last := end == len(text)
		if !last && (strings.HasSuffix(text, mark) || breaks && text != "" && paragraphGoesOn(body[end:])) {
			dst = append(dst, mark...)
		}
		dst = append(dst, body[len(text):end]...)
		body = body[end:]
	}
	if c := dst[len(dst)-1]; c == '\n' || c == '\r' {
		dst = append(dst, '>')
	}
	for range feeds {
		dst = append(dst, mark...)
	}
	return append(dst, "\n\n"...)
}

// cutFeeds cuts the line feeds a body ends with, when marks can stand for them.
func cutFeeds(body string) (rest string, feeds int) {
	rest = strings.TrimRight(body, "\n")
	feeds = len(body) - len(rest)
	if rest == "" || feeds > mostFeeds || rest[len(rest)-1] == '\r' || strings.HasSuffix(rest, mark) {
		return body, 0
	}
	return rest, feeds
}

// paragraphGoesOn tells whether the next line has text.
func paragraphGoesOn(rest string) bool {
	return rest != "" && rest[0] != '\n' && rest[0] != '\r'
}
