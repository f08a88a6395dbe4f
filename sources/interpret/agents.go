package interpret

import (
	"slices"

	"agy-reader/sources/profile"
)

// children returns the conversation ids of the subagents a step started, in order, each once.
func (b *builder) children(v profile.View) []string {
	list := b.a.scratch.texts[:0]
	add := func(id string) {
		if id != "" && !slices.Contains(list[max(len(list)-maxCompared, 0):], id) {
			list = append(list, id)
		}
	}
	add(v.Str(invokeConversation))
	v.Each(invokeResults, func(r profile.View) bool {
		add(r.Str(childID))
		return true
	})
	b.a.scratch.texts = list
	return b.a.lists.strings.keep(list)
}

// reporter returns the conversation whose result an older invoke_subagent step carries itself.
func reporter(v profile.View) string {
	if v.Str(invokeResult) == "" {
		return ""
	}
	return v.Str(invokeConversation)
}

// placeOnly says what the step is, which subagents it started and who speaks in it, when nobody wants blocks.
func (b *builder) placeOnly(bd body) {
	switch bd.name {
	case "invoke_subagent":
		b.step.ChildConversationIds = b.children(bd.view)
		b.step.Sender = reporter(bd.view)
	case "system_message":
		b.step.Sender = bd.view.Sub(systemAgent).Str(agentSender)
	case "generic":
		if t, _ := b.form(bd.view); t != nil {
			b.toolKind(t)
			if t.kind == "INVOKE_SUBAGENT" {
				b.step.ChildConversationIds = b.startedBy(bd.view.Sub(genericResult).Str(resultText))
			}
		}
	}
}

func invokeSubagent(b *builder, v profile.View) {
	b.step.ChildConversationIds = b.children(v)
	b.step.Sender = reporter(v)
	b.summary(v.Str(invokeName))
	b.fact("Subagent", v.Str(invokeName))
	b.fact("Conversation", v.Str(invokeConversation))
	b.fact("Resumes", v.Str(invokeResumed))
	b.fact("Log", v.Str(invokeLog))
	b.factTrue("In the background", v, invokeBackground)
	b.factTrue("Sent to the background", v, invokeSent)
	b.flushFacts("Subagent")
	b.markdown("Task", v.Str(invokePrompt))
	var results []profile.View
	v.Each(invokeResults, func(r profile.View) bool {
		results = append(results, r)
		return true
	})
	v.Each(invokeSpecs, func(spec profile.View) bool {
		var result profile.View
		if len(results) > 0 {
			result, results = results[0], results[1:]
		}
		b.subagent(spec, result)
		return true
	})
	// Results beyond the last specification belong to no named subagent, but they name a conversation.
	for _, r := range results {
		b.subagent(profile.View{}, r)
	}
	b.markdown("Result", v.Str(invokeResult))
}

// subagent shows one child: who it is, where it works, what it was told.
func (b *builder) subagent(spec, result profile.View) {
	name := spec.Str(specRole)
	if name == "" {
		name = spec.Str(specType)
	}
	b.summary(name)
	b.fact("Subagent", spec.Str(specType))
	b.fact("Role", spec.Str(specRole))
	b.factEnum("Model", spec, specModel)
	b.factEnum("Model tier", spec, specTier)
	b.factTrue("Same workspace", spec, specInherit)
	b.fact("Branch", spec.Str(specBranch))
	b.fact("Workspace", spec.Str(specWorkspace))
	b.fact("Conversation", result.Str(childID))
	b.fact("Log", result.Str(childLog))
	b.factList("Works in", result, childWorkspaces)
	b.flushFacts("Subagent")
	b.markdown("Task", spec.Str(specPrompt))
}

func browserSubagent(b *builder, v profile.View) {
	b.summary(v.Str(browserTaskName))
	b.summary(v.Str(browserTask))
	b.fact("Name", v.Str(browserTaskName))
	b.fact("Summary", v.Str(browserTaskSummary))
	b.fact("Recording", v.Str(browserRecordingName))
	b.fact("Recording file", v.Str(browserRecording))
	b.factEnum("Recording state", v, browserRecordingState)
	b.fact("Subagent id", v.Str(browserAgentID))
	b.fact("Continues subagent", v.Str(browserReused))
	b.fact("Notes file", v.Str(browserScratchpad))
	if v.Bool(browserSkipped) {
		b.warning("The subagent was skipped.")
	}
	b.markdown("Task", v.Str(browserTask))
	b.markdown("Result", v.Str(browserResult))
	b.mediaList("", v, browserMedia)
}

func agencyToolCall(b *builder, v profile.View) {
	b.summary(v.Str(agencyFunction))
	b.fact("Agent", v.Str(agencyAgent))
	b.fact("Function", v.Str(agencyFunction))
	b.flushFacts("")
	v.Each(agencyRequests, func(m profile.View) bool {
		b.flat("Request", m)
		return true
	})
	v.Each(agencyResponses, func(m profile.View) bool {
		b.flat("Response", m)
		return true
	})
}

func taskBoundary(b *builder, v profile.View) {
	b.summary(v.Str(boundaryName))
	b.fact("Task", v.Str(boundaryName))
	b.fact("Status", v.Str(boundaryStatus))
	b.factEnum("Mode", v, boundaryMode)
	b.flushFacts("")
	b.pair("Summary", v.Str(boundarySummary), v.Str(boundaryCited))
	b.pair("Since the last summary", v.Str(boundaryDelta), v.Str(boundaryDeltaCite))
}

// pair shows a text and its form with citations, when that is another text.
func (b *builder) pair(label, text, cited string) {
	b.markdown(label, text)
	if cited != text {
		b.markdown(b.a.join(label, " with citations"), cited)
	}
}

func notifyUser(b *builder, v profile.View) {
	b.summary(v.Str(notifyContent))
	b.markdown("", v.Str(notifyContent))
	b.factList("For review", v, notifyReview)
	b.fact("Changes", v.Str(notifyDiffs))
	b.factTrue("Waits for an answer", v, notifyBlocking)
	b.factTrue("Asks for feedback", v, notifyFeedback)
	b.factTrue("Goes on by itself", v, notifyProceed)
	if v.Has(notifyScore) {
		b.fact("Confidence", b.a.decimal(v.Float(notifyScore)))
	}
	b.plain("Why this confidence", v.Str(notifyReason))
}
