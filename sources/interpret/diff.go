package interpret

import "strconv"

// contextLines is how many unchanged lines a hunk shows around a change.
const contextLines = 3

// change is one changed file.
type change struct {
	uri string
	// kind is create, edit or delete.
	kind string
	// firstLine is the number of the first line of the list in its file.
	firstLine uint32
}

const noNewline = "\n\\ No newline at end of file"

// diff adds a unified diff of the lines: hunks with three lines of context, cut out of the whole list. It reports whether
// there was any change to show.
func (b *builder) diff(c change, lines []diffLine) bool {
	cell := b.a.cells.diff.next()
	d := &cell.detail
	d.Uri, d.Change, d.Language = c.uri, c.kind, languageOf(c.uri)
	size := 2*len(c.uri) + 32
	for i := range lines {
		switch lines[i].op {
		case '+':
			d.Additions++
		case '-':
			d.Deletions++
		}
		size += len(lines[i].text) + 2
	}
	if d.Additions+d.Deletions == 0 {
		return false
	}
	path := headerPath(c.uri)
	oldPath, newPath := path, path
	switch c.kind {
	case "create":
		oldPath = "/dev/null"
	case "delete":
		newPath = "/dev/null"
	}
	buf := b.a.texts.open(size)
	buf = append(append(buf, "--- "...), oldPath...)
	buf = append(append(buf, "\n+++ "...), newPath...)
	buf = b.hunks(buf, lines, max(c.firstLine, 1))
	d.Hunks = b.a.lists.hunks.keep(b.a.scratch.hunks)
	cell.wrap.Diff = d
	cell.block.Detail = &cell.wrap
	b.push(&cell.block, "diff", "", b.a.texts.closeText(buf))
	return true
}

// hunks appends the hunks of the lines to buf and collects their positions.
func (b *builder) hunks(buf []byte, lines []diffLine, first uint32) []byte {
	b.a.scratch.hunks = b.a.scratch.hunks[:0]
	oldLine, newLine := first, first
	for i := 0; i < len(lines); {
		if lines[i].op == ' ' {
			// Skip to the context of the next change.
			j := i
			for j < len(lines) && lines[j].op == ' ' {
				j++
			}
			if j == len(lines) {
				break
			}
			skip := max(j-i-contextLines, 0)
			i, oldLine, newLine = i+skip, oldLine+uint32(skip), newLine+uint32(skip)
		}
		end := hunkEnd(lines, i)
		buf, oldLine, newLine = b.hunk(buf, lines[i:end], oldLine, newLine)
		i = end
	}
	return buf
}

// hunkEnd returns where the hunk that starts at i ends: three unchanged lines behind its last change, and on over gaps of
// up to six unchanged lines.
func hunkEnd(lines []diffLine, i int) int {
	last := i
	for j := i; j < len(lines); j++ {
		if lines[j].op != ' ' {
			last = j
		} else if j-last > 2*contextLines && lines[last].op != ' ' {
			break
		}
	}
	return min(last+1+contextLines, len(lines))
}

// hunk appends one hunk and returns the line numbers behind it.
func (b *builder) hunk(buf []byte, lines []diffLine, oldLine, newLine uint32) ([]byte, uint32, uint32) {
	h := b.a.cells.hunk.next()
	for i := range lines {
		if lines[i].op != '+' {
			h.OldLines++
		}
		if lines[i].op != '-' {
			h.NewLines++
		}
	}
	h.OldStart, h.NewStart = start(oldLine, h.OldLines), start(newLine, h.NewLines)
	buf = append(buf, '\n')
	at := len(buf)
	buf = appendRange(append(buf, "@@ -"...), h.OldStart, h.OldLines)
	buf = appendRange(append(buf, " +"...), h.NewStart, h.NewLines)
	buf = append(buf, " @@"...)
	for i := range lines {
		buf = append(buf, '\n', lines[i].op)
		buf = append(buf, lines[i].text...)
		if lines[i].bare {
			buf = append(buf, noNewline...)
		}
	}
	h.TextOffset, h.TextLength = uint64(at), uint64(len(buf)-at)
	b.a.scratch.hunks = append(b.a.scratch.hunks, h)
	return buf, oldLine + h.OldLines, newLine + h.NewLines
}

// start returns the line number a hunk header names: an empty side stands behind the line before it.
func start(line, count uint32) uint32 {
	if count == 0 {
		return line - 1
	}
	return line
}

func appendRange(buf []byte, start, count uint32) []byte {
	buf = strconv.AppendUint(buf, uint64(start), 10)
	if count == 1 {
		return buf
	}
	return strconv.AppendUint(append(buf, ','), uint64(count), 10)
}
