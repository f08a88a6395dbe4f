package interpret

import (
	"strconv"
	"strings"
)

// toolForm is how the result of a tool looks that the product stores without a typed body.
type toolForm struct {
	// kind is the step kind of the typed body; empty when there is none.
	kind string
	// needs is the argument without which the form says nothing.
	needs string
	// uses are the arguments the form shows or that carry no content.
	uses []string
	show func(b *builder, args []argument, result string)
}

// tools are the tools with a form of their own, by the name the model calls them.
var tools = map[string]*toolForm{
	"run_command": {
		"RUN_COMMAND", "CommandLine",
		[]string{"CommandLine", "Cwd", "WaitMsBeforeAsync", "Blocking", "SafeToAutoRun"},
		toolRunCommand,
	},
	"view_file": {
		"VIEW_FILE", "AbsolutePath",
		[]string{"AbsolutePath", "StartLine", "EndLine"},
		toolViewFile,
	},
	"write_to_file": {
		"CODE_ACTION", "TargetFile",
		[]string{"TargetFile", "CodeContent", "Description", "Overwrite", "EmptyFile"},
		toolWrite,
	},
	"replace_file_content": {
		"CODE_ACTION", "TargetFile",
		[]string{"TargetFile", "TargetContent", "ReplacementContent", "StartLine", "EndLine", "Description", "Instruction", "AllowMultiple"},
		toolReplace,
	},
	"multi_replace_file_content": {
		"CODE_ACTION", "ReplacementChunks",
		[]string{"TargetFile", "ReplacementChunks", "Description", "Instruction"},
		toolReplaceMany,
	},
	"grep_search": {
		"GREP_SEARCH", "Query",
		[]string{"Query", "SearchPath", "Includes", "IsRegex", "CaseInsensitive", "MatchPerLine"},
		toolGrep,
	},
	"list_dir": {
		"LIST_DIRECTORY", "DirectoryPath",
		[]string{"DirectoryPath"},
		toolList,
	},
	"find_by_name": {
		"FIND", "Pattern",
		[]string{"Pattern", "SearchDirectory", "Excludes", "Extensions", "Type", "MaxDepth", "FullPath"},
		toolFind,
	},
	"search_web": {
		"SEARCH_WEB", "query",
		[]string{"query", "domain"},
		toolSearchWeb,
	},
	"read_url_content": {
		"READ_URL_CONTENT", "Url",
		[]string{"Url"},
		toolReadURL,
	},
	"generate_image": {
		"GENERATE_IMAGE", "Prompt",
		[]string{"Prompt", "ImageName", "AspectRatio", "ImagePaths"},
		toolGenerateImage,
	},
	"ask_question": {
		"ASK_QUESTION", "questions",
		[]string{"questions"},
		toolAsk,
	},
	"invoke_subagent": {
		"INVOKE_SUBAGENT", "Subagents",
		[]string{"Subagents"},
		toolInvoke,
	},
	"send_message": {
		"", "Message",
		[]string{"Message", "Recipient"},
		toolSend,
	},
	"call_mcp_tool": {
		"MCP_TOOL", "ToolName",
		[]string{"ServerName", "ToolName", "Arguments"},
		toolMCP,
	},
	"code_search": {
		"CODE_SEARCH", "Query",
		[]string{"Query"},
		toolCodeSearch,
	},
}

func toolRunCommand(b *builder, args []argument, result string) {
	b.command(command{
		line: arg(args, "CommandLine"), cwd: arg(args, "Cwd"), exit: b.statedExit(result), background: b.step.GetTaskId() != "",
	})
	b.code("Output", "", result)
}

// statedExit reads the exit code out of the sentence the product puts before a command's output; nil when it says none.
func (b *builder) statedExit(result string) *int32 {
	line := b.a.oneLine(result)
	if line == "The command completed successfully." {
		return b.a.int32(0)
	}
	rest, ok := strings.CutPrefix(line, "The command ")
	if !ok {
		return nil
	}
	for _, words := range [...]string{"exit code: ", "exit code ", "with code "} {
		if _, number, found := strings.Cut(rest, words); found {
			n, err := strconv.ParseInt(strings.TrimRight(number, ". "), 10, 32)
			if err != nil {
				return nil
			}
			return b.a.int32(int32(n))
		}
	}
	return nil
}

// file returns the URI of a path argument, as typed steps have it. A path that its URI does not hold is shown as well.
func (b *builder) file(path string) string {
	uri := uriOf(path)
	if !strings.Contains(uri, path) {
		b.fact("Path", path)
	}
	return uri
}

func toolViewFile(b *builder, args []argument, result string) {
	uri := b.file(arg(args, "AbsolutePath"))
	first, _ := strconv.ParseUint(arg(args, "StartLine"), 10, 32)
	last, _ := strconv.ParseUint(arg(args, "EndLine"), 10, 32)
	b.summaryOf(uri, first, last)
	b.fileView("", uri, result, first, last, 0, 0)
}

func toolWrite(b *builder, args []argument, _ string) {
	uri, content := b.file(arg(args, "TargetFile")), arg(args, "CodeContent")
	b.describe(args, uri)
	if arg(args, "Overwrite") == "true" || !b.done() {
		b.fact("File", uri)
		b.code("New content", languageOf(uri), content)
		b.notMade()
		return
	}
	if textsTooLong("", content) {
		b.longTexts(change{uri: uri, kind: "create"}, "", content)
		return
	}
	lines := splitLines(b.a.scratch.lines[:0], content, '+')
	b.a.scratch.lines = lines
	if !b.diff(change{uri: uri, kind: "create"}, endings(lines, true)) {
		b.fact("File", uri)
		b.info("An empty file was made.")
	}
}

func toolReplace(b *builder, args []argument, _ string) {
	uri := b.file(arg(args, "TargetFile"))
	b.describe(args, uri)
	b.replaceOne(change{uri: uri, kind: "edit"}, args)
	b.notMade()
}

func toolReplaceMany(b *builder, args []argument, _ string) {
	uri := b.file(arg(args, "TargetFile"))
	b.describe(args, uri)
	for _, chunk := range b.a.elements(arg(args, "ReplacementChunks")) {
		b.replaceOne(change{uri: uri, kind: "edit"}, b.a.members(nil, chunk))
	}
	b.notMade()
}

// done reports whether the step ran to its end: a call that did not made no change.
func (b *builder) done() bool { return b.step.GetStatus() == "DONE" }

// notMade says that a change which only the call tells of was not made.
func (b *builder) notMade() {
	if !b.done() {
		b.info("This change was asked for; the step does not say that it was made.")
	}
}

// describe shows what the model said an edit is for.
func (b *builder) describe(args []argument, uri string) {
	b.summary(arg(args, "Description"))
	b.summaryOf(uri, 0, 0)
	if d := arg(args, "Description"); !b.holds(d) {
		b.plain("Description", d)
	}
	if i := arg(args, "Instruction"); !b.holds(i) {
		b.plain("Instruction", i)
	}
}

func (b *builder) replaceOne(c change, args []argument) {
	first, _ := strconv.ParseInt(arg(args, "StartLine"), 10, 32)
	last, _ := strconv.ParseInt(arg(args, "EndLine"), 10, 32)
	b.replacement(c, arg(args, "TargetContent"), arg(args, "ReplacementContent"), first, last)
}

// changeFromCall shows the change that a call asked for, for an edit of which the product stored neither. It reports
// whether the call said enough.
func (b *builder) changeFromCall() bool {
	call := b.step.GetCall()
	t := tools[call.GetName()]
	if t == nil || t.kind != "CODE_ACTION" {
		return false
	}
	args := b.a.members(b.a.scratch.args[:0], call.GetArgumentsJson())
	b.a.scratch.args = args
	if arg(args, t.needs) == "" {
		return false
	}
	t.show(b, args, "")
	return true
}

func toolGrep(b *builder, args []argument, result string) {
	b.summary(arg(args, "Query"))
	b.fact("Query", arg(args, "Query"))
	b.fact("In", b.file(arg(args, "SearchPath")))
	b.fact("Only", arg(args, "Includes"))
	b.yes("Regular expression", arg(args, "IsRegex"))
	b.yes("Ignores case", arg(args, "CaseInsensitive"))
	b.code("Output", "", result)
}

func (b *builder) yes(key, value string) {
	if value == "true" {
		b.fact(key, "yes")
	}
}

func toolFind(b *builder, args []argument, result string) {
	b.summary(arg(args, "Pattern"))
	b.fact("Pattern", arg(args, "Pattern"))
	b.fact("In", arg(args, "SearchDirectory"))
	b.fact("Exclude", arg(args, "Excludes"))
	b.fact("Ending", arg(args, "Extensions"))
	b.fact("Type", arg(args, "Type"))
	b.fact("Depth", arg(args, "MaxDepth"))
	b.yes("Whole path", arg(args, "FullPath"))
	b.code("Output", "", result)
}

func toolCodeSearch(b *builder, args []argument, result string) {
	b.summary(arg(args, "Query"))
	b.fact("Query", arg(args, "Query"))
	b.code("Output", "", result)
}

func toolSearchWeb(b *builder, args []argument, result string) {
	b.summary(arg(args, "query"))
	b.fact("Query", arg(args, "query"))
	b.fact("Domain", arg(args, "domain"))
	b.markdown("Answer", result)
}

func toolReadURL(b *builder, args []argument, result string) {
	b.summary(arg(args, "Url"))
	b.fact("URL", arg(args, "Url"))
	b.code("Content", "", result)
}

func toolGenerateImage(b *builder, args []argument, result string) {
	b.summary(arg(args, "ImageName"))
	b.fact("Image", arg(args, "ImageName"))
	b.fact("Aspect ratio", arg(args, "AspectRatio"))
	b.fact("Made from", arg(args, "ImagePaths"))
	b.flushFacts("")
	b.plain("Prompt", arg(args, "Prompt"))
	b.code("Result", "", result)
}

func toolSend(b *builder, args []argument, result string) {
	b.summary(arg(args, "Message"))
	b.fact("To", arg(args, "Recipient"))
	b.markdown("Message", arg(args, "Message"))
	b.code("Result", "", result)
}

func toolMCP(b *builder, args []argument, result string) {
	server, name := arg(args, "ServerName"), arg(args, "ToolName")
	b.summary(b.a.join(server, " ", name))
	b.fact("Server", server)
	b.fact("Tool", name)
	b.flushFacts("")
	b.json("Arguments", arg(args, "Arguments"))
	b.code("Result", "", result)
}
