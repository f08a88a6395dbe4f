package interpret

import (
	"strings"

	"agy-reader/sources/profile"
)

func errorMessageStep(b *builder, v profile.View) {
	b.failure(v.Sub(errorStepError))
	if v.Has(errorStepForUser) && !v.Bool(errorStepForUser) {
		b.fact("Shown to the person", "no")
	}
}

func ephemeralMessage(b *builder, v profile.View) {
	b.plain("", v.Str(ephemeralContent))
	b.factList("Trigger", v, ephemeralTriggers)
	if len(b.a.scratch.facts) > 0 {
		b.summary(b.a.scratch.facts[0].GetValue())
	}
	b.mediaList("", v, ephemeralMedia)
	b.mediaList("Attachment", v, ephemeralAttachments)
	b.fact("Page structure", v.Str(ephemeralDOM))
}

func conversationHistory(b *builder, v profile.View) {
	b.plain("", v.Str(historyContent))
	if v.Str(historyContent) == "" {
		b.info("No earlier conversations were given.")
	}
}

func knowledgeArtifacts(b *builder, v profile.View) {
	b.plain("", v.Str(artifactContent))
}

// systemMessageStep shows a notice of the product or a message of another agent. The content is stored up to three times;
// the longest one is shown, and another only if it says something else.
func systemMessageStep(b *builder, v profile.View) {
	msg, render, agent := v.Str(systemMessage), v.Sub(systemRender), v.Sub(systemAgent)
	title := agent.Sub(agentRender).Str(agentTitle)
	if title == "" {
		title = render.Str(renderTitle)
	}
	b.step.Sender = agent.Str(agentSender)
	b.summary(title)
	b.fact("Title", title)
	b.fact("Event", v.Str(systemEvent))
	b.fact("From", agent.Str(agentSender))
	b.fact("To", agent.Str(agentRecipient))
	b.factEnum("Priority", agent, agentPriority)
	b.flushFacts("")
	b.plain("", msg)
	for _, more := range [...]string{agent.Str(agentContent), render.Str(renderMarkdown)} {
		if more != "" && !b.contains(more) && !strings.Contains(msg, more) {
			b.markdown("", more)
		}
	}
	b.summary(msg)
	if raw := agent.Bytes(agentPayload); len(raw) > 0 {
		b.carriedStep(raw)
	}
	b.fact("Message id", agent.Str(agentID))
	if t := agent.Sub(agentSource).Sub(sourceTool); t.Valid() {
		b.fact("About conversation", t.Str(sourceParent))
		b.factInt("About step", t, sourceStep)
		if call := t.Sub(sourceCall); call.Valid() {
			b.otherCall("About call", call)
		}
	}
	if t := b.heading(render); t != title {
		b.fact("Heading", t)
	}
	render.EachEntry(renderMetadata, func(key, value string) bool {
		b.fact(key, value)
		return true
	})
}

// carriedStep shows the body of a step that travels inside a message.
func (b *builder) carriedStep(raw []byte) {
	found := new(profile.Findings)
	if err := b.ip.profile.Check(stepMessage, raw, "", found); err != nil {
		const text = "The step inside this message could not be decoded."
		b.warning(text)
		if b.s.Want.Strict {
			b.refused = text
		}
		return
	}
	if b.s.Want.Strict {
		b.refused = firstUnknown(found)
	}
	b.row.found = append(b.row.found, collect(found, "systemMessage.agentMessage.stepPayload.")...)
	b.row.more += found.More
	name, v, ok := b.ip.res.View(stepMessage, raw, found).Which("step")
	if !ok {
		return
	}
	if name == "system_message" {
		// A message inside a message could go on for ever.
		b.generic(v)
		return
	}
	b.show(name, v)
}

func directoryRules(b *builder, v profile.View) {
	b.summary("Rule files")
	b.factList("Rule file", v, rulesURIs)
}

func finishStep(b *builder, v profile.View) {
	b.summary(v.Str(finishText))
	b.markdown("", v.Str(finishText))
	v.EachEntry(finishOutput, func(key, value string) bool {
		b.fact(key, value)
		return true
	})
}

func suggestedResponses(b *builder, v profile.View) {
	b.factList("Suggestion", v, suggestions)
}

func waitStep(b *builder, v profile.View) {
	ms := v.Int(waitTime)
	b.summary(b.a.join("Wait ", b.a.number(ms), " ms"))
	b.fact("Waits for", b.a.join(b.a.number(ms), " ms"))
}
