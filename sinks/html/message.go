package html

import (
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown is safe for concurrent use; building it costs more than a short message, so it is built once, on first use.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.Strikethrough,
			extension.Linkify,
			extension.TaskList,
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(messageNodes{}, 100))),
	)
})

// buffers hold text between two passes: goldmark's output until its control characters have been made visible, and
// indented JSON until it is escaped.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

const maxPooled = 1 << 20

// appendMessage appends Markdown as HTML inside an element of class md. Text that cannot be read as Markdown in bounded
// time, or on which the reader fails, is shown as it is, with the reason.
func appendMessage(dst []byte, source string) []byte {
	if reason := unreadable(source); reason != "" {
		return appendUnread(dst, source, reason)
	}
	buf := buffers.Get().(*buffer)
	defer buf.release()
	buf.b, buf.marks = buf.b[:0], marks{}
	if reason := convert(buf, []byte(source)); reason != "" {
		return appendUnread(dst, source, reason)
	}
	dst = append(dst, `<div class="md" dir="auto">`...)
	dst = appendMarked(dst, buf.b)
	return append(dst, "</div>\n"...)
}

// convert returns in words why it did not finish, or the empty string. A panic of the Markdown reader concerns one
// message, not the conversion.
func convert(buf *buffer, source []byte) (reason string) {
	defer func() {
		if recover() != nil {
			reason = "the Markdown reader failed on it"
		}
	}()
	m := markdown()
	doc := m.Parser().Parse(text.NewReader(source))
	if deeperThan(doc, maxNesting) {
		return "nested too deeply"
	}
	if err := m.Renderer().Render(buf, source, doc); err != nil {
		return "the Markdown reader failed on it"
	}
	return ""
}

func appendUnread(dst []byte, source, reason string) []byte {
	dst = append(dst, `<p class="hint">Shown as typed: `...)
	dst = append(append(dst, reason...), ".</p>\n"...)
	return appendTyped(dst, source)
}

// appendTyped appends text exactly as it was typed.
func appendTyped(dst []byte, s string) []byte {
	dst = append(dst, `<div class="typed" dir="auto">`...)
	dst = appendText(dst, s)
	return append(dst, "</div>\n"...)
}

// buffer is a util.BufWriter over a growing slice, with the marks of the message in it.
type buffer struct {
	b     []byte
	marks marks
}

// release gives the buffer back; a very large one is left to the collector.
func (w *buffer) release() {
	if cap(w.b) <= maxPooled {
		buffers.Put(w)
	}
}

func (w *buffer) Available() int { return cap(w.b) - len(w.b) }
func (w *buffer) Buffered() int  { return 0 }
func (w *buffer) Flush() error   { return nil }

func (w *buffer) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

func (w *buffer) WriteString(s string) (int, error) {
	w.b = append(w.b, s...)
	return len(s), nil
}

func (w *buffer) WriteByte(c byte) error {
	w.b = append(w.b, c)
	return nil
}

func (w *buffer) WriteRune(r rune) (int, error) {
	n := len(w.b)
	w.b = append(w.b, string(r)...)
	return len(w.b) - n, nil
}
