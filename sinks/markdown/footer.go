package markdown

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendFooter appends the summary of the conversation; out may take some of it.
func (st style) appendFooter(dst []byte, f *transcriptv1.Footer, out *present.Long) []byte {
	dst = append(dst, "---\n\n## Summary\n\n"...)
	dst = st.appendTotals(dst, f)
	if f.GetNotes() > 0 {
		dst = append(present.AppendCount(appendFact(dst, "Notes"), uint64(f.GetNotes())), '\n')
	}
	if f.GetUnknownFields() > 0 {
		dst = append(present.AppendCount(appendFact(dst, "Unknown fields"), uint64(f.GetUnknownFields())), '\n')
	}
	for _, skipped := range f.GetSkippedSections() {
		dst = appendTextFact(dst, "Not read", skipped)
	}
	if f.GetSourceDigest() != "" {
		dst = append(appendSpan(appendFact(dst, "Source digest"), f.GetSourceDigest()), '\n')
	}
	dst = append(dst, '\n')
	if len(f.GetGaps()) > 0 {
		dst = append(dst, "### Gaps\n\n"...)
		for _, gap := range f.GetGaps() {
			dst = st.appendNote(dst, gap)
		}
	}
	dst = appendFiles(dst, f.GetOverview(), out)
	dst = appendProblems(dst, f.GetOverview().GetProblems())
	dst = appendChildren(dst, f.GetOverview(), out)
	return appendMissing(appendAssets(dst, f.GetAssets()), f.GetMissingFiles())
}

// appendAssets appends the files that lie beside the document.
func appendAssets(dst []byte, assets []*transcriptv1.Asset) []byte {
	if len(assets) == 0 {
		return dst
	}
	dst = append(dst, "### "+present.Copied+"\n\n"...)
	for _, a := range assets {
		dst = present.AppendSize(append(dst, "- "...), a.GetSize())
		dst = appendBeside(append(dst, present.Separator...), orWord(a.GetName(), "without a name"), a.GetHref())
		if a.GetStorePath() != "" {
			dst = appendSpan(append(dst, present.Separator...), a.GetStorePath())
		}
		if a.GetAnchor() != "" {
			dst = appendAnchorLink(append(dst, present.Separator...), a.GetAnchor())
		}
		dst = append(appendSpan(append(dst, present.Separator+"SHA-256 "...), a.GetSha256()), '\n')
	}
	return append(dst, '\n')
}

func appendMissing(dst []byte, files []*transcriptv1.MissingFile) []byte {
	if len(files) == 0 {
		return dst
	}
	dst = append(dst, "### "+present.MissingFew+"\n\n"...)
	for _, f := range files {
		dst = appendText(append(dst, "- "...), orWord(f.GetName(), "without a name"))
		dst = appendText(append(dst, ": "...), f.GetReason())
		if f.GetAnchor() != "" {
			dst = appendAnchorLink(append(dst, present.Separator...), f.GetAnchor())
		}
		dst = append(dst, '\n')
	}
	return append(dst, '\n')
}

func appendFiles(dst []byte, o *transcriptv1.Overview, out *present.Long) []byte {
	files, more := o.GetFiles(), o.GetMoreFiles()
	if len(files) == 0 && more == 0 {
		return dst
	}
	dst = append(dst, "### Files\n\n"...)
	for _, file := range files {
		dst = append(out.Pass(dst), "- "...)
		dst = appendLink(dst, orWord(present.Path(file.GetUri()), empty), file.GetUri())
		dst = appendAnchors(dst, " — changed in ", file.GetChangedAnchors(), file.GetMoreChanged())
		dst = appendAnchors(dst, " — read in ", file.GetReadAnchors(), file.GetMoreRead())
		dst = append(dst, '\n')
	}
	return append(appendMore(dst, more), '\n')
}

// appendMore ends a list that does not have everything.
func appendMore(dst []byte, n uint32) []byte {
	if n == 0 {
		return dst
	}
	return append(dst, "- "+present.More(uint64(n))+"\n"...)
}

// appendAnchors appends links to steps; unlisted is how many there are beyond.
func appendAnchors(dst []byte, words string, anchors []string, unlisted uint32) []byte {
	for i, anchor := range anchors {
		if i == 0 {
			dst = append(dst, words...)
		} else {
			dst = append(dst, ", "...)
		}
		dst = appendAnchorLink(dst, anchor)
	}
	if unlisted > 0 {
		if len(anchors) > 0 {
			words = " "
		}
		dst = append(dst, words+present.More(uint64(unlisted))...)
	}
	return dst
}

func appendProblems(dst []byte, problems []*transcriptv1.Problem) []byte {
	if len(problems) == 0 {
		return dst
	}
	dst = append(dst, "### Problems\n\n"...)
	for _, p := range problems {
		dst = append(dst, "- "...)
		if p.GetAnchor() != "" {
			dst = append(appendAnchorLink(dst, p.GetAnchor()), ": "...)
		}
		dst = append(appendText(dst, orWord(present.Clip(p.GetText(), 2*summaryLimit), empty)), '\n')
	}
	return append(dst, '\n')
}

func appendChildren(dst []byte, o *transcriptv1.Overview, out *present.Long) []byte {
	children := o.GetChildren()
	if len(children) == 0 {
		return dst
	}
	dst = append(dst, "### Subagents\n\n"...)
	for _, c := range children {
		dst = appendChild(append(out.Pass(dst), "- Subagent "...), c.GetConversationId(), c.GetTitle(), c.GetState(), c.GetHref())
		if c.GetAnchor() != "" {
			dst = appendAnchorLink(append(dst, " — started in "...), c.GetAnchor())
		}
		dst = append(dst, '\n')
	}
	return append(appendMore(dst, o.GetMoreChildren()), '\n')
}

// appendNote appends something a reader must know about the stream.
func (st style) appendNote(dst []byte, n *transcriptv1.Note) []byte {
	dst = append(appendText(append(dst, "**"...), present.NoteTitle(n)), ":** "...)
	dst = appendText(dst, orWord(n.GetText(), empty))
	if steps := present.NoteSteps(n); steps != "" {
		dst = append(append(dst, present.Separator...), steps...)
	}
	if n.GetAnchor() != "" {
		dst = appendAnchorLink(append(dst, present.Separator...), n.GetAnchor())
	}
	dst = append(dst, "\n\n"...)
	if n.GetCall() != nil {
		dst = appendCall(dst, n.GetCall())
	}
	return dst
}

// appendAttachment appends a file that belongs to the conversation; the `#` before it are the session's.
func (st style) appendAttachment(dst []byte, a *transcriptv1.Attachment) []byte {
	dst = appendText(dst, orWord(present.Clip(present.AttachmentKind(a.GetKind()), titleLimit), "Attachment"))
	dst = append(dst, present.Separator...)
	dst = appendText(dst, present.Clip(present.AttachmentName(a), titleLimit))
	dst = append(dst, "\n\n"...)
	if present.Recorded(a.UpdatedNs) {
		dst = present.AppendTime(append(dst, "Updated "...), a.UpdatedNs, st.zone)
	} else {
		dst = append(dst, "Time "+present.NotRecorded...)
	}
	if href, safe := present.RelativeHref(a.GetHref()); safe {
		dst = appendDestination(append(dst, present.Separator+"[copied beside this document]"...), href)
	}
	if a.GetAnchor() != "" {
		dst = appendAnchorLink(append(dst, present.Separator+"belongs to "...), a.GetAnchor())
	}
	if a.GetMimeType() != "" {
		dst = appendText(append(dst, present.Separator...), a.GetMimeType())
	}
	if a.Size != nil {
		dst = present.AppendSize(append(dst, present.Separator...), a.GetSize())
	}
	if a.GetUri() != "" {
		dst = appendLink(append(dst, present.Separator...), present.Path(a.GetUri()), a.GetUri())
	}
	if a.GetSha256() != "" {
		dst = appendSpan(append(dst, present.Separator+"SHA-256 "...), a.GetSha256())
	}
	dst = append(dst, "\n\n"...)
	return st.appendBlocks(dst, a.GetBlocks(), transcriptv1.Role_ROLE_UNSPECIFIED)
}
