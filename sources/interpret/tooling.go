package interpret

import (
	"slices"

	"agy-reader/sources/profile"
)

func generateImageStep(b *builder, v profile.View) {
	b.summary(v.Str(generateName))
	b.fact("Image", v.Str(generateName))
	b.fact("Model", v.Str(generateModel))
	b.fact("Aspect ratio", v.Str(generateRatio))
	b.factList("Made from", v, generatePaths)
	b.flushFacts("")
	b.plain("Prompt", v.Str(generatePrompt))
	b.media("", v.Sub(generateMedia))
	b.image("", v.Sub(generateImage))
}

func askQuestion(b *builder, v profile.View) {
	v.Each(askQuestions, func(q profile.View) bool {
		b.summary(q.Str(questionText))
		chosen := b.a.scratch.texts[:0]
		q.EachStr(questionChosen, func(id string) bool {
			chosen = append(chosen, id)
			return true
		})
		b.a.scratch.texts = chosen
		known := 0
		q.Each(questionOption, func(o profile.View) bool {
			if b.option(o.Str(optionID), o.Str(optionText), chosen) {
				known++
			}
			return true
		})
		b.question(q.Str(questionText), q.Str(questionWrote), q.Bool(questionMulti), q.Bool(questionSkip))
		if known < len(chosen) {
			b.factList("Chosen", q, questionChosen)
		}
		return true
	})
}

// option remembers one option of the next question and reports whether it was chosen.
func (b *builder) option(id, text string, chosen []string) bool {
	o := b.a.cells.option.next()
	o.Id, o.Text = id, text
	o.Selected = slices.Contains(chosen[:min(len(chosen), maxCompared)], id)
	b.a.scratch.option = append(b.a.scratch.option, o)
	return o.Selected
}

// question adds a question with the options remembered so far.
func (b *builder) question(text, written string, multi, skipped bool) {
	options := b.a.scratch.option
	b.a.scratch.option = options[:0]
	n := len(text) + len(written) + 32
	for _, o := range options {
		n += len(o.Text) + 8
	}
	buf := append(b.a.texts.open(n), text...)
	for _, o := range options {
		mark := "\n[ ] "
		if o.Selected {
			mark = "\n[x] "
		}
		buf = append(append(buf, mark...), o.Text...)
	}
	switch {
	case skipped:
		buf = append(buf, "\nSkipped."...)
	case written != "":
		buf = append(append(buf, "\nAnswer: "...), written...)
	}
	plain := b.a.texts.closeText(buf)
	c := b.a.cells.question.next()
	d := &c.detail
	d.Text, d.Options, d.MultiSelect = text, b.a.lists.options.keep(options), multi
	d.WrittenAnswer, d.Skipped = written, skipped
	c.wrap.Question = d
	c.block.Detail = &c.wrap
	b.push(&c.block, "question", "", plain)
}

func mcpTool(b *builder, v profile.View) {
	server, call := v.Str(mcpServer), v.Sub(mcpCall)
	b.summary(b.a.join(server, " ", call.Str(callName)))
	b.fact("Server", server)
	b.fact("Tool", call.Str(callName))
	if info := v.Sub(mcpInfo); info.Valid() {
		b.fact("Server name", info.Str(mcpInfoName))
		b.fact("Server version", info.Str(mcpInfoVersion))
	}
	b.flushFacts("")
	if !b.sameAsCall(call) {
		b.otherCall("Call of the server", call)
	}
	if v.Bool(mcpRejected) {
		b.warning("The person did not allow this call.")
	}
	b.plain("Progress", v.Str(mcpProgress))
	b.code("Result", "", v.Str(mcpResult))
	b.fact("Result saved as", v.Str(mcpResultURI))
	b.imageList("", v, mcpImages)
	b.mediaList("", v, mcpMedia)
	b.rendered(v.Sub(mcpRender))
	v.EachEntry(mcpMetadata, func(key, value string) bool {
		b.fact(key, value)
		return true
	})
}

// sameAsCall reports whether a stored call says no more than the call of the step.
func (b *builder) sameAsCall(v profile.View) bool {
	c := b.step.GetCall()
	return !v.Valid() || v.Str(callID) == c.GetId() && v.Str(callArguments) == c.GetArgumentsJson() && v.Str(callInvalid) == ""
}

// heading returns the title the product gives a step, with the verb before it.
func (b *builder) heading(v profile.View) string {
	prefix, title := v.Str(renderPrefix), v.Str(renderTitle)
	if prefix == "" || title == "" {
		return prefix + title
	}
	return b.a.join(prefix, " ", title)
}

// rendered shows how the product itself presents a step, as far as nothing else says it.
func (b *builder) rendered(v profile.View) {
	b.fact("Title", b.heading(v))
	if m := v.Str(renderMarkdown); !b.contains(m) {
		b.markdown("", m)
	}
	v.EachEntry(renderMetadata, func(key, value string) bool {
		b.fact(key, value)
		return true
	})
}

func listResources(b *builder, v profile.View) {
	b.summary(v.Str(resourcesServer))
	b.fact("Server", v.Str(resourcesServer))
	b.fact("Cursor", v.Str(resourcesCursor))
	b.fact("Next", v.Str(resourcesNext))
	b.flushFacts("")
	v.Each(resourcesList, func(r profile.View) bool {
		b.addResult(r.Str(resourceName), r.Str(resourceURI), b.a.join(r.Str(resourceDescription), " ", r.Str(resourceMime)))
		return true
	})
	if len(b.a.scratch.web) == 0 {
		b.info("The server has no resources.")
	}
	b.webResults(v.Str(resourcesServer))
}

func readResource(b *builder, v profile.View) {
	b.summary(v.Str(resourceAsked))
	b.fact("Server", v.Str(resourceServer))
	b.fact("URI", v.Str(resourceAsked))
	v.Each(resourceContents, func(c profile.View) bool {
		if uri := c.Str(contentURI); uri != v.Str(resourceAsked) {
			b.fact("Part", uri)
		}
		b.fact("Type", c.Sub(contentText).Str(dataMime))
		b.code("Content", "", c.Sub(contentText).Str(dataText))
		b.image("", c.Sub(contentImage))
		b.media("", c.Sub(contentMedia))
		return true
	})
	if v.Bool(resourceSkipped) {
		b.info("Binary content was left out by the product.")
	}
}

func memoryStep(b *builder, v profile.View) {
	b.summary(v.Sub(memoryNow).Str(memoryTitle))
	b.factEnum("Action", v, memoryAction)
	b.fact("Memory id", v.Str(memoryID))
	b.memory("", v.Sub(memoryNow))
	b.memory("Before", v.Sub(memoryBefore))
}

func (b *builder) memory(label string, m profile.View) {
	if !m.Valid() {
		return
	}
	b.fact("Title", m.Str(memoryTitle))
	b.fact("Id", m.Str(memoryOwnID))
	b.factList("Tag", m.Sub(memoryMeta), memoryTags)
	b.flushFacts(label)
	b.markdown(label, m.Sub(memoryText).Str(memoryBody))
	b.flat("Scope", m.Sub(memoryScope))
	b.flushFacts("")
}

func retrieveMemory(b *builder, v profile.View) {
	b.summary(v.Str(retrieveReason))
	b.plain("Reason", v.Str(retrieveReason))
	b.markdown("Summary", v.Str(retrieveCascade))
	b.markdown("Summary of the person's memories", v.Str(retrieveUser))
	v.Each(retrieveMemories, func(m profile.View) bool {
		b.memory("Memory", m)
		return true
	})
}
