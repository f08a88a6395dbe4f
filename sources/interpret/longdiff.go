package interpret

import (
	"strings"

	"agy-reader/sources/profile"
)

// longNotice heads a change that has too many short lines for a diff.
func (b *builder) longNotice(c change) {
	b.fact("File", c.uri)
	b.fact("Change", c.kind)
	b.info("This change has too many lines for a diff; all of them follow as text.")
}

// longStored shows a stored diff as text: each line behind its sign.
func (b *builder) longStored(c change, diff profile.View) {
	b.longNotice(c)
	buf := b.a.texts.open(len(diff.Raw()) + 2*storedCount(diff))
	diff.Each(diffLines, func(v profile.View) bool {
		text, op := v.Str(lineText), opOf(v.Enum(lineType))
		for more := true; more; {
			var line string
			line, text, more = strings.Cut(text, "\n")
			buf = append(append(append(buf, op), line...), '\n')
		}
		return true
	})
	b.code("Lines", "diff", b.a.texts.closeText(buf[:len(buf)-1]))
}

// longTexts shows a change as its two texts; an empty one is left out.
func (b *builder) longTexts(c change, old, fresh string) {
	b.longNotice(c)
	b.code("Old content", languageOf(c.uri), old)
	b.code("New content", languageOf(c.uri), fresh)
}
