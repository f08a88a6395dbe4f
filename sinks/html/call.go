package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendCallStub appends one line for a call the model asked for. The complete call stands on the step that answers it,
// or on the note that nothing did.
func appendCallStub(dst []byte, b *transcriptv1.Block, c *transcriptv1.ToolCall) []byte {
	if c == nil {
		return appendBody(dst, title{label: labelOr(b, "Tool call"), folds: present.FoldsText(b.GetText()), size: present.TextSize(b.GetText())}, b.GetText(), appendTyped)
	}
	dst = append(dst, `<p class="stub"><span class="lab">Calls</span> <code class="name">`...)
	dst = appendText(dst, orWord(c.GetName(), present.UnnamedTool))
	dst = append(dst, "</code>"...)
	line, verbatim := present.CallLine(c)
	switch line = present.Clip(line, stubLength); {
	case line == "":
	case verbatim:
		dst = append(dst, ` <code>`...)
		dst = append(appendText(dst, line), "</code>"...)
	default:
		dst = append(dst, ` <span class="dim">`...)
		dst = append(appendText(dst, line), "</span>"...)
	}
	return append(dst, "</p>\n"...)
}

// appendCallList appends very many calls in a row without an element for each.
func appendCallList(dst []byte, calls []*transcriptv1.Block) []byte {
	t := title{label: present.ManyCalls, folds: true, size: present.Amount(uint64(len(calls)), "call")}
	return appendBody(dst, t, present.CallList(calls), appendPre)
}

// stubLength is how many characters of a call's line are shown.
const stubLength = 160

// appendCall appends the complete call a step answers, folded.
func appendCall(dst []byte, c *transcriptv1.ToolCall) []byte {
	if c == nil {
		return dst
	}
	dst = append(dst, "<details class=\"fold call\"><summary>"...)
	dst = appendTitle(dst, title{label: "Call", note: c.GetName()})
	dst = append(dst, "</summary>\n"...)
	dst = appendCallBody(dst, c)
	return append(dst, "</details>\n"...)
}

func appendCallBody(dst []byte, c *transcriptv1.ToolCall) []byte {
	dst = append(dst, "<dl class=\"pairs\">\n"...)
	dst = appendPair(dst, "Tool", c.GetName())
	dst = appendPair(dst, "Summary", c.GetSummary())
	dst = appendPair(dst, "Action", c.GetAction())
	dst = appendPair(dst, "Call id", c.GetId())
	dst = appendPair(dst, present.NotJSON, c.GetInvalidJson())
	dst = append(dst, "</dl>\n"...)
	if c.GetArgumentsJson() == "" {
		return append(dst, "<p class=\"hint\">No arguments.</p>\n"...)
	}
	return appendIndented(dst, c.GetArgumentsJson())
}

// appendPair appends one name and value; an empty value is left out.
func appendPair(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, "<dt>"...)
	dst = appendText(dst, key)
	dst = append(dst, "</dt><dd>"...)
	dst = appendText(dst, value)
	return append(dst, "</dd>\n"...)
}
