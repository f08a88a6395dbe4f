package html

import (
	"github.com/go-json-experiment/json/jsontext"
)

// appendIndented appends JSON with line breaks and indents; numbers and escapes stay as they are stored, and text that is
// not JSON, or nests so deeply that its indents would outgrow it, is shown unchanged.
func appendIndented(dst []byte, text string) []byte {
	if jsonDepth(text) > maxIndented {
		return appendPre(dst, text)
	}
	buf := buffers.Get().(*buffer)
	defer buf.release()
	indented, err := jsontext.AppendFormat(buf.b[:0], text,
		jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true),
		jsontext.Multiline(true), jsontext.WithIndent("  "))
	buf.b = indented
	if err != nil {
		return appendPre(dst, text)
	}
	dst = append(dst, "<pre><code>"...)
	dst = appendText(dst, indented)
	return append(dst, "</code></pre>\n"...)
}

// JSON that nests deeper is not indented.
const maxIndented = 64

// jsonDepth is an upper bound of how deep text nests: brackets inside of strings count too.
func jsonDepth(text string) int {
	depth, most := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[':
			depth++
			most = max(most, depth)
		case '}', ']':
			depth--
		}
	}
	return most
}
