package markdown

import (
	"strings"

	"agy-reader/sinks/present"
)

// appendFolded appends text folded away below a label, which must not be empty. write appends the text.
func appendFolded(dst []byte, label, text string, write func([]byte, string) []byte) []byte {
	dst = append(dst, "<details>\n<summary>"...)
	dst = appendSummary(dst, label)
	dst = append(append(dst, present.Separator...), present.TextSize(text)...)
	dst = append(dst, "</summary>\n\n"...)
	dst = write(dst, text)
	return append(dst, "</details>\n\n"...)
}

// appendSummary appends one-line text as the text of an HTML element.
func appendSummary(dst []byte, s string) []byte {
	s = present.Clip(present.Visible(s), titleLimit)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '&':
			dst = append(dst, "&amp;"...)
		default:
			dst = append(dst, s[i])
		}
	}
	return dst
}

// appendBody appends a body below its label, or folded away behind it. noun takes the place of an empty label when the
// body folds.
func appendBody(dst []byte, folds bool, label, noun, text string, write func([]byte, string) []byte) []byte {
	if !folds {
		return write(appendLabel(dst, label), text)
	}
	if strings.TrimSpace(label) == "" {
		label = noun
	}
	return appendFolded(dst, label, text, write)
}

// fence returns the writer of a fenced body.
func fence(language string) func([]byte, string) []byte {
	return func(dst []byte, text string) []byte { return appendFence(dst, text, language) }
}

// output returns the writer of what a command printed.
func output(language string) func([]byte, string) []byte {
	return func(dst []byte, text string) []byte { return appendOutput(dst, text, language) }
}
