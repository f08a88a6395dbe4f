package html

import (
	"strings"
	"unicode"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendWebResults appends each result with its link. Text that the results do not account for is shown below them.
func appendWebResults(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.WebResults) []byte {
	t = t.or("Search")
	t.note = present.Amount(uint64(len(d.GetResults())), "result")
	if d.GetQuery() != "" {
		t.label += " for " + d.GetQuery()
	}
	if len(d.GetResults()) == 0 {
		t.note = ""
		return appendBody(dst, t, b.GetText(), appendTyped)
	}
	parts := []string{d.GetQuery()}
	for _, r := range d.GetResults() {
		parts = append(parts, r.GetTitle(), r.GetUrl(), r.GetText())
	}
	dst = appendBody(dst, t, b.GetText(), func(dst []byte, _ string) []byte {
		dst = append(dst, "<ol class=\"results\">\n"...)
		for _, r := range d.GetResults() {
			dst = appendResult(dst, r)
		}
		return append(dst, "</ol>\n"...)
	})
	return appendRemainder(dst, b.GetText(), parts)
}

func appendResult(dst []byte, r *transcriptv1.WebResult) []byte {
	name := r.GetTitle()
	if name == "" {
		name = r.GetUrl()
	}
	dst = append(dst, "<li>"...)
	dst = appendLink(dst, r.GetUrl(), name, "result")
	if r.GetUrl() != "" && name != r.GetUrl() {
		dst = append(dst, ` <span class="dim">`...)
		dst = appendText(dst, r.GetUrl())
		dst = append(dst, "</span>"...)
	}
	if r.GetText() != "" {
		dst = appendTyped(dst, r.GetText())
	}
	return append(dst, "</li>\n"...)
}

// appendRemainder appends the complete text, folded, when it says more than the parts already shown. Labels that a plain
// form puts before its parts do not count.
func appendRemainder(dst []byte, text string, shown []string) []byte {
	if covers(text, shown) {
		return dst
	}
	dst = append(dst, "<details class=\"fold\"><summary>"...)
	dst = appendTitle(dst, title{label: "Complete text", note: present.Size(uint64(len(text)))})
	dst = append(dst, "</summary>\n"...)
	dst = appendTyped(dst, text)
	return append(dst, "</details>\n"...)
}

// covers reports whether the parts, looked for in order, leave nothing of text but punctuation, numbers and short words.
func covers(text string, parts []string) bool {
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		before, after, found := strings.Cut(text, part)
		if !found {
			continue
		}
		if saysMore(before) {
			return false
		}
		text = after
	}
	return !saysMore(text)
}

// saysMore reports more letters than a label holds.
func saysMore(s string) bool {
	const label = 16
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters > label
}
