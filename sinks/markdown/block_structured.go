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
	dst = appendLabel(dst, orWord(b.GetLabel(), present.QuestionTitle(q)))
	if q.GetText() == "" && len(q.GetOptions()) == 0 {
		return appendPlain(dst, b.GetText())
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
		dst = appendPlain(appendLabel(dst, present.WrittenAnswer), q.GetWrittenAnswer())
	}
	if q.GetSkipped() {
		dst = append(appendStrong(dst, present.Skipped), "\n\n"...)
	}
	return dst
}

func appendMedia(dst []byte, b *transcriptv1.Block, m *transcriptv1.Media) []byte {
	dst = append(appendStrong(dst, orWord(b.GetLabel(), "Media")), ' ')
	name := orWord(present.Name(m.GetUri()), "without a name")
	link, beside := present.RelativeHref(m.GetHref())
	if beside {
		dst = appendDestination(append(appendText(append(dst, '['), name), ']'), link)
	} else {
		dst = appendLink(dst, name, m.GetUri())
	}
	dst = appendText(append(dst, present.Separator...), present.MediaFacts(m))
	if m.GetSha256() != "" {
		dst = appendSpan(append(dst, present.Separator+"SHA-256 "...), m.GetSha256())
	}
	dst = append(dst, "\n\n"...)
	if beside && present.Picture(m) {
		dst = append(appendText(append(dst, "!["...), name), ']')
		dst = append(appendDestination(dst, link), "\n\n"...)
	}
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

// appendKeyValues appends names and values. folded: the whole is folded already, so that no value folds inside.
func appendKeyValues(dst []byte, b *transcriptv1.Block, kv *transcriptv1.KeyValues, folded bool) []byte {
	if len(kv.GetItems()) == 0 {
		return appendFence(dst, b.GetText(), "text")
	}
	inList := false
	for _, item := range kv.GetItems() {
		value := item.GetValue()
		if len(value) <= longValue && !strings.ContainsAny(value, "\r\n") {
			dst = appendFact(dst, orWord(strings.TrimSpace(item.GetKey()), "value"))
			dst = append(appendValue(dst, orWord(value, empty)), '\n')
			inList = true
			continue
		}
		if inList {
			dst = append(dst, '\n')
			inList = false
		}
		dst = appendBody(dst, b, !folded && present.FoldsText(value), item.GetKey(), value, fence("text"))
	}
	if inList {
		dst = append(dst, '\n')
	}
	return dst
}

// appendValue appends one line; one that is nothing but an address as such.
func appendValue(dst []byte, value string) []byte {
	if strings.Contains(value, "://") && !strings.ContainsAny(value, " \t") {
		return appendAddress(dst, value)
	}
	return appendText(dst, value)
}
