package html

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendOverview appends what stands between the head and the steps: what is incomplete, totals, and the list of
// prompts, files and problems, of which out may take some. It opens the elements that appendFoot closes.
func (p page) appendOverview(dst []byte, h *transcriptv1.Header, f *transcriptv1.Footer, state present.State, beside *besideList, out *present.Long) []byte {
	o := f.GetOverview()
	dst = p.appendState(dst, f, state)
	dst = appendTotals(dst, f)
	dst = append(dst, "<div class=\"columns\">\n<aside class=\"side\" aria-label=\"Overview\">\n"...)
	dst = appendPrompts(dst, o, f.GetSelection() != "", out)
	dst = appendProblems(dst, o.GetProblems())
	dst = appendFiles(dst, o, out)
	dst = appendChildren(dst, o, out)
	dst = appendReferences(dst, h.GetReferences())
	dst = beside.append(dst)
	dst = appendAssets(dst, f.GetAssets())
	dst = appendMissing(dst, f.GetMissingFiles())
	dst = append(dst, "</aside>\n<main id=\"steps\" tabindex=\"-1\">\n<h2>Steps</h2>\n"...)
	if f.GetSteps() == 0 {
		dst = append(dst, "<p class=\"hint\">This conversation has no steps.</p>\n"...)
	}
	return dst
}

// appendState says at once when the page is not everything.
func (p page) appendState(dst []byte, f *transcriptv1.Footer, state present.State) []byte {
	if state.Title == "" && len(f.GetGaps()) == 0 {
		return dst
	}
	dst = append(dst, "<section aria-label=\"Completeness\">\n"...)
	if state.Title != "" {
		dst = append(dst, `<div class="notice wide `...)
		dst = append(dst, severityClass(state.Severity)...)
		dst = append(dst, `"><p class="lab">`...)
		dst = append(appendText(dst, state.Title), "</p>"...)
		if state.Text != "" {
			dst = append(dst, "<p>"...)
			dst = append(appendText(dst, state.Text), "</p>"...)
		}
		dst = append(dst, "</div>\n"...)
	}
	return append(p.appendGaps(dst, f.GetGaps()), "</section>\n"...)
}

// appendTotals appends the row of numbers. A count that no call recorded is left out.
func appendTotals(dst []byte, f *transcriptv1.Footer) []byte {
	u, o := f.GetUsage(), f.GetOverview()
	dst = append(dst, "<section class=\"totals\" aria-label=\"Totals\">\n<dl>\n"...)
	dst = appendTotalText(dst, "Steps", present.StepCount(f))
	dst = appendTotal(dst, "Prompts", present.All(len(o.GetPrompts()), o.GetMorePrompts()))
	dst = appendTotal(dst, "Files touched", present.All(len(o.GetFiles()), o.GetMoreFiles()))
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
	if u != nil && len(present.AppendUsage(nil, u)) == 0 {
		dst = append(dst, "<div><dt>Tokens</dt><dd><span class=\"of\">"+present.NotRecorded+"</span></dd></div>\n"...)
	}
	if all := f.GetUsageWithChildren(); all != nil {
		dst = appendTokens(dst, "In with subagents", all.InputTokens)
		dst = appendTokens(dst, "Out with subagents", all.OutputTokens)
	}
	dst = append(dst, "</dl>\n"...)
	if f.GetSelection() != "" {
		dst = append(dst, "<p class=\"hint\">Totals: "+present.WholeTotals+"</p>\n"...)
	}
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
	return appendTotalText(dst, name, present.Count(n))
}

// appendTotalText appends a number with words; what is in parentheses is set smaller.
func appendTotalText(dst []byte, name, value string) []byte {
	dst = append(dst, "<div><dt>"...)
	dst = append(dst, name...)
	dst = append(dst, "</dt><dd>"...)
	number, words, _ := strings.Cut(value, " ")
	dst = appendText(dst, number)
	if words != "" {
		dst = append(dst, ` <span class="of">`...)
		dst = append(appendText(dst, words), "</span>"...)
	}
	return append(dst, "</dd></div>\n"...)
}
