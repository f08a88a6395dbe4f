package interpret

import "agy-reader/sources/profile"

// handler shows one kind of body.
type handler func(b *builder, v profile.View)

var browserHandlers = func() map[string]handler {
	m := make(map[string]handler, len(browserSteps))
	for name, s := range browserSteps {
		m[name] = browser(s)
	}
	return m
}()

// show shows a body by the name of its field. A kind without a form of its own is shown as the profile says, else value by
// value.
func (b *builder) show(name string, v profile.View) {
	if h := handlerOf(name); h != nil {
		h(b, v)
		return
	}
	if f := b.ip.forms[name]; f != nil {
		b.declared(f, v)
		return
	}
	b.generic(v)
}

// handlerOf returns the handler of a body, and nil when its kind has no form of its own.
func handlerOf(name string) handler {
	switch name {
	case "user_input":
		return userInput
	case "planner_response":
		return plannerResponseStep
	case "run_command":
		return runCommandStep
	case "send_command_input":
		return sendCommandInput
	case "command_status":
		return commandStatus
	case "read_terminal":
		return readTerminal
	case "shell_exec":
		return shellExec
	case "clipboard":
		return clipboard
	case "view_file":
		return viewFile
	case "view_file_outline":
		return viewFileOutline
	case "view_code_item":
		return viewCodeItem
	case "list_directory":
		return listDirectory
	case "delete_directory":
		return deleteDirectory
	case "move":
		return move
	case "code_action":
		return codeAction
	case "propose_code":
		return proposeCode
	case "write_to_file":
		return writeToFile
	case "file_change":
		return fileChange
	case "grep_search":
		return grepSearch
	case "find":
		return find
	case "code_search":
		return codeSearch
	case "find_all_references":
		return findAllReferences
	case "internal_search":
		return internalSearch
	case "search_web":
		return searchWeb
	case "read_url_content":
		return readURLContent
	case "view_content_chunk":
		return viewContentChunk
	case "mcp_tool":
		return mcpTool
	case "list_resources":
		return listResources
	case "read_resource":
		return readResource
	case "generate_image":
		return generateImageStep
	case "ask_question":
		return askQuestion
	}
	return laterHandler(name)
}

// laterHandler is handlerOf for steps that are not plain tools.
func laterHandler(name string) handler {
	switch name {
	case "invoke_subagent":
		return invokeSubagent
	case "browser_subagent":
		return browserSubagent
	case "agency_tool_call":
		return agencyToolCall
	case "task_boundary":
		return taskBoundary
	case "notify_user":
		return notifyUser
	case "memory":
		return memoryStep
	case "retrieve_memory":
		return retrieveMemory
	case "checkpoint":
		return checkpoint
	case "error_message":
		return errorMessageStep
	case "ephemeral_message":
		return ephemeralMessage
	case "system_message":
		return systemMessageStep
	case "conversation_history":
		return conversationHistory
	case "knowledge_artifacts":
		return knowledgeArtifacts
	case "directory_rules":
		return directoryRules
	case "finish":
		return finishStep
	case "suggested_responses":
		return suggestedResponses
	case "wait":
		return waitStep
	case "list_browser_pages":
		return listBrowserPages
	case "capture_browser_console_logs":
		return captureConsoleLogs
	}
	return browserHandlers[name]
}
