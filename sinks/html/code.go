package html

import (
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendCode appends program text or tool output. Text without a language is what a terminal showed.
func appendCode(dst []byte, b *transcriptv1.Block, d *transcriptv1.Code) []byte {
	t := title{label: b.GetLabel(), note: d.GetLanguage(), folded: "Text"}
	if d.GetLanguage() != "" {
		return appendBody(dst, t, b.GetText(), appendPre)
	}
	return appendBody(dst, t, b.GetText(), appendOutput)
}

func appendOutput(dst []byte, text string) []byte {
	dst = append(dst, "<pre class=\"out\"><code>"...)
	dst, overwritten := appendTerminal(dst, text)
	dst = append(dst, "</code></pre>\n"...)
	if overwritten > 0 {
		dst = append(dst, `<p class="hint">`...)
		dst = present.AppendAmount(dst, uint64(overwritten), "overwritten progress line")
		dst = append(dst, " left out.</p>\n"...)
	}
	return dst
}

func appendCommand(dst []byte, b *transcriptv1.Block, d *transcriptv1.Command) []byte {
	t := title{label: b.GetLabel()}
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
	dst = appendChip(dst, class, string(present.AppendExitCode(nil, c)))
	if c.GetBackground() {
		dst = appendChip(dst, "quiet", "in the background")
	}
	if c.GetTimedOut() {
		dst = appendChip(dst, "warn", "timed out")
	}
	if c.GetRejected() {
		dst = appendChip(dst, "warn", "rejected by the user")
	}
	return dst
}

func appendFileView(dst []byte, b *transcriptv1.Block, d *transcriptv1.FileView) []byte {
	t := title{label: b.GetLabel(), uri: d.GetUri(), note: viewedRange(d), folded: "File"}
	t.sized = t.note != ""
	return appendBody(dst, t, b.GetText(), func(dst []byte, text string) []byte {
		if d.FirstLine == nil {
			return appendPre(dst, text)
		}
		return appendNumbered(dst, text, d.GetFirstLine())
	})
}

// viewedRange says in words which part of a file was read.
func viewedRange(d *transcriptv1.FileView) string {
	var note []byte
	switch {
	case d.FirstLine != nil && d.LastLine != nil:
		note = append(note, "lines "...)
		note = strconv.AppendUint(note, uint64(d.GetFirstLine()), 10)
		note = append(note, "–"...)
		note = strconv.AppendUint(note, uint64(d.GetLastLine()), 10)
	case d.FirstLine != nil:
		note = append(note, "from line "...)
		note = strconv.AppendUint(note, uint64(d.GetFirstLine()), 10)
	}
	if d.TotalLines != nil {
		if len(note) > 0 {
			note = append(note, " of "...)
		}
		note = present.AppendAmount(note, uint64(d.GetTotalLines()), "line")
	}
	if d.TotalBytes != nil {
		if len(note) > 0 {
			note = append(note, present.Separator...)
		}
		note = present.AppendSize(note, d.GetTotalBytes())
	}
	return string(note)
}

// appendNumbered appends verbatim text with a column of line numbers beside it, which copying leaves out.
func appendNumbered(dst []byte, text string, first uint32) []byte {
	dst = append(dst, "<div class=\"numbered\"><pre class=\"nums\" aria-hidden=\"true\"><code>"...)
	for i := range countLines(text) {
		dst = strconv.AppendUint(dst, uint64(first)+uint64(i), 10)
		dst = append(dst, '\n')
	}
	dst = append(dst, "</code></pre>"...)
	dst = appendPre(dst, text)
	return append(dst, "</div>\n"...)
}
