package mirror_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// one converts a planner's line with one call and the line that answers it, and returns the answer.
func one(t *testing.T, call, line string) *document {
	t.Helper()
	return convert(t, store(t, map[string]string{fullLog: lines(said("0", "", "["+call+"]"), line)}))
}

// TestKinds: what the texts of results become.
func TestKinds(t *testing.T) {
	t.Parallel()
	run := `{"name":"run_command","args":{"CommandLine":"go test","Cwd":"/w"}}`
	view := `{"name":"view_file","args":{"AbsolutePath":"/w/a.txt"}}`
	grep := `{"name":"grep_search","args":{"Query":"foo","SearchPath":"/w"}}`
	for name, c := range map[string]struct{ call, kind, text, want string }{
		"command":           {run, "RUN_COMMAND", "\n\t\t\t\tThe command failed with exit code: 2\n\t\t\t\tOutput:\n\t\t\t\tbad\r\n\n", "command||go test\ncode|Output|bad\r\n"},
		"command, newer":    {run, "GENERIC", "\nThe command exited with code 0.\nOutput:\nok\n\n", "command||go test\ncode|Output|ok\n"},
		"command, two":      {run, "RUN_COMMAND", "\n\t\t\tThe command completed successfully.\n\t\t\tStdout:\n\t\t\tone\n\t\t\tStderr:\n\t\t\ttwo\n", "command||go test\ncode|Output|one\ncode|Error output|two"},
		"command, nothing":  {run, "RUN_COMMAND", "\nThe command completed successfully.\nOutput:\n\n", "command||go test"},
		"command, other":    {run, "RUN_COMMAND", "Something else", "command||go test\ncode|Output|Something else"},
		"file":              {view, "VIEW_FILE", "File Path: `file:///w/a.txt`\nTotal Lines: 9\nTotal Bytes: 99\nShowing lines 2 to 4\nThe following code.\n2: b\r\n3: \n4: 9: d\nThe above content does NOT show it.\n", "file_view||b\r\n\n9: d"},
		"file, whole":       {view, "VIEW_FILE", "File Path: `file:///w/a.txt`\nTotal Lines: 2\nTotal Bytes: 3\nShowing lines 1 to 2\nThe following code.\n1: a\n2: \nThe above content shows it.\n", "file_view||a\n"},
		"file, other":       {view, "VIEW_FILE", "binary", "file_view||binary"},
		"found":             {grep, "GREP_SEARCH", "{\"File\":\"/w/a\",\"LineNumber\":3,\"LineContent\":\"foo\"}\n", "key_values||Query: foo\nIn: file:///w\nsearch_hits||/w/a:3:foo"},
		"found nothing":     {grep, "GREP_SEARCH", "No results found", "key_values||Query: foo\nIn: file:///w\nnotice||Nothing was found."},
		"found, other":      {grep, "GREP_SEARCH", "{broken", "key_values||Query: foo\nIn: file:///w\ncode|Output|{broken"},
		"found, more":       {grep, "GREP_SEARCH", "{\"File\":\"/w/a\"}\n(2 more)", "key_values||Query: foo\nIn: file:///w\nsearch_hits||/w/a\ntext|Told to the model|(2 more)"},
		"directory":         {`{"name":"list_dir","args":{"DirectoryPath":"/w"}}`, "LIST_DIRECTORY", "{\"name\":\"a\", \"sizeBytes\":\"3\"}\n{\"name\":\"d\", \"isDir\":true}\n\nSummary: two.", "listing||a (3 bytes)\nd/"},
		"directory, empty":  {`{"name":"list_dir","args":{"DirectoryPath":"/w"}}`, "LIST_DIRECTORY", "Empty directory", "listing||\nnotice||The directory is empty."},
		"new file":          {`{"name":"write_to_file","args":{"TargetFile":"/w/a","CodeContent":"x\ny\n"}}`, "CODE_ACTION", "Created file file:///w/a with requested content.\nIf", "diff||--- /dev/null\n+++ /w/a\n@@ -0,0 +1,2 @@\n+x\n+y"},
		"written over":      {`{"name":"write_to_file","args":{"TargetFile":"/w/a","CodeContent":"x\n","Overwrite":true}}`, "CODE_ACTION", "Created file file:///w/a with requested content.\nIf", "key_values||File: file:///w/a\ncode|New content|x\n"},
		"edit":              {`{"name":"replace_file_content","args":{"TargetFile":"/w/a","TargetContent":"x","ReplacementContent":"y","StartLine":1,"EndLine":1}}`, "CODE_ACTION", "The following changes were made by the replace_file_content tool to: /w/a. If x.\n[diff_block_start]\n@@ -1,2 +1,2 @@\n-x\n+y\n z\n[diff_block_end]\n\nPlease", "diff||--- /w/a\n+++ /w/a\n@@ -1,2 +1,2 @@\n-x\n+y\n z"},
		"edit, not a diff":  {`{"name":"replace_file_content","args":{"TargetFile":"/w/a","TargetContent":"x","ReplacementContent":"y"}}`, "CODE_ACTION", "The following changes were made by the replace_file_content tool to: /w/a. If x.\n[diff_block_start]\n@@ -1,9 +1,9 @@\n-x\n[diff_block_end]", "code|Change|@@ -1,9 +1,9 @@\n-x"},
		"search":            {`{"name":"search_web","args":{"query":"q"}}`, "SEARCH_WEB", "The search for \"q\" returned the following summary:\nanswer", "key_values||Query: q\nmarkdown|Answer|answer"},
		"image":             {`{"name":"generate_image","args":{"Prompt":"p","ImageName":"n"}}`, "GENERATE_IMAGE", "Used prompt: p\n\nGenerated image is saved at /w/n.png.\n\n Do not", "key_values||Image: n\ntext|Prompt|p\nmedia||n.png"},
		"question":          {`{"name":"ask_question","args":{"questions":[{"question":"Which?","options":["a","b"]},{"question":"Why?","options":["c"]}]}}`, "ASK_QUESTION", "A1: b\nA2: because\nof it", "question||Which?\n[ ] a\n[x] b\nquestion||Why?\n[ ] c\nAnswer: because\nof it"},
		"background":        {run, "RUN_COMMAND", "Tool is running as a background task with task id: c/task-1\nTask Description: go test\nTask logs are available at: file:///w/t.log\nYOU MUST WAIT", "command||go test\nkey_values|Background task|Task: c/task-1\nLog: file:///w/t.log\ntext|Told to the model|YOU MUST WAIT"},
		"tool nobody knows": {`{"name":"frobnicate","args":{"x":1}}`, "GENERIC", "done", "key_values|Arguments|x: 1\ncode|Result|done"},
	} {
		d := one(t, c.call, result("1", c.kind, c.text))
		if diff := cmp.Diff(c.want, shown(d.steps[1])); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A file view that was cut goes on with the numbers behind the mark; what is left of a line there stays as it is.
func TestCutFileView(t *testing.T) {
	t.Parallel()
	text := "File Path: `file:///w/a.txt`\nTotal Lines: 90\nTotal Bytes: 99\nShowing lines 1 to 90\nThe following code.\n1: a\n2: b\n3: cut he\n<truncated 50 bytes>\nre\n89: y\n90: z\nThe above.\n"
	line := strings.TrimSuffix(result("1", "VIEW_FILE", text), "}") + `,"truncated_fields":["content"]}`
	d := convert(t, store(t, map[string]string{shortLog: lines(said("0", "", `[{"name":"view_file","args":{}}]`), line)}))
	if got := d.steps[1].GetBlocks()[0].GetText(); got != "a\nb\ncut he\n[50 bytes omitted by agy]\nre\ny\nz" {
		t.Errorf("%q", got)
	}
}

// The children a step started are named, several by one step too.
func TestChildren(t *testing.T) {
	t.Parallel()
	call := `{"name":"invoke_subagent","args":{"Subagents":[{"TypeName":"researcher","Role":"Reads","Prompt":"Read it."},{"TypeName":"writer"}]}}`
	text := "Created the following subagents:\n{\n  \"conversationId\":  \"c-1\",\n  \"logAbsoluteUri\": \"file:///l\",\n  \"workspaceUris\": [\"file:///w\"]\n}\n{\"conversationId\": \"c-2\"}\nThe subagents will send you a message."
	d := one(t, call, result("1", "INVOKE_SUBAGENT", text))
	s := d.steps[1]
	if diff := cmp.Diff([]string{"c-1", "c-2"}, s.GetChildConversationIds()); diff != "" || !strings.Contains(shown(s), "Role: Reads") || !strings.Contains(shown(s), "Read it.") {
		t.Errorf("%s %s", diff, shown(s))
	}
}

// Tokens of a line are its call's; none of a model is known.
func TestTokens(t *testing.T) {
	t.Parallel()
	line := strings.TrimSuffix(said("0", "x", ""), "}") + `,"input_tokens":5,"cache_read_tokens":0,"output_tokens":7}`
	u := convert(t, store(t, map[string]string{shortLog: lines(line)})).steps[0].GetUsage()
	if u.GetInputTokens() != 5 || u.GetOutputTokens() != 7 || u.CacheReadTokens == nil || u.GetCacheReadTokens() != 0 || u.GetModel() != "" || u.ThinkingTokens != nil {
		t.Errorf("%v", u)
	}
	if u := convert(t, store(t, map[string]string{shortLog: lines(said("0", "x", ""))})).steps[0].GetUsage(); u != nil {
		t.Errorf("made up: %v", u)
	}
}

// Files of a prompt are named.
func TestMedia(t *testing.T) {
	t.Parallel()
	line := strings.TrimSuffix(prompt("0", "look"), "}") + `,"media":[{"mime_type":"image/png","uri":"file:///w/media__1.png"}]}`
	b := convert(t, store(t, map[string]string{shortLog: lines(line)})).steps[0].GetBlocks()
	if len(b) != 2 || b[1].GetMedia().GetUri() != "file:///w/media__1.png" || b[1].GetMedia().GetMimeType() != "image/png" {
		t.Errorf("%v", b)
	}
}

// A member nobody knows is shown, kept and said.
func TestUnknownMember(t *testing.T) {
	t.Parallel()
	line := strings.TrimSuffix(prompt("0", "x"), "}") + `,"brand_new":{"a":[1]}}`
	d := convert(t, store(t, map[string]string{shortLog: lines(line)}))
	if got := shown(d.steps[0]); got != "markdown||x\njson|brand_new|{\"a\":[1]}" || !d.note("unknown_fields").GetIncomplete() {
		t.Errorf("%q %v", got, d.notes)
	}
	inside := convert(t, store(t, map[string]string{shortLog: lines(said("0", "", `[{"name":"a","args":{},"id":"c1"}]`))}))
	if got := shown(inside.steps[0]); !strings.HasSuffix(got, "json|tool_calls[0].id|\"c1\"") || inside.note("unknown_fields") == nil {
		t.Errorf("%q %v", got, inside.notes)
	}
	if only := d.steps[0].GetSourceOnly(); len(only) != 1 || only[0].GetPath() != "brand_new" || string(only[0].GetValue()) != `{"a":[1]}` {
		t.Errorf("%v", only)
	}
}

// TestScaffolding: what steps become that answer no call.
func TestScaffolding(t *testing.T) {
	t.Parallel()
	title := "{{ CHECKPOINT 0 }}\n **cut**\n\n\n# USER Objective:\nMy Title\n\n# User Requests\nThe following:\n1. do it\n\n# Conversation Logs\n\nlogs"
	sum := "{{ CHECKPOINT 1 }}\n\n# User Requests\nThe following:\n1. do it\n2. then that\n\n# Previous Session Summary:\nWe did.\n\n# Conversation Logs\n\nlogs"
	failed := "{{ CHECKPOINT 1 }}\n\n# User Requests\nThe following:\n1. do it\n\n# Previous Session Summary:\n{\"step_index\":0,\"type\":\"X\"}\n\n# Conversation Logs\n\nlogs"
	message := "The following.\n\n<SYSTEM_MESSAGE>\n[Message] timestamp=2026-10-03T13:00:00Z sender=c/task-1 priority=MESSAGE_PRIORITY_LOW content=Task done\nLog: x\n</SYSTEM_MESSAGE>"
	for name, c := range map[string]struct{ kind, text, want string }{
		"title":     {"CHECKPOINT", title, "notice||The product made a title for the conversation. Nothing was cut.\nkey_values||Title: My Title\nmarkdown|Request|do it"},
		"summary":   {"CHECKPOINT", sum, "markdown|Summary|We did.\nmarkdown|Request|1. do it\n2. then that"},
		"failed":    {"CHECKPOINT", failed, "notice||The product tried to make a title for the conversation, and the model failed.\nmarkdown|Request|do it"},
		"no form":   {"CHECKPOINT", "whatever", "markdown|Summary|whatever"},
		"message":   {"SYSTEM_MESSAGE", message, "key_values||From: c/task-1\nPriority: LOW\ntext||[Message] timestamp=2026-10-03T13:00:00Z sender=c/task-1 priority=MESSAGE_PRIORITY_LOW content=Task done\nLog: x"},
		"plain":     {"SYSTEM_MESSAGE", "hello", "text||hello"},
		"reminder":  {"EPHEMERAL_MESSAGE", "remember", "text||remember"},
		"no error":  {"ERROR_MESSAGE", "it broke", "notice||it broke"},
		"knowledge": {"KNOWLEDGE_ARTIFACTS", "facts", "text||facts"},
	} {
		line := strings.Replace(result("1", c.kind, c.text), `"source":"MODEL"`, `"source":"SYSTEM"`, 1)
		d := one(t, `{"name":"x","args":{}}`, line)
		if diff := cmp.Diff(c.want, shown(d.steps[1])); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	line := `{"step_index":1,"source":"SYSTEM","type":"ERROR_MESSAGE","status":"DONE","error":"overloaded","error_code":503,"created_at":"2026-10-03T13:00:02Z"}`
	d := one(t, `{"name":"x","args":{}}`, line)
	if got := shown(d.steps[1]); got != "notice||overloaded\nkey_values||Error code: 503" || d.steps[1].GetCall() != nil {
		t.Errorf("%q", got)
	}
}

// Where answers are missing in the log, the kind of an answer tells which call it belongs to.
func TestPairing(t *testing.T) {
	t.Parallel()
	calls := `[{"name":"run_command","args":{"CommandLine":"a"}},{"name":"view_file","args":{"AbsolutePath":"/b"}},{"name":"list_dir","args":{"DirectoryPath":"/c"}}]`
	for name, c := range map[string]struct {
		kinds []string
		want  string
	}{
		"all":         {[]string{"RUN_COMMAND", "VIEW_FILE", "LIST_DIRECTORY"}, "run_command view_file list_dir"},
		"first gone":  {[]string{"VIEW_FILE", "LIST_DIRECTORY"}, "view_file list_dir"},
		"middle gone": {[]string{"RUN_COMMAND", "LIST_DIRECTORY"}, "run_command list_dir"},
		"generic":     {[]string{"GENERIC", "GENERIC", "GENERIC"}, "run_command view_file list_dir"},
		"one more":    {[]string{"RUN_COMMAND", "VIEW_FILE", "LIST_DIRECTORY", "FIND"}, "run_command view_file list_dir -"},
		"another":     {[]string{"SEARCH_WEB"}, "-"},
	} {
		list := []string{said("0", "", calls)}
		for i, kind := range c.kinds {
			list = append(list, result(string(rune('1'+i)), kind, "x"))
		}
		d := convert(t, store(t, map[string]string{fullLog: lines(list...)}))
		var got []string
		for _, s := range d.steps[1:] {
			name := s.GetCall().GetName()
			if name == "" {
				name = "-"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
