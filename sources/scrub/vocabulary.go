package scrub

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A set of words.
type words map[string]bool

func wordsOf(list string) words {
	set := words{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// The product's own vocabulary. What is not listed here is taken for somebody's words, also where the product usually
// writes.
var (
	// tools are the names of the product's tools.
	tools = wordsOf(`ask_permission ask_question browser_subagent call_mcp_tool code_search define_subagent find_by_name
		generate_image grep_search invoke_subagent list_browser_pages list_dir list_permissions manage_subagents manage_task
		multi_replace_file_content open_browser_url read_url_content replace_file_content run_command schedule search_web
		send_message task_boundary view_file write_to_file`)
	// parameters are the names of their parameters, at any depth.
	parameters = wordsOf(`AbsolutePath Action AllowMultiple Arguments ArtifactMetadata AspectRatio Blocking CaseInsensitive
		CodeContent CommandLine Cwd Description DirectoryPath DurationSeconds EmptyFile EndLine Excludes Extensions FullPath
		ImageName ImagePaths Includes Input Instruction IsRegex MatchPerLine MaxDepth Message Overwrite PageIdToReplace Pattern
		Prompt Query Recipient RecordingName ReplacementChunks ReplacementContent RequestFeedback Role SafeToAutoRun
		SearchDirectory SearchPath ServerName StartLine Subagents Summary TargetContent TargetFile Task TaskId TaskName
		TaskSummary ToolName Type TypeName Url UserFacing WaitMsBeforeAsync
		default_answer domain explanation isMultiSelect is_multi_select options placeholder query question questions
		response_type toolAction toolSummary`)
	// mediaTypes are common ones.
	mediaTypes = wordsOf(`application/gzip application/javascript application/json application/octet-stream application/pdf
		application/xml application/yaml application/zip audio/mpeg audio/mp4 audio/ogg audio/wav audio/webm image/bmp
		image/gif image/heic image/jpeg image/png image/svg+xml image/tiff image/webp image/x-icon text/css text/csv text/html
		text/javascript text/markdown text/plain text/x-python text/xml video/mp4 video/quicktime video/webm`)
)

// kept are fields whose text may be of the product's vocabulary and decides how a step is read, with the words that stay.
// In a map entry the key is meant.
var kept = map[protoreflect.FullName]words{
	"exa.codeium_common_pb.ChatToolCall.name":           tools,
	"exa.codeium_common_pb.ChatToolCall.original_name":  tools,
	"exa.codeium_common_pb.Media.mime_type":             mediaTypes,
	"exa.codeium_common_pb.ImageData.mime_type":         mediaTypes,
	"exa.cortex_pb.CortexStepGeneric.ArgsEntry.key":     parameters,
	"exa.cortex_pb.GenericStepResult.MetadataEntry.key": wordsOf("tool_name task_id task_description"),
	"exa.cortex_pb.CortexStepSystemMessage.event_type":  wordsOf("task_notification"),
	"exa.cortex_pb.PreToolHookResult.decision":          wordsOf("allow ask deny"),
	"exa.cortex_pb.AccumulatedSection.key":              wordsOf("active_goal background_tasks file_diffs skill_used"),
}

// arguments are fields that hold JSON whose keys are a tool's parameters.
var arguments = map[protoreflect.FullName]bool{
	"exa.codeium_common_pb.ChatToolCall.arguments_json":          true,
	"exa.codeium_common_pb.ChatToolCall.original_arguments_json": true,
	"exa.cortex_pb.CortexStepGeneric.ArgsEntry.value":            true,
}

// anyPrefix comes before the name of a message in a google.protobuf.Any.
const anyPrefix = "type.googleapis.com/"
