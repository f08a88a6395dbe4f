package html

import (
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendSearchHits appends hits grouped by file. Text that the hits do not account for is shown as it is.
func appendSearchHits(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.SearchHits) []byte {
	t = t.or("Search")
	t.uri, t.note = d.GetUri(), present.HitFacts(d)
	if d.GetQuery() != "" {
		t.label += " for " + d.GetQuery()
	}
	if len(d.GetHits()) == 0 || len(d.GetHits()) != present.Lines(b.GetText()) {
		return appendBody(dst, t, b.GetText(), appendPre)
	}
	return appendBody(dst, t, b.GetText(), func(dst []byte, _ string) []byte {
		return appendHits(dst, d.GetHits())
	})
}

func appendHits(dst []byte, hits []*transcriptv1.SearchHit) []byte {
	dst = append(dst, "<pre class=\"hits\"><code>"...)
	file := ""
	var budget marks
	for _, h := range hits {
		if h.GetPath() != file {
			file = h.GetPath()
			dst = append(dst, `<span class="head">`...)
			dst = appendBudgeted(dst, present.Path(file), &budget)
			dst = append(dst, "\n</span>"...)
		}
		if h.Line == nil && h.GetText() == "" {
			continue
		}
		dst = append(dst, `<span class="at">`...)
		if h.Line != nil {
			dst = strconv.AppendUint(dst, uint64(h.GetLine()), 10)
		}
		dst = append(dst, "</span> "...)
		dst = appendBudgeted(dst, h.GetText(), &budget)
		dst = append(dst, '\n')
	}
	return append(dst, "</code></pre>\n"...)
}
