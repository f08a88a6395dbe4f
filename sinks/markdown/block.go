package markdown

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendBlock appends one block. A block of a kind this sink does not know is its text.
func (st style) appendBlock(dst []byte, b *transcriptv1.Block, role transcriptv1.Role) []byte {
	text := b.GetText()
	switch detail := b.GetDetail().(type) {
	case *transcriptv1.Block_Thinking:
		if !st.thinking {
			return dst
		}
		return appendThinking(dst, b, detail.Thinking)
	case *transcriptv1.Block_ToolCall:
		return appendToolCall(appendLabel(dst, b.GetLabel()), b, detail.ToolCall.GetCall())
	case *transcriptv1.Block_Notice:
		return appendNotice(dst, b, detail.Notice)
	}
	dst = appendLabel(dst, b.GetLabel())
	switch detail := b.GetDetail().(type) {
	case *transcriptv1.Block_Markdown:
		if role == transcriptv1.Role_ROLE_USER {
			return appendPlain(dst, text)
		}
		return appendMessage(dst, text)
	case *transcriptv1.Block_Plain:
		return appendPlain(dst, text)
	case *transcriptv1.Block_Code:
		return appendFence(dst, text, detail.Code.GetLanguage())
	case *transcriptv1.Block_Diff:
		return appendFence(appendDiffFacts(dst, detail.Diff), text, "diff")
	case *transcriptv1.Block_Command:
		return appendFence(dst, text, shellLanguage(detail.Command.GetShell()))
	case *transcriptv1.Block_FileView:
		return appendFence(appendViewFacts(dst, detail.FileView), text, detail.FileView.GetLanguage())
	case *transcriptv1.Block_Listing:
		return appendFence(appendListingFacts(dst, detail.Listing), text, "text")
	case *transcriptv1.Block_SearchHits:
		return appendFence(appendHitFacts(dst, detail.SearchHits), text, "text")
	case *transcriptv1.Block_WebResults:
		return appendWebResults(dst, b, detail.WebResults)
	case *transcriptv1.Block_Question:
		return appendQuestion(dst, b, detail.Question)
	case *transcriptv1.Block_Media:
		return appendMedia(dst, b, detail.Media)
	case *transcriptv1.Block_KeyValues:
		return appendKeyValues(dst, b, detail.KeyValues)
	case *transcriptv1.Block_Json:
		return appendFence(dst, text, "json")
	}
	return appendFence(dst, text, "text")
}

func appendLabel(dst []byte, label string) []byte {
	mark := len(dst)
	if dst = appendStrong(dst, label); len(dst) == mark {
		return dst
	}
	return append(dst, "\n\n"...)
}

func appendThinking(dst []byte, b *transcriptv1.Block, t *transcriptv1.Thinking) []byte {
	dst = append(dst, "<details>\n<summary>Thinking"...)
	if t.DurationNs != nil && t.GetDurationNs() >= 0 {
		dst = present.AppendDuration(append(dst, present.Separator...), t.GetDurationNs())
	}
	dst = append(dst, "</summary>\n\n"...)
	dst = appendLabel(dst, b.GetLabel())
	if t.GetRedacted() {
		dst = append(dst, "The provider kept this text back.\n\n"...)
	}
	if b.GetText() != "" || !t.GetRedacted() {
		dst = appendMessage(dst, b.GetText())
	}
	return append(dst, "</details>\n\n"...)
}

// appendToolCall appends the planner's stub of a call; the step that answers it, or a note, shows the whole call.
func appendToolCall(dst []byte, b *transcriptv1.Block, c *transcriptv1.ToolCall) []byte {
	if c == nil {
		return appendFence(dst, b.GetText(), "text")
	}
	dst = appendSpan(append(dst, "→ "...), orWord(c.GetName(), "unnamed tool"))
	if words := orWord(c.GetSummary(), c.GetAction()); words != "" {
		dst = appendText(append(dst, present.Separator...), present.Clip(words, summaryLimit))
	}
	return append(dst, "\n\n"...)
}

func appendNotice(dst []byte, b *transcriptv1.Block, n *transcriptv1.Notice) []byte {
	label := present.Severity(n.GetSeverity())
	if extra := strings.TrimSpace(b.GetLabel()); extra != "" {
		label += ", " + extra
	}
	dst = append(appendStrong(dst, label), "\n\n"...)
	return appendPlain(dst, b.GetText())
}

func shellLanguage(shell string) string {
	name := strings.ToLower(shell[strings.LastIndexAny(shell, `/\`)+1:])
	switch strings.TrimSuffix(name, ".exe") {
	case "powershell", "pwsh":
		return "powershell"
	case "cmd":
		return "bat"
	default:
		return "sh"
	}
}

func appendDiffFacts(dst []byte, d *transcriptv1.Diff) []byte {
	dst = append(dst, "File "...)
	dst = appendLink(dst, orNotRecorded(present.Path(d.GetUri())), d.GetUri())
	if d.GetChange() != "" {
		dst = appendText(append(dst, present.Separator...), present.Change(d.GetChange()))
	}
	dst = present.AppendCount(append(dst, present.Separator+"+"...), uint64(d.GetAdditions()))
	dst = present.AppendCount(append(dst, " −"...), uint64(d.GetDeletions()))
	return append(dst, "\n\n"...)
}

func appendViewFacts(dst []byte, v *transcriptv1.FileView) []byte {
	dst = append(dst, "File "...)
	dst = appendLink(dst, orNotRecorded(present.Path(v.GetUri())), v.GetUri())
	if v.FirstLine != nil && v.LastLine != nil {
		dst = strconv.AppendUint(append(dst, present.Separator+"lines "...), uint64(v.GetFirstLine()), 10)
		dst = strconv.AppendUint(append(dst, '-'), uint64(v.GetLastLine()), 10)
	}
	if v.TotalLines != nil {
		dst = present.AppendAmount(append(dst, present.Separator+"file of "...), uint64(v.GetTotalLines()), "line")
	}
	if v.TotalBytes != nil {
		dst = present.AppendSize(append(dst, present.Separator...), v.GetTotalBytes())
	}
	return append(dst, "\n\n"...)
}

func appendListingFacts(dst []byte, l *transcriptv1.Listing) []byte {
	dst = append(dst, "Folder "...)
	dst = appendLink(dst, orNotRecorded(present.Path(l.GetUri())), l.GetUri())
	if n := len(l.GetEntries()); n > 0 {
		directories := uint64(0)
		for _, e := range l.GetEntries() {
			if e.GetDirectory() {
				directories++
			}
		}
		dst = present.AppendAmount(append(dst, present.Separator...), directories, "folder")
		dst = present.AppendAmount(append(dst, ", "...), uint64(n)-directories, "file")
	}
	return append(dst, "\n\n"...)
}

func appendHitFacts(dst []byte, h *transcriptv1.SearchHits) []byte {
	dst = append(dst, "Search"...)
	if h.GetQuery() != "" {
		dst = appendSpan(append(dst, " for "...), h.GetQuery())
	}
	if h.GetUri() != "" {
		dst = appendLink(append(dst, " in "...), present.Path(h.GetUri()), h.GetUri())
	}
	if n := uint64(len(h.GetHits())); n > 0 || h.Total != nil {
		dst = present.AppendAmount(append(dst, present.Separator...), n, "hit")
		if h.Total != nil && h.GetTotal() != n {
			dst = append(present.AppendCount(append(dst, " of "...), h.GetTotal()), " shown"...)
		}
	}
	return append(dst, "\n\n"...)
}
