package markdown

import (
	"strings"

	"agy-reader/sinks/present"
)

// empty stands for a body without text.
const empty = "(empty)"

// appendFence appends a body as a fenced code block and the blank line behind it. language is data: only a plain word
// is used.
func appendFence(dst []byte, body, language string) []byte {
	if body == "" {
		return append(dst, empty+"\n\n"...)
	}
	body = withoutNUL(body)
	char, length := byte('`'), longestRun(body, '`')
	if length >= 3 {
		if tildes := longestRun(body, '~'); tildes < length {
			char, length = '~', tildes
		}
	}
	length = max(length+1, 3)
	dst = appendRun(dst, char, length)
	dst = append(dst, infoWord(language)...)
	dst = append(dst, '\n')
	dst = append(dst, body...)
	if body[len(body)-1] == '\n' {
		dst = append(appendRun(dst, char, length), ' ') // see the package comment
	} else {
		dst = appendRun(append(dst, '\n'), char, length)
	}
	return append(dst, "\n\n"...)
}

// lineEnd returns the length of the first line of s with its line end: LF, CR LF or CR.
func lineEnd(s string, onlyLF bool) int {
	if onlyLF {
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			return i + 1
		}
		return len(s)
	}
	i := strings.IndexAny(s, "\r\n")
	switch {
	case i < 0:
		return len(s)
	case s[i] == '\r' && strings.HasPrefix(s[i+1:], "\n"):
		return i + 2
	}
	return i + 1
}

// appendMessage appends what a model wrote: as Markdown when it stays inside its quote, else verbatim.
func appendMessage(dst []byte, body string) []byte {
	if contained(body) && quotable(body) {
		return appendQuote(dst, body, false)
	}
	return appendFence(dst, body, "markdown")
}

// appendPlain appends plain text: quoted when Markdown shows it as typed, else verbatim.
func appendPlain(dst []byte, body string) []byte {
	if plain(body) {
		return appendQuote(dst, body, true)
	}
	return appendFence(dst, body, "text")
}

// appendOutput appends what a command printed, as a terminal showed it.
func appendOutput(dst []byte, body, language string) []byte {
	shown, changed := present.Terminal(body)
	dst = appendFence(dst, shown, language)
	if changed {
		dst = append(dst, "Colours and overwritten lines are left out here; the JSON output has them.\n\n"...)
	}
	return dst
}

func withoutNUL(s string) string {
	if strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\x00", "\uFFFD")
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest := 0
	for {
		i := strings.IndexByte(s, c)
		if i < 0 {
			return longest
		}
		n := runLength(s[i:])
		longest = max(longest, n)
		s = s[i+n:]
	}
}

func appendRun(dst []byte, c byte, n int) []byte {
	for range n {
		dst = append(dst, c)
	}
	return dst
}

// infoWord returns language when it is a word that any Markdown reader takes, else nothing.
func infoWord(language string) string {
	if len(language) > 40 {
		return ""
	}
	for i := 0; i < len(language); i++ {
		if c := language[i]; !isAlnum(c) && strings.IndexByte("+#-._", c) < 0 {
			return ""
		}
	}
	return language
}
