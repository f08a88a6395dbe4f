package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendNestedBegin opens the section of a trajectory inside another one.
// id is that of its section, or empty.
func (p page) appendNestedBegin(dst []byte, h *transcriptv1.Header, id string) []byte {
	dst = append(dst, `<details class="nested" open`...)
	if id != "" {
		dst = append(dst, ` id="`...)
		dst = append(appendAttr(dst, id), '"')
	}
	dst = append(dst, "><summary>\n"...)
	level := nestedLevel(h.GetDepth())
	dst = openHeading(dst, level)
	dst = appendText(dst, present.NestedTitle(h, promptLength))
	dst = closeHeading(dst, level)
	dst = append(dst, "</summary>\n<ul class=\"meta\">\n"...)
	if h.GetDepth() > 1 {
		dst = appendItem(dst, "depth "+present.Count(uint64(h.GetDepth())))
	}
	if h.GetParentAnchor() != "" {
		dst = append(dst, "<li>started in "...)
		dst = appendAnchorLink(dst, h.GetParentAnchor())
		dst = append(dst, "</li>\n"...)
	}
	if present.Recorded(h.CreatedNs) {
		dst = p.appendTimeItem(dst, h.CreatedNs, true)
	}
	if id := h.GetConversationId(); id != h.GetParentConversationId() {
		dst = appendFact(dst, "Conversation", id)
	}
	dst = append(dst, "</ul>\n"...)
	dst = appendResume(dst, h)
	return appendUnknown(dst, h.GetUnknown())
}

// appendNestedEnd closes the section. name is what present.NestedName called it.
func (p page) appendNestedEnd(dst []byte, name string, f *transcriptv1.Footer) []byte {
	dst = p.appendGaps(dst, f.GetGaps())
	dst = append(dst, `<p class="hint end">`...)
	dst = appendText(dst, present.NestedEnd(name, f))
	if f.GetUsage() != nil {
		dst = append(dst, present.Separator...)
		dst = append(dst, present.TotalUsage(f.GetUsage())...)
	}
	return append(dst, "</p>\n</details>\n"...)
}
