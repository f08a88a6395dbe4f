package interpret

var (
	ofErrorStep      = in(cortex + "CortexStepErrorMessage")
	errorStepError   = ofErrorStep("error")
	errorStepForUser = ofErrorStep("should_show_user")

	ofEphemeral          = in(cortex + "CortexStepEphemeralMessage")
	ephemeralContent     = ofEphemeral("content")
	ephemeralMedia       = ofEphemeral("media")
	ephemeralTriggers    = ofEphemeral("triggered_heuristics")
	ephemeralAttachments = ofEphemeral("attachments")
	ephemeralDOM         = ofEphemeral("dom_tree_uri")

	historyContent  = in(cortex + "CortexStepConversationHistory")("content")
	artifactContent = in(cortex + "CortexStepKnowledgeArtifacts")("content")

	ofSystem      = in(cortex + "CortexStepSystemMessage")
	systemMessage = ofSystem("message")
	systemRender  = ofSystem("render_info")
	systemEvent   = ofSystem("event_type")
	systemAgent   = ofSystem("agent_message")

	ofAgent        = in(cortex + "AgentMessage")
	agentID        = ofAgent("id")
	agentRecipient = ofAgent("recipient")
	agentSender    = ofAgent("sender")
	agentContent   = ofAgent("content")
	agentPayload   = ofAgent("step_payload")
	agentPriority  = ofAgent("priority")
	agentRender    = ofAgent("render_details")
	agentSource    = ofAgent("source_metadata")
	agentTitle     = in(cortex + "AgentMessageRenderDetails")("message_title")
	sourceTool     = in(cortex + "SourceMetadata")("tool")
	ofSourceTool   = in(cortex + "ToolSourceMetadata")
	sourceParent   = ofSourceTool("conversation_id")
	sourceStep     = ofSourceTool("step_index")
	sourceCall     = ofSourceTool("tool_call")

	rulesURIs = in(cortex + "CortexStepDirectoryRules")("rule_file_uris")

	finishOutput = in(cortex + "CortexStepFinish")("output")
	finishText   = in(cortex + "CortexStepFinish")("output_string")

	suggestions = in(cortex + "CortexStepSuggestedResponses")("suggestions")
	waitTime    = in(cortex + "CortexStepWait")("duration_ms")
)
