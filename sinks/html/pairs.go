package html

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// appendKeyValues appends names and values as a list. Text that the pairs do not account for is shown below it.
func appendKeyValues(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.KeyValues) []byte {
	if len(d.GetItems()) == 0 {
		return appendBody(dst, t, b.GetText(), appendTyped)
	}
	parts := make([]string, 0, 2*len(d.GetItems()))
	for _, item := range d.GetItems() {
		parts = append(parts, item.GetKey(), item.GetValue())
	}
	dst = appendBody(dst, t, b.GetText(), func(dst []byte, _ string) []byte {
		dst = append(dst, "<dl class=\"pairs\">\n"...)
		for _, item := range d.GetItems() {
			dst = append(dst, "<dt>"...)
			dst = appendText(dst, item.GetKey())
			dst = append(dst, "</dt><dd>"...)
			dst = appendValue(dst, item.GetValue())
			dst = append(dst, "</dd>\n"...)
		}
		return append(dst, "</dl>\n"...)
	})
	return appendRemainder(dst, b.GetText(), parts)
}

// appendValue links a value that is nothing but an address.
func appendValue(dst []byte, value string) []byte {
	if strings.Contains(value, "://") && !strings.ContainsAny(value, " \t\r\n") {
		return appendPath(dst, value)
	}
	return appendText(dst, value)
}
