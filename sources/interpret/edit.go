package interpret

import (
	"strings"

	"agy-reader/sources/profile"
)

func codeAction(b *builder, v profile.View) {
	spec, edited := v.Sub(actionSpec), v.Sub(actionResult).Sub(resultEdit)
	b.step.Summary = b.a.oneLine(v.Str(actionDescription))
	b.plain("Description", v.Str(actionDescription))
	if s := v.Str(actionInstruction); !b.holds(s) {
		b.plain("Instruction", s)
	}
	shown := b.edit(spec, edited)
	if !shown {
		shown = b.changeFromCall()
	}
	if stats := v.Sub(actionStats); stats.Valid() && !shown {
		b.info(b.a.join("The product kept only the size of this change: ", b.a.number(stats.Int(statsAdditions)),
			" lines added, ", b.a.number(stats.Int(statsDeletions)), " removed."))
	}
	b.replacements(v, actionReplaced, shown)
	b.diagnostics("Lint errors", v, actionLints)
	b.diagnostics("Lint errors that stay", v, actionOldLints)
	b.compiled("Errors this change introduced", v, actionErrors)
	b.factList("Meant to fix", v, actionFixes)
	b.warning(v.Str(actionMarkdown))
	b.fallback(v.Sub(actionFallback), edited, shown)
	b.fact("Language", v.Str(actionLanguage))
	b.plain("Memories", v.Str(actionMemories))
	b.factEnum("Answer of the person", v, actionAck)
	b.factEnum("Doubt of the product", v, actionHeuristic)
	b.factTrue("Artifact", v, actionIsArtifact)
	b.factTrue("Knowledge", v, actionIsKnowledge)
	b.factInt("Artifact version", v, actionVersion)
	b.artifact(v.Sub(actionArtifact))
}

func (b *builder) artifact(m profile.View) {
	b.factEnum("Artifact type", m, artifactType)
	b.fact("Artifact summary", m.Str(artifactSummary))
	b.factInt("Version", m, artifactVersion)
	b.factTrue("Asks for feedback", m, artifactFeedback)
}

func proposeCode(b *builder, v profile.View) {
	b.plain("Instruction", v.Str(proposeInstruction))
	b.edit(v.Sub(proposeSpec), v.Sub(proposeResult).Sub(resultEdit))
	b.fact("Language", v.Str(proposeLanguage))
}

// pathItem returns the URI of a path item.
func pathItem(v profile.View) string {
	if uri := v.Str(pathURI); uri != "" {
		return uri
	}
	return v.Str(pathOldURI)
}

// edit shows what an action was asked to do and what it did. It reports whether the change itself was shown.
func (b *builder) edit(spec, edited profile.View) bool {
	create, del, command := spec.Sub(specCreate), spec.Sub(specDelete), spec.Sub(specEdit)
	c := change{uri: edited.Str(editedURI), kind: "edit"}
	named := [...]string{
		edited.Str(editedOldURI), pathItem(create.Sub(createPath)), pathItem(command.Sub(editFile)),
		pathItem(del.Sub(deletePath)), command.Sub(editRange).Str(rangeURI), command.Sub(editTarget).Str(targetURI),
	}
	for _, uri := range named {
		if c.uri == "" {
			c.uri = uri
		}
	}
	b.summaryOf(c.uri, 0, 0)
	content := create.Str(createInstruction)
	switch {
	case edited.Bool(editedCreate), create.Valid() && edited.Str(editedOriginal) == "" && !edited.Valid():
		c.kind = "create"
	case del.Valid():
		c.kind = "delete"
	}
	if instruction := command.Str(editInstruction); !b.holds(instruction) {
		b.plain("Instruction", instruction)
	}
	shown := b.storedDiff(c, edited.Sub(editedDiff), edited.Str(editedOriginal), edited.Has(editedOriginal), content)
	if !shown {
		shown = b.chunks(c, command, editChunks)
	}
	if !shown && create.Valid() {
		b.fact("File", c.uri)
		b.code("New content", languageOf(c.uri), content)
		shown = content != ""
	}
	if !shown && c.uri != "" {
		b.fact("File", c.uri)
	}
	if del.Valid() {
		b.info("The file was deleted.")
		shown = true
	}
	for _, uri := range named {
		if uri != c.uri {
			b.fact("Asked for file", uri)
		}
	}
	for _, item := range [...]profile.View{create.Sub(createPath), command.Sub(editFile), del.Sub(deletePath)} {
		b.otherPaths(item, c.uri)
	}
	b.rareEdit(spec, edited, command)
	return shown
}

// otherPaths shows spellings of a path that are no part of the one a reader sees.
func (b *builder) otherPaths(item profile.View, uri string) {
	if old := item.Str(pathOldURI); old != uri && old != pathItem(item) {
		b.fact("Old path", old)
	}
	for _, f := range [...]profile.Field{pathIn, pathOldIn} {
		item.EachEntry(f, func(key, value string) bool {
			if !strings.Contains(uri, key) || !strings.Contains(uri, value) {
				b.fact(key, value)
			}
			return true
		})
	}
}

// rareEdit shows parts of an action that no known version fills.
func (b *builder) rareEdit(spec, edited, command profile.View) {
	b.flat("Target", command.Sub(editContext))
	b.flat("Target", command.Sub(editSubrange))
	b.code("Target content", "", command.Sub(editTarget).Str(targetOld))
	b.fact("Classification", command.Str(editClass))
	b.codeItems(command, editReferences)
	b.codeItems(spec.Sub(specCreate), createReferences)
	if sed := spec.Sub(specSed); sed.Valid() {
		b.fact("File", pathItem(sed.Sub(sedPath)))
		b.otherPaths(sed.Sub(sedPath), pathItem(sed.Sub(sedPath)))
		b.factList("Expression", sed, sedExpressions)
		sed.EachEntry(sedContent, func(key, value string) bool {
			b.code(key, languageOf(key), value)
			return true
		})
	}
	b.code("Context before", "", edited.Str(editedPrefix))
	b.code("Context after", "", edited.Str(editedSuffix))
	b.codeItems(edited, editedCCIs)
	edited.Sub(editedDebug).EachEntry(debugEntries, func(key, value string) bool {
		b.fact(key, value)
		return true
	})
}

// storedDiff shows a diff the product stored. original is the old text, content the new one, as far as they were stored.
func (b *builder) storedDiff(c change, block profile.View, original string, hasOriginal bool, content string) bool {
	lines := b.storedLines(block.Sub(diffUnified))
	if len(lines) == 0 {
		return false
	}
	c.firstLine = uint32(max(block.Int(diffStart), 0)) + 1
	same := content != "" && sideIs(lines, '+', content)
	known := same || hasOriginal && sideIs(lines, '-', original)
	lines = endings(lines, known)
	b.a.scratch.lines = lines
	shown := b.diff(c, lines)
	if !shown && hasOriginal {
		b.fact("File", c.uri)
		b.info("The file stayed as it was.")
		shown = true
	}
	if content != "" && !same {
		b.code("Asked for", languageOf(c.uri), content)
	}
	return shown
}

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

// replacement shows one replaced text: as a diff when its place is certain, otherwise as two texts.
func (b *builder) replacement(c change, target, replacement string, first, last int64) {
	lines := splitLines(b.a.scratch.lines[:0], target, '-')
	if first > 0 && last-first+1 == int64(trimmedLen(lines)) {
		n := trimmedLen(lines)
		lines = splitLines(lines[:n], replacement, '+')
		b.a.scratch.lines = lines
		c.firstLine = uint32(first)
		b.diff(c, sharedEnds(lines[:n+trimmedLen(lines[n:])], n))
		return
	}
	b.a.scratch.lines = lines
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
		if fuzzy := r.Str(replacedFuzzy); fuzzy != "" && fuzzy != chunk.Str(chunkTarget) && !b.contains(fuzzy) {
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

func fileChange(b *builder, v profile.View) {
	c := change{uri: v.Str(changeURI), kind: "edit"}
	switch v.Enum(changeType) {
	case "CREATE":
		c.kind = "create"
	case "DELETE":
		c.kind = "delete"
	}
	b.summaryOf(c.uri, 0, 0)
	b.plain("Instruction", v.Str(changeInstruction))
	shown := b.storedDiff(c, v.Sub(changeDiff), "", false, "")
	if !shown {
		shown = b.chunks(c, v, changeChunks)
	}
	if !shown {
		b.fact("File", c.uri)
		b.fact("Change", c.kind)
	}
	b.replacements(v, changeReplaced, shown)
	b.fallback(v.Sub(changeFallback), profile.View{}, shown)
	b.factTrue("Overwrite", v, changeOverwrite)
}

func writeToFile(b *builder, v profile.View) {
	c := change{uri: v.Str(writeURI), kind: "edit"}
	if v.Bool(writeCreated) {
		c.kind = "create"
	}
	b.summaryOf(c.uri, 0, 0)
	b.a.scratch.texts = b.a.scratch.texts[:0]
	v.EachStr(writeContent, func(s string) bool {
		b.a.scratch.texts = append(b.a.scratch.texts, s)
		return true
	})
	content := b.a.lines(b.a.scratch.texts)
	if !b.storedDiff(c, v.Sub(writeDiff), "", false, content) {
		b.fact("File", c.uri)
		b.code("New content", languageOf(c.uri), content)
	}
	b.factEnum("Answer of the person", v, writeAck)
}

// diagnostics shows one line for each diagnostic of a repeated field.
func (b *builder) diagnostics(label string, v profile.View, f profile.Field) {
	list := b.a.scratch.texts[:0]
	v.Each(f, func(d profile.View) bool {
		line := b.a.number(int64(d.Sub(diagnosticRange).Sub(rangeStart).Uint(positionRow)) + 1)
		list = append(list, b.a.join(d.Str(diagnosticURI), ":", line, ": ", d.Str(diagnosticSeverity), " ",
			d.Str(diagnosticMessage), " ", d.Str(diagnosticSource), " ", d.Str(diagnosticID)))
		return true
	})
	b.a.scratch.texts = list
	b.code(label, "", b.a.lines(list))
}

func (b *builder) compiled(label string, v profile.View, f profile.Field) {
	list := b.a.scratch.texts[:0]
	v.Each(f, func(d profile.View) bool {
		list = append(list, b.a.join(d.Str(compiledPath), ":", b.a.number(d.Int(compiledLine)), ": ",
			d.Str(compiledMessage), " ", d.Str(compiledSymbol)))
		return true
	})
	b.a.scratch.texts = list
	b.code(label, "", b.a.lines(list))
}
