package markdown

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

func appendWebResults(dst []byte, b *transcriptv1.Block, w *transcriptv1.WebResults) []byte {
	if w.GetQuery() != "" {
		dst = append(appendSpan(append(dst, "Search for "...), w.GetQuery()), "\n\n"...)
	}
	if len(w.GetResults()) == 0 {
		return appendPlain(dst, b.GetText())
	}
	for i, r := range w.GetResults() {
		dst = strconv.AppendInt(append(dst, "Result "...), int64(i+1), 10)
		dst = append(dst, ": "...)
		dst = appendLink(dst, orWord(r.GetTitle(), orNotRecorded(r.GetUrl())), r.GetUrl())
		if r.GetUrl() != "" && r.GetTitle() != "" {
			dst = appendSpan(append(dst, present.Separator...), r.GetUrl())
		}
		dst = append(dst, "\n\n"...)
		if r.GetText() != "" {
			dst = appendPlain(dst, r.GetText())
		}
	}
	return dst
}

func appendQuestion(dst []byte, b *transcriptv1.Block, q *transcriptv1.Question) []byte {
	if q.GetText() == "" && len(q.GetOptions()) == 0 {
		return appendPlain(dst, b.GetText())
	}
	if q.GetMultiSelect() {
		dst = append(dst, "**Question**, several answers allowed:\n\n"...)
	} else {
		dst = append(dst, "**Question:**\n\n"...)
	}
	dst = appendPlain(dst, q.GetText())
	for _, o := range q.GetOptions() {
		mark := "- ☐ "
		if o.GetSelected() {
			mark = "- ☑ "
		}
		dst = append(appendText(append(dst, mark...), orWord(o.GetText(), o.GetId())), '\n')
	}
	if len(q.GetOptions()) > 0 {
		dst = append(dst, '\n')
	}
	if q.GetWrittenAnswer() != "" {
		dst = appendPlain(append(dst, "**Written answer:**\n\n"...), q.GetWrittenAnswer())
	}
	if q.GetSkipped() {
		dst = append(dst, "**Skipped by the user.**\n\n"...)
	}
	return dst
}

func appendMedia(dst []byte, b *transcriptv1.Block, m *transcriptv1.Media) []byte {
	dst = append(dst, "Media "...)
	dst = appendLink(dst, orWord(present.Name(m.GetUri()), "without a name"), m.GetUri())
	if m.GetMimeType() != "" {
		dst = appendText(append(dst, present.Separator...), m.GetMimeType())
	}
	switch {
	case m.Size != nil:
		dst = present.AppendSize(append(dst, present.Separator...), m.GetSize())
	case len(m.GetData()) > 0:
		dst = present.AppendSize(append(dst, present.Separator...), uint64(len(m.GetData())))
	}
	if m.GetSha256() != "" {
		dst = appendSpan(append(dst, present.Separator+"SHA-256 "...), m.GetSha256())
	}
	if len(m.GetData()) == 0 {
		dst = append(dst, present.Separator+"not stored in the conversation"...)
	} else {
		dst = append(dst, present.Separator+"stored in the conversation"...)
	}
	dst = append(dst, "\n\n"...)
	text, description := b.GetText(), m.GetDescription()
	if description != "" && !strings.Contains(text, description) {
		dst = appendPlain(dst, description)
	}
	if text != "" && text != m.GetUri() {
		dst = appendPlain(dst, text)
	}
	return dst
}

// longValue is the size from which a value is a body of its own.
const longValue = 200

func appendKeyValues(dst []byte, b *transcriptv1.Block, kv *transcriptv1.KeyValues) []byte {
	if len(kv.GetItems()) == 0 {
		return appendFence(dst, b.GetText(), "text")
	}
	inList := false
	for _, item := range kv.GetItems() {
		value := item.GetValue()
		if len(value) <= longValue && !strings.ContainsAny(value, "\r\n") {
			dst = appendTextFact(dst, orWord(strings.TrimSpace(item.GetKey()), "value"), orWord(value, empty))
			inList = true
			continue
		}
		if inList {
			dst = append(dst, '\n')
			inList = false
		}
		dst = appendLabel(dst, item.GetKey())
		dst = appendFence(dst, value, "text")
	}
	if inList {
		dst = append(dst, '\n')
	}
	return dst
}
