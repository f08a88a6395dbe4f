package markdown

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendFolded appends text folded away below a title. write appends the text.
func appendFolded(dst []byte, title, text string, write writer) []byte {
	dst = append(dst, "<details>\n<summary>"...)
	dst = appendSummary(dst, title)
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

// appendBody appends a body of b below its label, or folded away behind it.
func appendBody(dst []byte, b *transcriptv1.Block, folds bool, label, text string, write writer) []byte {
	if !folds {
		return write(appendLabel(dst, label), text)
	}
	return appendFolded(dst, present.FoldTitle(b, label, text), text, write)
}

// writer appends a body.
type writer = func([]byte, string) []byte

// fences are the writers of common languages, made once: nearly every step takes one.
var fences = func() map[string]writer {
	made := map[string]writer{}
	for _, language := range []string{"", "text", "diff", "json", "sh", "bash", "go", "markdown", "python", "typescript", "javascript", "html", "css", "yaml"} {
		made[language] = newFence(language)
	}
	return made
}()

// fence returns the writer of a fenced body.
func fence(language string) writer {
	if ready := fences[language]; ready != nil {
		return ready
	}
	return newFence(language)
}

func newFence(language string) writer {
	return func(dst []byte, text string) []byte { return appendFence(dst, text, language) }
}

// output returns the writer of what a command printed.
func output(language string) writer {
	return func(dst []byte, text string) []byte { return appendOutput(dst, text, language) }
}
