package html

import (
	"encoding/hex"
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// Bytes of one unknown field that are shown; the rest is counted.
const maxUnknownShown = 128

// appendUnknown appends the fields the profile does not know, with the start of their bytes.
func appendUnknown(dst []byte, fields []*transcriptv1.UnknownField) []byte {
	if len(fields) == 0 {
		return dst
	}
	dst = append(dst, "<details class=\"fold unknown\"><summary>"...)
	dst = appendTitle(dst, title{label: present.Amount(uint64(len(fields)), "unknown field")})
	dst = append(dst, "</summary>\n<div class=\"scroll\"><table class=\"list\"><thead><tr><th scope=\"col\">In</th>"...)
	dst = append(dst, "<th scope=\"col\">Field</th><th scope=\"col\">Wire type</th><th scope=\"col\">Bytes</th></tr></thead><tbody>\n"...)
	for _, f := range fields {
		dst = append(dst, "<tr><td>"...)
		dst = appendText(dst, f.GetPath())
		dst = append(dst, "</td><td>"...)
		dst = strconv.AppendUint(dst, uint64(f.GetNumber()), 10)
		dst = append(dst, "</td><td>"...)
		dst = strconv.AppendUint(dst, uint64(f.GetWireType()), 10)
		dst = append(dst, `</td><td class="bytes">`...)
		shown := f.GetValue()[:min(len(f.GetValue()), maxUnknownShown)]
		dst = hex.AppendEncode(dst, shown)
		if more := len(f.GetValue()) - len(shown); more > 0 {
			dst = append(dst, " and "...)
			dst = present.AppendAmount(dst, uint64(more), "more byte")
		}
		dst = append(dst, "</td></tr>\n"...)
	}
	return append(dst, "</tbody></table></div></details>\n"...)
}
