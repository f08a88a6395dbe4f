package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendBlocks appends the blocks of a step or an attachment.
func appendBlocks(dst []byte, blocks []*transcriptv1.Block, role transcriptv1.Role) []byte {
	for i := 0; i < len(blocks); i++ {
		if n := present.CallRun(blocks, i); n > 0 {
			dst = appendCallList(dst, blocks[i:i+n])
			i += n - 1
			continue
		}
		dst = appendBlock(dst, blocks[i], role, present.Folds(blocks, i, role))
	}
	return dst
}

// appendBlock appends one piece of content. A kind this version does not know shows its text, so nothing is lost but
// form.
func appendBlock(dst []byte, b *transcriptv1.Block, role transcriptv1.Role, folds bool) []byte {
	t := title{label: b.GetLabel(), folds: folds, noun: present.FoldNoun(b), size: present.FoldSize(b, b.GetText())}
	switch d := b.GetDetail().(type) {
	case *transcriptv1.Block_Markdown:
		return appendWritten(dst, t, b, role)
	case *transcriptv1.Block_Plain:
		return appendBody(dst, t, b.GetText(), appendTyped)
	case *transcriptv1.Block_Thinking:
		return appendThinking(dst, b, d.Thinking)
	case *transcriptv1.Block_Code:
		return appendCode(dst, t, b, d.Code)
	case *transcriptv1.Block_Diff:
		return appendDiff(dst, t, b, d.Diff)
	case *transcriptv1.Block_Command:
		return appendCommand(dst, t, b, d.Command)
	case *transcriptv1.Block_FileView:
		return appendFileView(dst, t, b, d.FileView)
	case *transcriptv1.Block_Listing:
		return appendListing(dst, t, b, d.Listing)
	case *transcriptv1.Block_SearchHits:
		return appendSearchHits(dst, t, b, d.SearchHits)
	case *transcriptv1.Block_WebResults:
		return appendWebResults(dst, t, b, d.WebResults)
	case *transcriptv1.Block_Question:
		return appendQuestion(dst, b, d.Question)
	case *transcriptv1.Block_Media:
		return appendMedia(dst, b, d.Media)
	case *transcriptv1.Block_ToolCall:
		return appendCallStub(dst, b, d.ToolCall.GetCall())
	case *transcriptv1.Block_Notice:
		return appendNotice(dst, t, b, d.Notice)
	case *transcriptv1.Block_KeyValues:
		return appendKeyValues(dst, t, b, d.KeyValues)
	case *transcriptv1.Block_Json:
		return appendBody(dst, t.or("JSON"), b.GetText(), appendIndented)
	}
	return appendBody(dst, t.or(present.Kind(b.GetKind())), b.GetText(), appendTyped)
}

// or gives a title without a label one.
func (t title) or(label string) title {
	if t.label == "" {
		t.label = label
	}
	return t
}

func labelOr(b *transcriptv1.Block, other string) string {
	if b.GetLabel() != "" {
		return b.GetLabel()
	}
	return other
}

// appendWritten appends message text: what a model wrote is read as Markdown, what a user typed is shown as typed.
func appendWritten(dst []byte, t title, b *transcriptv1.Block, role transcriptv1.Role) []byte {
	if role == transcriptv1.Role_ROLE_USER {
		return appendBody(dst, t, b.GetText(), appendTyped)
	}
	return appendBody(dst, t, b.GetText(), appendMessage)
}

func appendThinking(dst []byte, b *transcriptv1.Block, d *transcriptv1.Thinking) []byte {
	if d.GetRedacted() {
		dst = append(dst, "<p class=\"hint\">"+present.KeptBack+"</p>\n"...)
		if b.GetText() == "" {
			return dst
		}
	}
	t := title{label: labelOr(b, "Thinking")}
	if d.DurationNs != nil {
		t.note = present.Duration(d.GetDurationNs())
	}
	dst = append(dst, `<details class="fold thinking"><summary>`...)
	dst = appendTitle(dst, t)
	dst = append(dst, "</summary>\n"...)
	dst = appendMessage(dst, b.GetText())
	return append(dst, "</details>\n"...)
}

func appendNotice(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.Notice) []byte {
	t.label = joinWords(present.Severity(d.GetSeverity()), t.label)
	dst = append(dst, `<div class="notice `...)
	dst = append(dst, severityClass(d.GetSeverity())...)
	dst = append(dst, "\">\n"...)
	dst = appendBody(dst, t, b.GetText(), appendTyped)
	return append(dst, "</div>\n"...)
}

// joinWords joins a word and what it is about.
func joinWords(word, about string) string {
	if about == "" {
		return word
	}
	return word + ", " + about
}

func severityClass(s transcriptv1.Severity) string {
	switch s {
	case transcriptv1.Severity_SEVERITY_ERROR:
		return "bad"
	case transcriptv1.Severity_SEVERITY_WARNING:
		return "warn"
	default:
		return "quiet"
	}
}
