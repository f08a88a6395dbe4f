package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendQuestion appends a question with its options and what was answered.
func appendQuestion(dst []byte, b *transcriptv1.Block, d *transcriptv1.Question) []byte {
	dst = append(dst, "<div class=\"question\">\n"...)
	dst = appendLabel(dst, title{label: labelOr(b, present.QuestionTitle(d))})
	if d.GetText() == "" && len(d.GetOptions()) == 0 {
		dst = appendTyped(dst, b.GetText())
		return append(dst, "</div>\n"...)
	}
	dst = appendTyped(dst, d.GetText())
	parts := []string{d.GetText()}
	if len(d.GetOptions()) > 0 {
		dst = append(dst, "<ul class=\"options\">\n"...)
		for _, o := range d.GetOptions() {
			parts = append(parts, o.GetText())
			dst = appendOption(dst, o, d.GetMultiSelect())
		}
		dst = append(dst, "</ul>\n"...)
	}
	if d.GetWrittenAnswer() != "" {
		parts = append(parts, d.GetWrittenAnswer())
		dst = appendLabel(dst, title{label: present.WrittenAnswer})
		dst = appendTyped(dst, d.GetWrittenAnswer())
	}
	if d.GetSkipped() {
		dst = append(dst, "<p class=\"hint\">"+present.Skipped+"</p>\n"...)
	}
	dst = appendRemainder(dst, b.GetText(), parts)
	return append(dst, "</div>\n"...)
}

func appendOption(dst []byte, o *transcriptv1.QuestionOption, multi bool) []byte {
	mark := [2][2]string{{"○", "◉"}, {"☐", "☑"}}
	row, column, class := 0, 0, "option"
	if multi {
		row = 1
	}
	if o.GetSelected() {
		column, class = 1, "option chosen"
	}
	dst = append(append(dst, `<li class="`...), class...)
	dst = append(dst, `"><span class="mark" aria-hidden="true">`...)
	dst = append(append(dst, mark[row][column]...), "</span> "...)
	text := o.GetText()
	if text == "" {
		text = o.GetId()
	}
	dst = appendText(dst, text)
	if o.GetSelected() {
		dst = append(dst, ` <span class="chip good">chosen</span>`...)
	}
	return append(dst, "</li>\n"...)
}
