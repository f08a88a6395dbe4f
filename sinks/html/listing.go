package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendListing appends a directory as a table. Text that the entries do not account for is shown as it is.
func appendListing(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.Listing) []byte {
	t = t.or("Folder")
	t.uri, t.note = d.GetUri(), present.ListingFacts(d)
	if b.GetText() == "" {
		return appendLabel(dst, t) // a notice says whether the folder is empty or could not be read
	}
	if len(d.GetEntries()) == 0 || len(d.GetEntries()) != present.Lines(b.GetText()) {
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
	dst = appendText(dst, present.EntryName(e))
	dst = append(dst, "</td><td class=\"num\">"...)
	dst = append(dst, present.EntryFacts(e)...)
	return append(dst, "</td></tr>\n"...)
}
