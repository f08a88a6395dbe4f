package interpret

import "agy-reader/sources/profile"

// chunks shows replacement pairs and reports whether there were any.
func (b *builder) chunks(c change, v profile.View, f profile.Field) bool {
	found := false
	v.Each(f, func(chunk profile.View) bool {
		b.replacement(c, chunk.Str(chunkTarget), chunk.Str(chunkReplacement), chunk.Int(chunkStart), chunk.Int(chunkEnd))
		b.factList("Context", chunk, chunkContext)
		found = true
		return true
	})
	return found
}

// replacement shows one replaced text: as a diff when its place is certain and it has not too many lines, otherwise as two
// texts.
func (b *builder) replacement(c change, target, replacement string, first, last int64) {
	if b.done() && first > 0 && !textsTooLong(target, replacement) {
		lines := splitLines(b.a.scratch.lines[:0], target, '-')
		b.a.scratch.lines = lines
		if n := trimmedLen(lines); last-first+1 == int64(n) {
			lines = splitLines(lines[:n], replacement, '+')
			b.a.scratch.lines = lines
			c.firstLine = uint32(first)
			b.diff(c, sharedEnds(lines[:n+trimmedLen(lines[n:])], n))
			return
		}
	}
	b.fact("File", c.uri)
	b.code("Replaced text", languageOf(c.uri), target)
	b.code("New text", languageOf(c.uri), replacement)
	if target != "" && replacement == "" {
		b.info("The text was removed.")
	}
}

// trimmedLen counts the lines without the empty one that stands for a final line break.
func trimmedLen(lines []diffLine) int {
	if n := len(lines); n > 0 && lines[n-1].text == "" {
		return n - 1
	}
	return len(lines)
}

// sharedEnds turns equal lines at both ends of a replacement into unchanged ones. The first n lines are the old text.
func sharedEnds(lines []diffLine, n int) []diffLine {
	old, fresh := lines[:n], lines[n:]
	head := 0
	for head < len(old) && head < len(fresh) && old[head].text == fresh[head].text {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(fresh)-head && old[len(old)-1-tail].text == fresh[len(fresh)-1-tail].text {
		tail++
	}
	out := make([]diffLine, 0, len(lines)-head-tail)
	for i := range head {
		out = append(out, diffLine{text: old[i].text, op: ' '})
	}
	out = append(out, old[head:len(old)-tail]...)
	out = append(out, fresh[head:len(fresh)-tail]...)
	for i := len(old) - tail; i < len(old); i++ {
		out = append(out, diffLine{text: old[i].text, op: ' '})
	}
	return out
}

// replacements shows how the pairs of an edit were applied: problems always, the pairs only when no diff shows them.
func (b *builder) replacements(v profile.View, f profile.Field, shown bool) {
	v.Each(f, func(r profile.View) bool {
		if reason := r.Str(replacedReason); reason != "" || r.Bool(replacedError) {
			if reason == "" {
				reason = "A replacement could not be applied."
			}
			b.warning(reason)
		}
		chunk := r.Sub(replacedChunk)
		if !shown || r.Bool(replacedError) {
			b.code("Replaced text", "", chunk.Str(chunkTarget))
			b.code("New text", "", chunk.Str(chunkReplacement))
			b.factList("Context", chunk, chunkContext)
		}
		if fuzzy := r.Str(replacedFuzzy); fuzzy != "" && fuzzy != chunk.Str(chunkTarget) {
			b.code("Text that was matched instead", "", fuzzy)
		}
		return true
	})
}

// fallback shows a second attempt at an edit, with its result unless that is the one already shown.
func (b *builder) fallback(v, edited profile.View, shown bool) {
	b.warning(v.Str(fallbackError))
	b.code("Prompt of the second attempt", "", v.Str(fallbackPrompt))
	if r := v.Sub(fallbackResult).Sub(resultEdit); r.Valid() && (!shown || view(r.Raw()) != view(edited.Raw())) {
		b.edit(profile.View{}, r)
	}
}
