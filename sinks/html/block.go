package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendBlock appends one piece of content. A kind this version does not know shows its text, so nothing is lost but
// form.
func (p page) appendBlock(dst []byte, b *transcriptv1.Block, role transcriptv1.Role) []byte {
	switch d := b.GetDetail().(type) {
	case *transcriptv1.Block_Markdown:
		return appendWritten(dst, b, role)
	case *transcriptv1.Block_Plain:
		return appendProse(dst, b, role)
	case *transcriptv1.Block_Thinking:
		return p.appendThinking(dst, b, d.Thinking)
	case *transcriptv1.Block_Code:
		return appendCode(dst, b, d.Code)
	case *transcriptv1.Block_Diff:
		return appendDiff(dst, b, d.Diff)
	case *transcriptv1.Block_Command:
		return appendCommand(dst, b, d.Command)
	case *transcriptv1.Block_FileView:
		return appendFileView(dst, b, d.FileView)
	case *transcriptv1.Block_Listing:
		return appendListing(dst, b, d.Listing)
	case *transcriptv1.Block_SearchHits:
		return appendSearchHits(dst, b, d.SearchHits)
	case *transcriptv1.Block_WebResults:
		return appendWebResults(dst, b, d.WebResults)
	case *transcriptv1.Block_Question:
		return appendQuestion(dst, b, d.Question)
	case *transcriptv1.Block_Media:
		return appendMedia(dst, b, d.Media)
	case *transcriptv1.Block_ToolCall:
		return appendCallStub(dst, b, d.ToolCall.GetCall())
	case *transcriptv1.Block_Notice:
		return appendNotice(dst, b, d.Notice)
	case *transcriptv1.Block_KeyValues:
		return appendKeyValues(dst, b, d.KeyValues)
	case *transcriptv1.Block_Json:
		return appendJSON(dst, b.GetLabel(), b.GetText())
	}
	return appendBody(dst, title{label: labelOr(b, present.Kind(b.GetKind()))}, b.GetText(), appendTyped)
}

func labelOr(b *transcriptv1.Block, other string) string {
	if b.GetLabel() != "" {
		return b.GetLabel()
	}
	return other
}

// appendWritten appends message text: what a model wrote is read as Markdown, what a user typed is shown as typed.
func appendWritten(dst []byte, b *transcriptv1.Block, role transcriptv1.Role) []byte {
	if role == transcriptv1.Role_ROLE_USER {
		return appendProse(dst, b, role)
	}
	if b.GetLabel() != "" {
		dst = appendLabel(dst, title{label: b.GetLabel()})
	}
	return appendMessage(dst, b.GetText())
}

// appendProse appends plain prose. Long prose folds, a prompt only when it is very long.
func appendProse(dst []byte, b *transcriptv1.Block, role transcriptv1.Role) []byte {
	t := title{label: b.GetLabel(), folded: present.Clip(b.GetText(), 120)}
	if role == transcriptv1.Role_ROLE_USER {
		t.openLines, t.openBytes = 60, 8<<10
	}
	return appendBody(dst, t, b.GetText(), appendTyped)
}

func (p page) appendThinking(dst []byte, b *transcriptv1.Block, d *transcriptv1.Thinking) []byte {
	if !p.thinking {
		return append(dst, "<p class=\"hint\">Thinking left out as requested.</p>\n"...)
	}
	if d.GetRedacted() {
		dst = append(dst, "<p class=\"hint\">The provider kept the thinking of this step back.</p>\n"...)
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

func appendNotice(dst []byte, b *transcriptv1.Block, d *transcriptv1.Notice) []byte {
	dst = append(dst, `<div class="notice `...)
	dst = append(dst, severityClass(d.GetSeverity())...)
	dst = append(dst, `"><p class="lab">`...)
	dst = appendText(dst, labelOr(b, present.Severity(d.GetSeverity())))
	dst = append(dst, "</p>\n"...)
	dst = appendTyped(dst, b.GetText())
	return append(dst, "</div>\n"...)
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
