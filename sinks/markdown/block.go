package markdown

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendBlocks appends the blocks of a step or an attachment.
func (st style) appendBlocks(dst []byte, blocks []*transcriptv1.Block, role transcriptv1.Role) []byte {
	ran := false
	for i := 0; i < len(blocks); i++ {
		if n := present.CallRun(blocks, i); n > 0 {
			title := present.ManyCalls + present.Separator + present.Amount(uint64(n), "call")
			dst = appendFolded(dst, title, present.CallList(blocks[i:i+n]), fence("text"))
			i += n - 1
			continue
		}
		b := blocks[i]
		folds := present.Folds(blocks, i, role)
		if ran && b.GetCode() != nil {
			dst = appendBody(dst, b, folds, b.GetLabel(), b.GetText(), output(b.GetCode().GetLanguage()))
			continue
		}
		ran = ran || b.GetCommand() != nil
		dst = st.appendBlock(dst, b, role, folds)
	}
	return dst
}

// appendBlock appends one block, folded away when folds is set. A block of a kind this sink does not know is its text.
func (st style) appendBlock(dst []byte, b *transcriptv1.Block, role transcriptv1.Role, folds bool) []byte {
	switch detail := b.GetDetail().(type) {
	case *transcriptv1.Block_Thinking:
		return appendThinking(dst, b, detail.Thinking)
	case *transcriptv1.Block_ToolCall:
		return appendToolCall(appendLabel(dst, b.GetLabel()), b, detail.ToolCall.GetCall())
	case *transcriptv1.Block_Notice:
		return appendNotice(dst, b, detail.Notice, folds)
	case *transcriptv1.Block_WebResults:
		return appendBody(dst, b, folds, b.GetLabel(), b.GetText(), func(dst []byte, _ string) []byte {
			return appendWebResults(dst, b, detail.WebResults)
		})
	case *transcriptv1.Block_Question:
		return appendQuestion(dst, b, detail.Question)
	case *transcriptv1.Block_Media:
		return appendMedia(dst, b, detail.Media)
	case *transcriptv1.Block_KeyValues:
		return appendBody(dst, b, folds, b.GetLabel(), b.GetText(), func(dst []byte, _ string) []byte {
			return appendKeyValues(dst, b, detail.KeyValues, folds)
		})
	case *transcriptv1.Block_Listing:
		return appendListing(dst, b, detail.Listing, folds)
	}
	dst, label, write := blockBody(dst, b, role)
	return appendBody(dst, b, folds, label, b.GetText(), write)
}

// blockBody appends the facts that stand above the body of a block, and returns its label and the writer of the body.
func blockBody(dst []byte, b *transcriptv1.Block, role transcriptv1.Role) (facts []byte, label string, write func([]byte, string) []byte) {
	label = b.GetLabel()
	switch detail := b.GetDetail().(type) {
	case *transcriptv1.Block_Markdown:
		if role == transcriptv1.Role_ROLE_USER {
			return dst, label, appendPlain
		}
		return dst, label, appendMessage
	case *transcriptv1.Block_Plain:
		return dst, label, appendPlain
	case *transcriptv1.Block_Code:
		return dst, label, fence(detail.Code.GetLanguage())
	case *transcriptv1.Block_Diff:
		title := orWord(label, present.Change(detail.Diff.GetChange()))
		return appendFileFacts(dst, title, detail.Diff.GetUri(), present.LineChanges(detail.Diff)), "", fence("diff")
	case *transcriptv1.Block_Command:
		return dst, label, fence(shellLanguage(detail.Command.GetShell()))
	case *transcriptv1.Block_FileView:
		facts := present.ViewFacts(detail.FileView)
		return appendFileFacts(dst, orWord(label, "File"), detail.FileView.GetUri(), facts), "", fence(detail.FileView.GetLanguage())
	case *transcriptv1.Block_SearchHits:
		return appendHitFacts(dst, orWord(label, "Search"), detail.SearchHits), "", fence("text")
	case *transcriptv1.Block_Json:
		return dst, label, fence("json")
	}
	return dst, label, fence("text")
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
		dst = append(dst, present.KeptBack+"\n\n"...)
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
	dst = appendSpan(append(dst, "→ "...), orWord(c.GetName(), present.UnnamedTool))
	line, verbatim := present.CallLine(c)
	switch line = present.Clip(line, summaryLimit); {
	case line == "":
	case verbatim:
		dst = appendSpan(append(dst, present.Separator...), line)
	default:
		dst = appendText(append(dst, present.Separator...), line)
	}
	return append(dst, "\n\n"...)
}

func appendNotice(dst []byte, b *transcriptv1.Block, n *transcriptv1.Notice, folds bool) []byte {
	label := present.Severity(n.GetSeverity())
	if extra := strings.TrimSpace(b.GetLabel()); extra != "" {
		label += ", " + extra
	}
	return appendBody(dst, b, folds, label, b.GetText(), appendPlain)
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

// appendFileFacts appends what a body shows of which file.
func appendFileFacts(dst []byte, title, uri, facts string) []byte {
	dst = append(appendStrong(dst, orWord(title, "File")), ' ')
	dst = appendLink(dst, orNotRecorded(present.Path(uri)), uri)
	if facts != "" {
		dst = appendText(append(dst, present.Separator...), facts)
	}
	return append(dst, "\n\n"...)
}

func appendHitFacts(dst []byte, title string, h *transcriptv1.SearchHits) []byte {
	dst = appendStrong(dst, title)
	if h.GetQuery() != "" {
		dst = appendSpan(append(dst, " for "...), h.GetQuery())
	}
	if h.GetUri() != "" {
		dst = appendLink(append(dst, " in "...), present.Path(h.GetUri()), h.GetUri())
	}
	if facts := present.HitFacts(h); facts != "" {
		dst = append(append(dst, present.Separator...), facts...)
	}
	return append(dst, "\n\n"...)
}

// appendListing appends a directory, one entry a line. Text that the entries do not account for is shown as it is.
func appendListing(dst []byte, b *transcriptv1.Block, l *transcriptv1.Listing, folds bool) []byte {
	dst = appendFileFacts(dst, orWord(b.GetLabel(), "Folder"), l.GetUri(), present.ListingFacts(l))
	text := b.GetText()
	if text == "" {
		return dst // a notice says whether the folder is empty or could not be read
	}
	if n := len(l.GetEntries()); n > 0 && n == present.Lines(text) {
		var lines []byte
		for i, e := range l.GetEntries() {
			if i > 0 {
				lines = append(lines, '\n')
			}
			lines = append(lines, present.EntryName(e)...)
			if facts := present.EntryFacts(e); facts != "" {
				lines = append(append(append(lines, " ("...), facts...), ')')
			}
		}
		text = string(lines)
	}
	return appendBody(dst, b, folds, "", text, fence("text"))
}
