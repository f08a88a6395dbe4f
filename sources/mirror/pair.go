package mirror

import (
	"maps"
	"slices"
)

const (
	errorKind   = "ERROR_MESSAGE"
	plannerKind = "PLANNER_RESPONSE"
)

// scaffolding are kinds of steps that answer no call, whatever their source says.
var scaffolding = map[string]bool{
	"USER_INPUT": true, "PLANNER_RESPONSE": true, "ERROR_MESSAGE": true, "CHECKPOINT": true, "SYSTEM_MESSAGE": true,
	"EPHEMERAL_MESSAGE": true, "CONVERSATION_HISTORY": true, "KNOWLEDGE_ARTIFACTS": true, "KNOWLEDGE_GENERATION": true,
	"KI_INSERTION": true, "DIRECTORY_RULES": true, "SUGGESTED_RESPONSES": true, "DUMMY": true, "FINISH": true,
	"PLAN_INPUT": true,
}

// kindOf maps tools to the kind of step that answers them, as the product named it before every result was GENERIC.
var kindOf = map[string]string{
	"run_command": "RUN_COMMAND", "view_file": "VIEW_FILE", "list_dir": "LIST_DIRECTORY", "grep_search": "GREP_SEARCH",
	"write_to_file": "CODE_ACTION", "replace_file_content": "CODE_ACTION", "multi_replace_file_content": "CODE_ACTION",
	"find_by_name": "FIND", "search_web": "SEARCH_WEB", "read_url_content": "READ_URL_CONTENT",
	"generate_image": "GENERATE_IMAGE", "ask_question": "ASK_QUESTION", "invoke_subagent": "INVOKE_SUBAGENT",
	"browser_subagent": "BROWSER_SUBAGENT", "call_mcp_tool": "MCP_TOOL", "code_search": "CODE_SEARCH",
	"command_status": "COMMAND_STATUS", "send_command_input": "SEND_COMMAND_INPUT", "view_file_outline": "VIEW_FILE_OUTLINE",
	"view_code_item": "VIEW_CODE_ITEM", "task_boundary": "TASK_BOUNDARY", "notify_user": "NOTIFY_USER",
	"read_terminal": "READ_TERMINAL", "list_resources": "LIST_RESOURCES", "read_resource": "READ_RESOURCE",
}

// typed are the kinds that only their own tools give.
var typed = func() map[string]bool {
	m := make(map[string]bool)
	for _, kind := range kindOf {
		m[kind] = true
	}
	return m
}()

// pair joins results to the calls they answer. A log has no ids: answers follow the line that called, in the order of the
// calls. Where steps are missing in between, the kind of a result decides which call was skipped.
func (l *Log) pair() {
	l.pairList(l.marks)
	l.pairList(l.abandoned)
}

func (l *Log) pairList(list []mark) {
	for i := range list {
		if l.kind(&list[i]) != plannerKind || list[i].n == 0 {
			continue
		}
		var results, refusals []int
		for j := i + 1; j < len(list); j++ {
			kind := l.kind(&list[j])
			if kind == plannerKind || kind == "USER_INPUT" {
				break
			}
			switch {
			case kind == errorKind:
				refusals = append(refusals, j)
			case !scaffolding[kind]:
				results = append(results, j)
			}
		}
		if len(refusals)+len(results) <= int(list[i].n) {
			// An error can stand in the place of an answer. Only its text tells, so that decoding has the last word.
			results = append(results, refusals...)
			slices.Sort(results)
		}
		l.answer(list, i, results)
	}
}

// answer gives each result behind the planner its call.
func (l *Log) answer(list []mark, planner int, results []int) {
	p := &list[planner]
	tools := l.tools[p.link:min(int(p.link)+int(p.n), len(l.tools))]
	next := 0
	// alien are kinds that no later call gives: looking for one again would take as long as the list of calls is.
	alien := map[string]bool{}
	for n, j := range results {
		if next >= len(tools) {
			return
		}
		ordinal, kind := next, l.kind(&list[j])
		if len(results)-n < len(tools)-next || !tools[next].gives(kind) {
			// Fewer answers than calls, or another tool's: some step in between is not in the log.
			if alien[kind] {
				continue
			}
			skipped := slices.IndexFunc(tools[next:], func(tool toolClass) bool { return tool.gives(kind) })
			if skipped < 0 {
				alien[kind] = true
				continue
			}
			ordinal = next + skipped
		}
		if next == 0 {
			l.asked = append(l.asked, p.place())
		}
		list[j].link, list[j].n = uint32(len(l.asked)), uint16(ordinal)
		next = ordinal + 1
	}
}

// toolClass is what pairing needs to know of a tool: the kind of step that answers it, by its place in classKinds; 0 when
// that may be any.
type toolClass uint8

var (
	classKinds = append([]string{""}, slices.Sorted(maps.Keys(typed))...)
	classes    = func() map[string]toolClass {
		m := make(map[string]toolClass)
		for tool, kind := range kindOf {
			m[tool] = toolClass(slices.Index(classKinds, kind))
		}
		return m
	}()
)

// gives reports whether a step of this kind can answer a call of the tool.
func (t toolClass) gives(kind string) bool {
	return t == 0 || classKinds[t] == kind || !typed[kind]
}
