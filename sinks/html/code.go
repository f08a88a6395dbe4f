package html

import (
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendCode appends program text or tool output. Text without a language is what a terminal showed.
func appendCode(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.Code) []byte {
	t.note = d.GetLanguage()
	if d.GetLanguage() != "" {
		return appendBody(dst, t, b.GetText(), appendPre)
	}
	return appendBody(dst, t, b.GetText(), appendOutput)
}

func appendOutput(dst []byte, text string) []byte {
	class := `<pre class="out"><code>`
	if present.Columns(text) {
		class = `<pre class="out cols"><code>`
	}
	dst = append(dst, class...)
	dst, overwritten := appendTerminal(dst, text)
	dst = append(dst, "</code></pre>\n"...)
	if overwritten > 0 {
		dst = append(dst, `<p class="hint">`...)
		dst = present.AppendAmount(dst, uint64(overwritten), "overwritten progress line")
		dst = append(dst, " left out.</p>\n"...)
	}
	return dst
}

func appendCommand(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.Command) []byte {
	if d.GetCwd() != "" {
		t.note = "in " + present.Path(d.GetCwd())
	}
	t.note = joinFacts(t.note, d.GetShell())
	return appendBody(dst, t, b.GetText(), func(dst []byte, text string) []byte {
		dst = append(dst, "<pre class=\"cmd\"><code>"...)
		dst = appendText(dst, text)
		return append(dst, "</code></pre>\n"...)
	})
}

// appendCommandChips appends how a command ended.
func appendCommandChips(dst []byte, c *transcriptv1.Command) []byte {
	class := "quiet"
	if c.GetExitCode() != 0 {
		class = "bad"
	}
	for _, fact := range present.CommandFacts(c) {
		if fact == present.InBackground {
			class = "quiet"
		}
		dst = appendChip(dst, class, fact)
		class = "warn"
	}
	return dst
}

func appendFileView(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.FileView) []byte {
	t = t.or("File")
	t.uri, t.note = d.GetUri(), present.ViewFacts(d)
	return appendBody(dst, t, b.GetText(), func(dst []byte, text string) []byte {
		if d.FirstLine == nil {
			return appendPre(dst, text)
		}
		return appendNumbered(dst, text, d.GetFirstLine())
	})
}

// appendNumbered appends verbatim text with a column of line numbers beside it, which copying leaves out.
func appendNumbered(dst []byte, text string, first uint32) []byte {
	dst = append(dst, "<div class=\"numbered\"><pre class=\"nums\" aria-hidden=\"true\"><code>"...)
	for i := range present.Lines(text) {
		dst = strconv.AppendUint(dst, uint64(first)+uint64(i), 10)
		dst = append(dst, '\n')
	}
	dst = append(dst, "</code></pre>"...)
	dst = appendPre(dst, text)
	return append(dst, "</div>\n"...)
}
