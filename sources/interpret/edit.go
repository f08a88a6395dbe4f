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
		if shown = b.chunks(c, command, editChunks); !shown && create.Valid() {
			b.fact("File", c.uri)
			b.code("New content", languageOf(c.uri), content)
			shown = content != ""
		}
		if shown {
			b.notMade()
		}
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
	stored := block.Sub(diffUnified)
	if storedTooLong(stored) {
		b.longStored(c, stored)
		b.code("Asked for", languageOf(c.uri), content)
		return true
	}
	lines := b.storedLines(stored)
	if len(lines) == 0 {
		return false
	}
	c.firstLine = uint32(max(block.Int(diffStart), 0)) + 1
	same := content != "" && sideIs(lines, '+', content)
	known := same || hasOriginal && sideIs(lines, '-', original)
	lines = endings(lines, known)
	b.a.scratch.lines = lines
	if c.kind == "create" && lastOf(lines, '-') >= 0 {
		// The product says so of a file it wrote anew, too.
		c.kind = "edit"
	}
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
