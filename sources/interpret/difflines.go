package interpret

import (
	"slices"
	"strings"

	"agy-reader/sources/profile"
)

// diffLine is one line of a stored diff, without its line break.
type diffLine struct {
	text string
	// op is '-', '+' or ' '.
	op byte
	// bare says that no line break follows the line in its file.
	bare bool
}

// insertLine and deleteLine are the numbers of UnifiedDiffLineType by short name.
func opOf(name string) byte {
	switch name {
	case "INSERT":
		return '+'
	case "DELETE":
		return '-'
	}
	return ' '
}

// storedLines reads the lines of a stored diff. A text that holds line breaks counts as several lines.
func (b *builder) storedLines(diff profile.View) []diffLine {
	list := b.a.scratch.lines[:0]
	if len(diff.Raw()) > maxDiffLines {
		list = slices.Grow(list, storedCount(diff)+spareLines)
	}
	diff.EachLine(diffLines, lineText, lineType, func(text, kind string) bool {
		list = appendLines(list, text, opOf(kind))
		return true
	})
	b.a.scratch.lines = list
	return list
}

const (
	// maxDiffLines is how many lines a diff may always have, and shortLine the bytes a line of a longer one has on average
	// at least. A list of lines takes much more memory than the text of short ones.
	maxDiffLines = 1 << 16
	shortLine    = 16
	// spareLines is how many lines endings may add.
	spareLines = 2
)

// tooLong reports whether a diff of so many lines in size bytes is shown as text instead.
func tooLong(lines, size int) bool { return lines > maxDiffLines && lines > size/shortLine }

// storedTooLong is tooLong for a stored diff.
func storedTooLong(diff profile.View) bool {
	size := len(diff.Raw())
	return size > maxDiffLines && tooLong(storedCount(diff), size)
}

// storedCount counts the lines of a stored diff.
func storedCount(diff profile.View) (n int) {
	diff.EachLine(diffLines, lineText, lineType, func(text, _ string) bool {
		n += 1 + strings.Count(text, "\n")
		return true
	})
	return n
}

// textsTooLong is tooLong for a diff of whole texts.
func textsTooLong(old, fresh string) bool {
	size := len(old) + len(fresh)
	return size > maxDiffLines && tooLong(strings.Count(old, "\n")+strings.Count(fresh, "\n")+2, size)
}

// splitLines appends the lines of a text the way the product lists them: a text that ends in a line break has an empty
// last line.
func splitLines(list []diffLine, text string, op byte) []diffLine {
	return appendLines(slices.Grow(list, strings.Count(text, "\n")+1+spareLines), text, op)
}

// appendLines appends the lines of a text: one more than it has line breaks.
func appendLines(list []diffLine, text string, op byte) []diffLine {
	for {
		i := strings.IndexByte(text, '\n')
		if i < 0 {
			return append(list, diffLine{text: text, op: op})
		}
		list = append(list, diffLine{text: text[:i], op: op})
		text = text[i+1:]
	}
}

// sideIs reports whether the lines of one side, joined by line breaks, are exactly text. side is '-' for the old text and
// '+' for the new one.
func sideIs(list []diffLine, side byte, text string) bool {
	first := true
	for i := range list {
		if list[i].op != ' ' && list[i].op != side {
			continue
		}
		if !first {
			if text == "" || text[0] != '\n' {
				return false
			}
			text = text[1:]
		}
		first = false
		rest, ok := strings.CutPrefix(text, list[i].text)
		if !ok {
			return false
		}
		text = rest
	}
	return text == ""
}

// lastOf returns the index of the last line of one side, and -1 when the side has none.
func lastOf(list []diffLine, side byte) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].op == ' ' || list[i].op == side {
			return i
		}
	}
	return -1
}

// endings turns the product's list, in which the empty last line of a side stands for the line break before it, into the
// lines of a unified diff. known says that the list is a whole file, so that a side without an empty last line has no
// final line break; otherwise the end is taken to be an ordinary one.
func endings(list []diffLine, known bool) []diffLine {
	oldLast, newLast := lastOf(list, '-'), lastOf(list, '+')
	oldEnds := oldLast < 0 || list[oldLast].text == ""
	newEnds := newLast < 0 || list[newLast].text == ""
	if oldLast >= 0 && oldLast == newLast {
		if oldEnds {
			list = append(list[:oldLast], list[oldLast+1:]...)
		} else if known {
			list[oldLast].bare = true
		}
		return list
	}
	// The sides end in different lines. Take the later one first, so that the earlier index stays right.
	for _, side := range [...]byte{'-', '+'} {
		last, ends := lastOf(list, side), oldEnds
		if side == '+' {
			ends = newEnds
		}
		switch {
		case last < 0:
		case ends && list[last].op == side:
			list = append(list[:last], list[last+1:]...)
		case ends:
			// The empty line ends one side and is a line of the other.
			list[last].op = other(side)
		}
		if last >= 0 && !ends && known {
			list = bareEnd(list, side)
		}
	}
	return list
}

func other(side byte) byte {
	if side == '-' {
		return '+'
	}
	return '-'
}

// bareEnd marks the last line of a side as having no line break. A line both sides share is split, because it is not the
// same line when only one side breaks after it.
func bareEnd(list []diffLine, side byte) []diffLine {
	last := lastOf(list, side)
	if list[last].op == side {
		list[last].bare = true
		return list
	}
	text := list[last].text
	list = append(list, diffLine{})
	copy(list[last+1:], list[last:])
	list[last] = diffLine{text: text, op: '-', bare: side == '-'}
	list[last+1] = diffLine{text: text, op: '+', bare: side == '+'}
	return list
}
