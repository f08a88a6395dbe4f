package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendListing appends a directory as a table. Text that the entries do not account for is shown as it is.
func appendListing(dst []byte, b *transcriptv1.Block, d *transcriptv1.Listing) []byte {
	t := title{label: labelOr(b, "Directory"), uri: d.GetUri(), note: "1 entry"}
	if n := len(d.GetEntries()); n != 1 {
		t.note = present.Count(uint64(n)) + " entries"
	}
	if len(d.GetEntries()) == 0 || len(d.GetEntries()) != countLines(b.GetText()) {
		t.note = ""
		return appendBody(dst, t, b.GetText(), appendPre)
	}
	return appendBody(dst, t, b.GetText(), func(dst []byte, _ string) []byte {
		dst = append(dst, "<div class=\"scroll\"><table class=\"list\"><thead><tr><th scope=\"col\">Name</th>"...)
		dst = append(dst, "<th scope=\"col\" class=\"num\">Size</th></tr></thead><tbody>\n"...)
		for _, e := range d.GetEntries() {
			dst = appendEntry(dst, e)
		}
		return append(dst, "</tbody></table></div>\n"...)
	})
}

func appendEntry(dst []byte, e *transcriptv1.ListingEntry) []byte {
	dst = append(dst, "<tr><td class=\"path\">"...)
	dst = appendText(dst, e.GetName())
	if e.GetDirectory() {
		dst = append(dst, '/')
	}
	dst = append(dst, "</td><td class=\"num\">"...)
	switch {
	case e.Size != nil:
		dst = present.AppendSize(dst, e.GetSize())
	case e.Children != nil:
		dst = present.AppendAmount(dst, uint64(e.GetChildren()), "item")
	}
	return append(dst, "</td></tr>\n"...)
}
