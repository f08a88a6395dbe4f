package html

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func appendJSON(dst []byte, label, text string) []byte {
	if label == "" {
		label = "JSON"
	}
	return appendBody(dst, title{label: label}, text, appendIndented)
}

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

// Arguments beyond this many bytes are not read for one line.
const maxArgumentsLine = 4 << 10

// argumentsLine writes the members of a JSON object as `name: value, name: value`, enough of them for one line. Anything
// else comes back as it is.
func argumentsLine(text string) string {
	if len(text) > maxArgumentsLine {
		return text
	}
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return text
	}
	var line strings.Builder
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return text
		}
		if line.Len() > 0 {
			line.WriteString(", ")
		}
		line.WriteString(name.String() + ": ")
		value, err := d.ReadValue()
		if err != nil {
			return text
		}
		if value.Kind() != '"' {
			line.Write(value)
			continue
		}
		plain, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return text
		}
		line.WriteString(strings.Join(strings.Fields(string(plain)), " "))
	}
	if t, err := d.ReadToken(); err != nil || t.Kind() != '}' || line.Len() == 0 {
		return text
	}
	return line.String()
}
