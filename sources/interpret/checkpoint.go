package interpret

import (
	"agy-reader/sources/profile"
)

// checkpoint shows a compaction of the conversation. With intent_only it made a title and cut nothing; when that failed,
// what it stores as its summary is raw log lines, which nobody should read as one.
func checkpoint(b *builder, v profile.View) {
	failed := v.Bool(checkpointFailed)
	if v.Bool(checkpointOnly) {
		b.titleOnly(v)
	} else {
		b.summary("Checkpoint")
		b.fact("Title", v.Str(checkpointTitle))
		b.factInt("First step included", v, checkpointFirst)
		b.factInt("Last step included", v, checkpointLast)
		b.flushFacts("")
		if failed {
			b.warning("The model could not summarize; the product wrote the summary itself.")
		}
		b.markdown("Goal", v.Str(checkpointIntent))
	}
	if !v.Bool(checkpointOnly) || !v.Bool(checkpointFallback) {
		b.markdown("Summary", v.Str(checkpointSummary))
	}
	b.markdown("Changes", v.Str(checkpointCode))
	b.markdown("Memory", v.Str(checkpointMemory))
	b.requests(v)
	v.Each(checkpointArtifact, b.snapshot)
	v.Each(checkpointDiffs, b.fileDiff)
	for _, part := range checkpointParts {
		n := 0
		v.Each(part.field, func(item profile.View) bool {
			n++
			b.flat(b.a.join(part.label, " ", b.a.number(int64(n))), item)
			return true
		})
	}
	b.factList("Log", v, checkpointLogs)
}

var checkpointParts = [...]labeled{
	{label: "Edited file", field: checkpointEdited},
	{label: "Subagent", field: checkpointAgents},
	{label: "Running task", field: checkpointTasks},
	{label: "Section", field: checkpointSections},
}

// titleOnly says what came of making a title.
func (b *builder) titleOnly(v profile.View) {
	title := v.Str(checkpointTitle)
	if title == "" {
		title = v.Str(checkpointIntent)
	}
	if v.Bool(checkpointFailed) {
		b.summary("Title was not made")
		b.warning("The product tried to make a title for the conversation, and the model failed.")
	} else {
		b.summary(title)
		b.info("The product made a title for the conversation. Nothing was cut.")
	}
	b.fact("Title", title)
	if i := v.Str(checkpointIntent); i != title {
		b.fact("Intent", i)
	}
	b.flushFacts("")
}

func (b *builder) requests(v profile.View) {
	v.EachStr(checkpointRequests, func(s string) bool {
		b.markdown("Request", s)
		return true
	})
}

// snapshot shows an artifact as it was at a checkpoint.
func (b *builder) snapshot(v profile.View) bool {
	uri := v.Str(snapshotURI)
	b.fact("Artifact", v.Str(snapshotTitle))
	b.fact("File", uri)
	if r := v.Sub(snapshotReview).Str(reviewURI); r != uri {
		b.fact("Reviewed file", r)
	}
	b.factEnum("Review", v.Sub(snapshotReview), reviewStatus)
	b.artifact(v.Sub(snapshotMeta))
	b.flushFacts("Artifact")
	content := v.Str(snapshotContent)
	b.code("Artifact", languageOf(uri), content)
	if r := v.Sub(snapshotReview).Str(reviewContent); r != content {
		b.code("As last reviewed", languageOf(uri), r)
	}
	return true
}

// fileDiff shows what a conversation changed in one file. Both whole texts are stored.
func (b *builder) fileDiff(v profile.View) bool {
	uri, old, fresh := v.Str(fileDiffURI), v.Str(fileDiffOld), v.Str(fileDiffNew)
	c := change{uri: uri, kind: "edit"}
	switch {
	case !v.Has(fileDiffOld):
		c.kind = "create"
	case !v.Has(fileDiffNew):
		c.kind = "delete"
	}
	if textsTooLong(old, fresh) {
		b.longTexts(c, old, fresh)
		return true
	}
	lines := splitLines(b.a.scratch.lines[:0], old, '-')
	n := len(lines)
	lines = splitLines(lines, fresh, '+')
	b.a.scratch.lines = lines
	lines = endings(sharedEnds(lines, n), true)
	if !b.diff(c, lines) {
		b.fact("File without a change", uri)
	}
	return true
}
