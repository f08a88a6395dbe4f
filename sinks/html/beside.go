package html

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// mostBeside is how many attachments the overview lists.
const mostBeside = 200

// besideList is what the overview lists of the attachments of the conversation itself.
type besideList struct {
	names []string
	count int
}

// attach appends an attachment with the headings before it.
func (s *session) attach(dst []byte, ev *transcriptv1.Event, a *transcriptv1.Attachment) []byte {
	depth := len(s.open) - 1
	level := min(outerLevel+2*depth, deepestLevel)
	begins, group, ofStep := s.open[depth].beside.Next(ev)
	if begins {
		over := max(level-1, 2)
		dst = append(openHeading(append(dst, "<div class=\"beside\">"...), over), present.BesideSteps...)
		dst = append(closeHeading(dst, over), "</div>\n"...)
	}
	if group {
		dst = append(dst, "<div class=\"beside\">"...)
		dst = appendText(openHeading(dst, level), present.AttachmentKinds(a.GetKind()))
		dst = append(closeHeading(dst, level), "</div>\n"...)
	}
	id := ""
	if depth == 0 && !ofStep {
		s.beside.count++
		id = "beside-" + strconv.Itoa(s.beside.count)
		if len(s.beside.names) < mostBeside {
			name := present.AttachmentKind(a.GetKind()) + present.Separator + present.AttachmentName(a)
			s.beside.names = append(s.beside.names, strings.Clone(present.Clip(name, promptLength)))
		}
	}
	return s.appendAttachment(dst, a, ofStep, id, min(level+1, deepestLevel))
}

// append appends the list for the overview.
func (l *besideList) append(dst []byte) []byte {
	if l.count == 0 {
		return dst
	}
	dst = openList(dst, present.BesideSteps, uint64(l.count))
	for i, name := range l.names {
		dst = append(dst, `<li><a dir="auto" href="#beside-`...)
		dst = strconv.AppendInt(dst, int64(i+1), 10)
		dst = append(dst, `">`...)
		dst = append(appendText(dst, name), "</a></li>\n"...)
	}
	if more := l.count - len(l.names); more > 0 {
		dst = append(dst, "<li>and "...)
		dst = append(present.AppendCount(dst, uint64(more)), " more</li>\n"...)
	}
	return append(dst, "</ul>\n</details>\n"...)
}

// appendAttachment appends a file that belongs to the conversation, or to the step before it.
func (p page) appendAttachment(dst []byte, a *transcriptv1.Attachment, ofStep bool, id string, level int) []byte {
	class := "attachment"
	if ofStep {
		class = "attachment of-step"
	}
	dst = append(append(append(dst, `<section class="`...), class...), '"')
	if id != "" {
		dst = append(append(append(dst, ` id="`...), id...), '"')
	}
	dst = append(dst, ">\n"...)
	dst = openHeading(dst, level)
	dst = appendText(dst, present.AttachmentKind(a.GetKind())+present.Separator+present.AttachmentName(a))
	dst = closeHeading(dst, level)
	dst = append(dst, "<ul class=\"meta\">\n"...)
	if a.GetAnchor() != "" {
		dst = append(dst, "<li>belongs to "...)
		dst = append(appendAnchorLink(dst, a.GetAnchor()), "</li>\n"...)
	}
	if href, safe := present.RelativeHref(a.GetHref()); safe {
		dst = append(dst, `<li><a href="`...)
		dst = appendAttr(dst, href)
		dst = append(dst, "\">copied beside this document</a></li>\n"...)
	}
	if a.GetUri() != "" {
		dst = append(dst, "<li>"...)
		dst = appendPath(dst, a.GetUri())
		dst = append(dst, "</li>\n"...)
	}
	dst = appendItem(dst, a.GetMimeType())
	if a.Size != nil {
		dst = appendItem(dst, present.Size(a.GetSize()))
	}
	if present.Recorded(a.UpdatedNs) {
		dst = p.appendTimeItem(dst, a.UpdatedNs, true)
	}
	if a.GetSha256() != "" {
		dst = append(dst, `<li class="hash">SHA-256 `...)
		dst = appendText(dst, a.GetSha256())
		dst = append(dst, "</li>\n"...)
	}
	dst = append(dst, "</ul>\n"...)
	return append(appendFlat(dst, a.GetBlocks()), "</section>\n"...)
}

// flat makes headings of a message paragraphs that look like them: what a file holds is no part of the page's outline.
// Text is escaped, so that only our own elements read like this.
var flat = strings.NewReplacer(
	"<h4>", `<p class="h4">`, "</h4>", "</p>", "<h5>", `<p class="h5">`, "</h5>", "</p>", "<h6>", `<p class="h6">`, "</h6>", "</p>",
)

func appendFlat(dst []byte, blocks []*transcriptv1.Block) []byte {
	if len(blocks) == 0 {
		return dst
	}
	return append(dst, flat.Replace(string(appendBlocks(nil, blocks, transcriptv1.Role_ROLE_UNSPECIFIED)))...)
}

// appendAssets lists the files that lie beside the page.
func appendAssets(dst []byte, assets []*transcriptv1.Asset) []byte {
	if len(assets) == 0 {
		return dst
	}
	dst = openList(dst, present.Copied, uint64(len(assets)))
	for _, a := range assets {
		dst = append(dst, `<li>`...)
		if href, safe := present.RelativeHref(a.GetHref()); safe {
			dst = append(dst, `<a class="path" href="`...)
			dst = append(appendAttr(dst, href), `">`...)
			dst = append(appendText(dst, orWord(a.GetName(), "without a name")), "</a>"...)
		} else {
			dst = appendText(dst, a.GetName())
		}
		dst = present.AppendSize(append(dst, ` <span class="dim">`...), a.GetSize())
		if a.GetAnchor() != "" {
			dst = appendAnchorLink(append(dst, ", "...), a.GetAnchor())
		}
		dst = append(dst, "</span></li>\n"...)
	}
	return append(dst, "</ul>\n</details>\n"...)
}

func appendMissing(dst []byte, files []*transcriptv1.MissingFile) []byte {
	if len(files) == 0 {
		return dst
	}
	dst = openList(dst, present.MissingFew, uint64(len(files)))
	for _, f := range files {
		dst = append(dst, "<li>"...)
		dst = appendText(dst, orWord(f.GetName(), "without a name"))
		dst = append(dst, ` <span class="dim">`...)
		dst = appendText(dst, f.GetReason())
		if f.GetAnchor() != "" {
			dst = appendAnchorLink(append(dst, ", "...), f.GetAnchor())
		}
		dst = append(dst, "</span></li>\n"...)
	}
	return append(dst, "</ul>\n</details>\n"...)
}
