package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendNestedBegin opens the section of a trajectory inside another one.
func (p page) appendNestedBegin(dst []byte, h *transcriptv1.Header) []byte {
	dst = append(dst, "<section class=\"nested\">\n<header>\n<h3>"...)
	dst = appendText(dst, nestedTitle(h))
	dst = append(dst, "</h3>\n<ul class=\"meta\">\n"...)
	dst = appendChip(dst, "quiet", "depth "+present.Count(uint64(h.GetDepth())))
	if h.GetParentAnchor() != "" {
		dst = append(dst, "<li>started by "...)
		dst = appendAnchorLink(dst, h.GetParentAnchor())
		dst = append(dst, "</li>\n"...)
	}
	dst = p.appendTimeItem(dst, h.CreatedNs, true)
	dst = append(dst, `<li><span class="name">Id</span> `...)
	dst = appendText(dst, h.GetConversationId())
	dst = append(dst, "</li>\n</ul>\n</header>\n"...)
	return appendUnknown(dst, h.GetUnknown())
}

func nestedTitle(h *transcriptv1.Header) string {
	name := "Nested conversation"
	switch h.GetTrajectoryType() {
	case "", "CASCADE":
	default:
		name = "Nested conversation (" + present.Kind(h.GetTrajectoryType()) + ")"
	}
	if t := h.GetTitle().GetValue(); t != "" {
		name += ": " + t
	}
	return name
}

// appendNestedEnd closes the section.
func (p page) appendNestedEnd(dst []byte, f *transcriptv1.Footer) []byte {
	for _, gap := range f.GetGaps() {
		dst = p.appendNote(dst, gap)
	}
	dst = append(dst, "<p class=\"hint end\">End of the nested conversation"...)
	if f.GetCompleteness() != "" {
		dst = append(dst, ", "...)
		dst = appendText(dst, f.GetCompleteness())
	}
	if line := present.AppendUsage(nil, f.GetUsage()); len(line) > 0 {
		dst = append(dst, "; tokens: "...)
		dst = append(dst, line...)
	}
	return append(dst, ".</p>\n</section>\n"...)
}
