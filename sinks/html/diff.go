package html

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendDiff appends a unified diff. Added and removed lines are ins and del elements and keep their signs, so that
// colour is never the only mark.
func appendDiff(dst []byte, t title, b *transcriptv1.Block, d *transcriptv1.Diff) []byte {
	t = t.or(present.Change(d.GetChange()))
	t.uri, t.note = d.GetUri(), present.LineChanges(d)
	return appendBody(dst, t, b.GetText(), appendDiffLines)
}

// appendDiffLines marks the lines inside of hunks by their signs and all others as file headers. A hunk ends after the
// lengths in its header, so that a removed line such as `-- x` is never taken for a header.
// A diff of very many lines is shown without marks, as an element for every line would outgrow it.
func appendDiffLines(dst []byte, text string) []byte {
	if present.Lines(text) > mostDiffLines {
		dst = append(dst, `<p class="hint">More than `...)
		dst = present.AppendAmount(dst, mostDiffLines, "line")
		return appendPre(append(dst, ": shown without colours.</p>\n"...), text)
	}
	dst = append(dst, "<pre class=\"diff\"><code>"...)
	inside := false
	rest := diffRest{}
	var budget marks
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "@@") && rest.done() {
			inside = true
			rest = readHunk(line)
			dst = appendDiffLine(dst, "span class=\"hunk\"", "span", line, &budget)
			continue
		}
		header := rest.done() && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ "))
		switch {
		case inside && line[0] == '+' && !header:
			rest.added--
			dst = appendDiffLine(dst, "ins", "ins", line, &budget)
		case inside && line[0] == '-' && !header:
			rest.removed--
			dst = appendDiffLine(dst, "del", "del", line, &budget)
		case inside && (line[0] == ' ' || line[0] == '\n' || line[0] == '\r'):
			rest.added--
			rest.removed--
			dst = appendDiffLine(dst, "span", "span", line, &budget)
		default:
			dst = appendDiffLine(dst, "span class=\"head\"", "span", line, &budget)
		}
	}
	return append(dst, "</code></pre>\n"...)
}

// mostDiffLines is how many lines of a diff are elements.
const mostDiffLines = 20_000

func appendDiffLine(dst []byte, open, name, line string, m *marks) []byte {
	dst = append(append(append(dst, '<'), open...), '>')
	dst = appendBudgeted(dst, line, m)
	return append(append(append(dst, "</"...), name...), '>')
}

// diffRest counts the lines that still belong to a hunk on both sides.
type diffRest struct{ removed, added int }

func (r diffRest) done() bool { return r.removed <= 0 && r.added <= 0 }

// readHunk reads the lengths in a hunk header such as `@@ -1,4 +1,6 @@`; a missing one is 1.
func readHunk(line string) diffRest {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return diffRest{}
	}
	return diffRest{removed: hunkLength(fields[1]), added: hunkLength(fields[2])}
}

func hunkLength(side string) int {
	_, length, found := strings.Cut(side, ",")
	if !found {
		return 1
	}
	n, err := strconv.Atoi(length)
	if err != nil {
		return 0
	}
	return n
}
