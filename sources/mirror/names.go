package mirror

import "agy-reader/sources/profile"

// names are the fields this package writes.
var names profile.Names

const (
	coder  = "gemini_coder."
	cortex = "exa.cortex_pb."
	common = "exa.codeium_common_pb."
	diffs  = "exa.diff_action_pb."
)

func of(message string) func(field string) profile.Field {
	return func(field string) profile.Field { return names.Field(message, field) }
}

var (
	timeSeconds = of("google.protobuf.Timestamp")("seconds")
	timeNanos   = of("google.protobuf.Timestamp")("nanos")

	ofStep       = of(coder + "Step")
	stepType     = ofStep("type")
	stepStatus   = ofStep("status")
	stepMetadata = ofStep("metadata")
	stepError    = ofStep("error")
	stepTask     = ofStep("task_details")

	stepUser       = ofStep("user_input")
	stepPlanner    = ofStep("planner_response")
	stepFailure    = ofStep("error_message")
	stepSystem     = ofStep("system_message")
	stepEphemeral  = ofStep("ephemeral_message")
	stepCheckpoint = ofStep("checkpoint")
	stepHistory    = ofStep("conversation_history")
	stepKnowledge  = ofStep("knowledge_artifacts")
	stepGeneric    = ofStep("generic")
	stepRun        = ofStep("run_command")
	stepView       = ofStep("view_file")
	stepAction     = ofStep("code_action")
	stepList       = ofStep("list_directory")
	stepGrep       = ofStep("grep_search")
	stepInvoke     = ofStep("invoke_subagent")
	stepWeb        = ofStep("search_web")
	stepBrowser    = ofStep("browser_subagent")
	stepImage      = ofStep("generate_image")
	stepQuestion   = ofStep("ask_question")

	ofMeta        = of(cortex + "CortexStepMetadata")
	metaCreated   = ofMeta("created_at")
	metaCompleted = ofMeta("completed_at")
	metaSource    = ofMeta("source")
	metaCall      = ofMeta("tool_call")
	metaSummary   = ofMeta("tool_summary")
	metaAction    = ofMeta("tool_action")
	metaUsage     = ofMeta("model_usage")

	ofUsage     = of(common + "ModelUsageStats")
	usageInput  = ofUsage("input_tokens")
	usageOutput = ofUsage("output_tokens")
	usageCached = ofUsage("cache_read_tokens")

	ofCall        = of(common + "ChatToolCall")
	callName      = ofCall("name")
	callArguments = ofCall("arguments_json")
	callWhy       = ofCall("invalid_json_err")

	ofError   = of(cortex + "CortexErrorDetails")
	errorUser = ofError("user_error_message")
	errorFor  = ofError("model_error_message")
	errorCode = ofError("error_code")

	ofTask   = of(coder + "TaskDetails")
	taskID   = ofTask("id")
	taskLog  = ofTask("log_uri")
	taskText = ofTask("description")

	userText    = of(cortex + "CortexStepUserInput")("user_response")
	userMedia   = of(cortex + "CortexStepUserInput")("media")
	mediaMime   = of(common + "Media")("mime_type")
	mediaURI    = of(common + "Media")("uri")
	historyText = of(cortex + "CortexStepConversationHistory")("content")
	factsText   = of(cortex + "CortexStepKnowledgeArtifacts")("content")
	fleeting    = of(cortex + "CortexStepEphemeralMessage")("content")

	ofPlanner       = of(cortex + "CortexStepPlannerResponse")
	plannerText     = ofPlanner("response")
	plannerModified = ofPlanner("modified_response")
	plannerThinking = ofPlanner("thinking")
	plannerCalls    = ofPlanner("tool_calls")

	failureError = of(cortex + "CortexStepErrorMessage")("error")

	ofSystem      = of(cortex + "CortexStepSystemMessage")
	systemText    = ofSystem("message")
	systemAgent   = ofSystem("agent_message")
	ofAgent       = of(cortex + "AgentMessage")
	agentSender   = ofAgent("sender")
	agentPriority = ofAgent("priority")
	agentContent  = ofAgent("content")

	ofCheckpoint       = of(cortex + "CortexStepCheckpoint")
	checkpointIntent   = ofCheckpoint("user_intent")
	checkpointOnly     = ofCheckpoint("intent_only")
	checkpointSummary  = ofCheckpoint("session_summary")
	checkpointRequests = ofCheckpoint("user_requests")
	checkpointLogs     = ofCheckpoint("conversation_log_uris")
	checkpointFailed   = ofCheckpoint("model_summarization_failed")
	checkpointFallback = ofCheckpoint("used_fallback_summary")

	genericArgs   = of(cortex + "CortexStepGeneric")("args")
	genericResult = of(cortex + "CortexStepGeneric")("result")
	resultText    = of(cortex + "GenericStepResult")("result")
	resultMedia   = of(cortex + "GenericStepResult")("media")

	ofRun       = of(cortex + "CortexStepRunCommand")
	runLine     = ofRun("command_line")
	runProposed = ofRun("proposed_command_line")
	runCwd      = ofRun("cwd")
	runExit     = ofRun("exit_code")
	runCombined = ofRun("combined_output")
	runStdout   = ofRun("stdout_output")
	runStderr   = ofRun("stderr_output")
	outputFull  = of(cortex + "RunCommandOutput")("full")

	ofView      = of(cortex + "CortexStepViewFile")
	viewURI     = ofView("absolute_path_uri")
	viewStart   = ofView("start_line")
	viewEnd     = ofView("end_line")
	viewContent = ofView("content")
	viewLines   = ofView("num_lines")
	viewBytes   = ofView("num_bytes")

	ofAction          = of(cortex + "CortexStepCodeAction")
	actionSpec        = ofAction("action_spec")
	actionResult      = ofAction("action_result")
	actionDescription = ofAction("description")
	actionInstruction = ofAction("code_instruction")
	specCreate        = of(cortex + "ActionSpec")("create_file")
	createContent     = of(cortex + "ActionSpecCreateFile")("instruction")
	createPath        = of(cortex + "ActionSpecCreateFile")("path")
	createOver        = of(cortex + "ActionSpecCreateFile")("overwrite")
	pathURI           = of(common + "PathScopeItem")("absolute_uri")
	resultEdit        = of(cortex + "ActionResult")("edit")
	editedURI         = of(cortex + "ActionResultEdit")("absolute_uri")

	ofList        = of(cortex + "CortexStepListDirectory")
	listURI       = ofList("directory_path_uri")
	listResults   = ofList("results")
	ofEntry       = of(cortex + "ListDirectoryResult")
	entryName     = ofEntry("name")
	entryIsDir    = ofEntry("is_dir")
	entryChildren = ofEntry("num_children")
	entrySize     = ofEntry("size_bytes")

	ofGrep      = of(cortex + "CortexStepGrepSearch")
	grepQuery   = ofGrep("query")
	grepPath    = ofGrep("search_path_uri")
	grepResults = ofGrep("results")
	grepNoCase  = ofGrep("case_insensitive")
	grepRegex   = ofGrep("is_regex")
	grepOnly    = ofGrep("includes")
	ofHit       = of(cortex + "GrepSearchResult")
	hitPath     = ofHit("absolute_path")
	hitLine     = ofHit("line_number")
	hitContent  = ofHit("content")

	ofInvoke     = of(cortex + "CortexStepInvokeSubagent")
	invokeSpecs  = ofInvoke("subagents")
	invokeResult = ofInvoke("results")
	ofSpec       = of(cortex + "SubagentSpec")
	specType     = ofSpec("type_name")
	specRole     = ofSpec("role")
	specPrompt   = ofSpec("initial_prompt")
	childID      = of(cortex + "SubagentResult")("conversation_id")
	childLog     = of(cortex + "SubagentResult")("log_absolute_uri")
	childSpaces  = of(cortex + "SubagentResult")("workspace_uris")
)
