package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendOverview appends what stands between the head and the steps: what is incomplete, totals, and the list of
// prompts, files and problems. It opens the elements that appendFoot closes.
func (p page) appendOverview(dst []byte, h *transcriptv1.Header, f *transcriptv1.Footer) []byte {
	o := f.GetOverview()
	dst = p.appendState(dst, f)
	dst = appendTotals(dst, f, o)
	dst = append(dst, "<div class=\"columns\">\n<aside class=\"side\" aria-label=\"Overview\">\n"...)
	dst = appendPrompts(dst, o.GetPrompts())
	dst = appendProblems(dst, o.GetProblems())
	dst = appendFiles(dst, o.GetFiles())
	dst = appendChildren(dst, o.GetChildren())
	dst = appendReferences(dst, h.GetReferences())
	dst = append(dst, "</aside>\n<main id=\"steps\" tabindex=\"-1\">\n<h2>Steps</h2>\n"...)
	if f.GetSteps() == 0 {
		dst = append(dst, "<p class=\"hint\">This conversation has no steps.</p>\n"...)
	}
	return dst
}

// appendState says at once when the page is not everything.
func (p page) appendState(dst []byte, f *transcriptv1.Footer) []byte {
	if !f.GetIncomplete() && len(f.GetGaps()) == 0 {
		return dst
	}
	dst = append(dst, "<section aria-label=\"Completeness\">\n"...)
	if f.GetIncomplete() {
		dst = append(dst, "<div class=\"notice warn wide\"><p class=\"lab\">Incomplete</p><p>"...)
		dst = appendText(dst, f.GetCompleteness())
		dst = append(dst, "</p></div>\n"...)
	}
	for _, gap := range f.GetGaps() {
		dst = p.appendNote(dst, gap)
	}
	return append(dst, "</section>\n"...)
}

// appendTotals appends the row of numbers. A count that no call recorded is left out.
func appendTotals(dst []byte, f *transcriptv1.Footer, o *transcriptv1.Overview) []byte {
	u := f.GetUsage()
	dst = append(dst, "<section class=\"totals\" aria-label=\"Totals\">\n<dl>\n"...)
	dst = appendTotal(dst, "Steps", uint64(f.GetSteps()))
	dst = appendTotal(dst, "Prompts", uint64(len(o.GetPrompts())))
	dst = appendTotal(dst, "Files touched", uint64(len(o.GetFiles())))
	dst = appendTotal(dst, "Problems", uint64(len(o.GetProblems())))
	if u.GetCalls() > 0 {
		dst = appendTotal(dst, "Model calls", uint64(u.GetCalls()))
	}
	if u != nil {
		dst = appendTokens(dst, "Tokens in", u.InputTokens)
		dst = appendTokens(dst, "Tokens out", u.OutputTokens)
		dst = appendTokens(dst, "From cache", u.CacheReadTokens)
		dst = appendTokens(dst, "Thinking", u.ThinkingTokens)
	}
	dst = append(dst, "</dl>\n"...)
	if models := o.GetModels(); len(models) > 0 {
		dst = append(dst, "<p class=\"models\"><span class=\"name\">Models</span> "...)
		for _, m := range models {
			dst = append(dst, `<span class="chip quiet">`...)
			dst = appendText(dst, m)
			dst = append(dst, "</span> "...)
		}
		dst = append(dst, "</p>\n"...)
	}
	return append(dst, "</section>\n"...)
}

func appendTokens(dst []byte, name string, n *uint64) []byte {
	if n == nil {
		return dst
	}
	return appendTotal(dst, name, *n)
}

func appendTotal(dst []byte, name string, n uint64) []byte {
	dst = append(dst, "<div><dt>"...)
	dst = append(dst, name...)
	dst = append(dst, "</dt><dd>"...)
	dst = present.AppendCount(dst, n)
	return append(dst, "</dd></div>\n"...)
}
