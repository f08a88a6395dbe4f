package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"agy-reader/sinks/present"
)

// isTerminal reports whether w is a terminal a person looks at.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// printable makes text from a conversation inert on a terminal: controls, bidirectional overrides and other invisible
// format characters become visible symbols; line breaks become spaces.
func printable(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r < 0x20:
			b.WriteRune('␀' + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case unsafeRune(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// printableLines is printable for a text that may have several lines.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar
}

// inertOn returns w, or for a terminal a writer that shows the control characters of a document instead of obeying them.
// Files and pipes get a document as it is.
func inertOn(w io.Writer) io.Writer {
	if !isTerminal(w) {
		return w
	}
	return &inertWriter{out: w}
}

// inertWriter passes text on in whole runes.
type inertWriter struct {
	out  io.Writer
	held []byte
	text []byte
}

// Write implements io.Writer. It keeps back at most the beginning of one rune.
func (w *inertWriter) Write(data []byte) (int, error) {
	w.held = append(w.held, data...)
	whole := len(w.held)
	for back := 1; back < utf8.UTFMax && back <= len(w.held); back++ {
		if at := len(w.held) - back; utf8.RuneStart(w.held[at]) {
			if !utf8.FullRune(w.held[at:]) {
				whole = at
			}
			break
		}
	}
	w.text = present.Inert(w.text[:0], w.held[:whole])
	w.held = append(w.held[:0], w.held[whole:]...)
	if _, err := w.out.Write(w.text); err != nil {
		return 0, err
	}
	return len(data), nil
}
