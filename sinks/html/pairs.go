package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func appendKeyValues(dst []byte, b *transcriptv1.Block, d *transcriptv1.KeyValues) []byte {
	if len(d.GetItems()) == 0 {
		return appendBody(dst, title{label: b.GetLabel(), folded: "Details"}, b.GetText(), appendTyped)
	}
	return appendBody(dst, title{label: b.GetLabel(), folded: "Details"}, b.GetText(), func(dst []byte, _ string) []byte {
		dst = append(dst, "<dl class=\"pairs\">\n"...)
		for _, item := range d.GetItems() {
			dst = append(dst, "<dt>"...)
			dst = appendText(dst, item.GetKey())
			dst = append(dst, "</dt><dd>"...)
			dst = appendText(dst, item.GetValue())
			dst = append(dst, "</dd>\n"...)
		}
		return append(dst, "</dl>\n"...)
	})
}
