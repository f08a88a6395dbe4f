package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendNote appends something the reader must know about the stream itself.
func (p page) appendNote(dst []byte, n *transcriptv1.Note) []byte {
	dst = append(dst, `<div role="note" class="note `...)
	dst = append(dst, severityClass(n.GetSeverity())...)
	dst = append(dst, "\">\n<p class=\"lab\">"...)
	dst = appendText(dst, present.NoteTitle(n))
	dst = append(dst, "</p>\n"...)
	if n.GetText() != "" {
		dst = appendTyped(dst, n.GetText())
	}
	if steps := present.NoteSteps(n); steps != "" {
		dst = append(dst, `<p class="hint">`...)
		dst = append(append(dst, steps...), "</p>\n"...)
	}
	if n.GetAnchor() != "" {
		dst = append(dst, "<p class=\"hint\">Concerns "...)
		dst = appendAnchorLink(dst, n.GetAnchor())
		dst = append(dst, ".</p>\n"...)
	}
	dst = appendCall(dst, n.GetCall())
	return append(dst, "</div>\n"...)
}

// appendGaps appends what is missing: gaps that say nothing but a line share a box.
func (p page) appendGaps(dst []byte, gaps []*transcriptv1.Note) []byte {
	for len(gaps) > 0 {
		alike := 0
		for alike < len(gaps) && gaps[alike].GetAnchor() == "" && gaps[alike].GetCall() == nil &&
			gaps[alike].GetSeverity() == gaps[0].GetSeverity() && gaps[alike].GetKind() == gaps[0].GetKind() {
			alike++
		}
		if alike < 2 {
			dst, gaps = p.appendNote(dst, gaps[0]), gaps[1:]
			continue
		}
		dst = append(dst, `<div role="note" class="note `...)
		dst = append(dst, severityClass(gaps[0].GetSeverity())...)
		dst = append(dst, "\">\n<p class=\"lab\">"...)
		dst = append(appendText(dst, present.NoteTitle(gaps[0])), "</p>\n"...)
		for _, gap := range gaps[:alike] {
			dst = appendTyped(dst, present.NoteLine(gap))
		}
		dst, gaps = append(dst, "</div>\n"...), gaps[alike:]
	}
	return dst
}

// appendListedNote appends a note that is one of very many as a line, and before the first what encloses them.
func (p page) appendListedNote(dst []byte, n *transcriptv1.Note, first bool) []byte {
	if first {
		dst = append(dst, `<div role="note" class="note `...)
		dst = append(dst, severityClass(n.GetSeverity())...)
		dst = append(dst, "\">\n<details class=\"fold\"><summary>"...)
		dst = appendTitle(dst, title{label: present.NoteTitle(n), note: present.ManyNotes})
		dst = append(dst, "</summary>\n<pre><code>"...)
	}
	return append(appendText(dst, present.NoteLine(n)), '\n')
}

func appendNoteListEnd(dst []byte) []byte {
	return append(dst, "</code></pre>\n</details>\n</div>\n"...)
}

func appendUnknownEvent(dst []byte) []byte {
	dst = append(dst, "<div role=\"note\" class=\"note warn\">\n<p class=\"lab\">Warning</p>\n<p>An element of a kind that this version "...)
	return append(dst, "does not know was left out.</p>\n</div>\n"...)
}
