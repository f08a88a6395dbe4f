package interpret

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
)

// bodies are typed bodies as the product stores them inside a wrapper and on their own.
var bodies = []struct{ name, kind, body string }{
	{"run_command", "RUN_COMMAND", `"runCommand": {"commandLine": "go test ./...", "cwd": "/w", "exitCode": 1, "combinedOutput": {"full": "FAIL\n"}, "shellName": "bash"}`},
	{"view_file", "VIEW_FILE", `"viewFile": {"absolutePathUri": "file:///w/a.go", "startLine": 9, "endLine": 19, "numLines": 40, "numBytes": 900, "content": "package a\n"}`},
	{"replace_file_content", "CODE_ACTION", `"codeAction": {"description": "Fix it", "actionResult": {"edit": {"absoluteUri": "file:///w/a.go", "originalContent": "a\nb\n",
		"diff": {"endLine": 2, "unifiedDiff": {"lines": [{"text": "a", "type": 3}, {"text": "b", "type": 2}, {"text": "c", "type": 1}, {"text": "", "type": 3}]}}}}}`},
	{"search_web", "SEARCH_WEB", `"searchWeb": {"query": "go slog", "summary": "Use log/slog.", "webDocuments": [{"title": "slog", "url": "https://go.dev", "text": "Structured logs"}]}`},
	{"list_dir", "LIST_DIRECTORY", `"listDirectory": {"directoryPathUri": "file:///w", "results": [{"name": "cmd", "isDir": true, "numChildren": 3}, {"name": "go.mod", "sizeBytes": "120"}]}`},
	{"ask_question", "ASK_QUESTION", `"askQuestion": {"questions": [{"question": "Which?", "options": [{"id": "1", "text": "A"}, {"id": "2", "text": "B"}], "selectedOptionIds": ["2"]}]}`},
	{"invoke_subagent", "INVOKE_SUBAGENT", `"invokeSubagent": {"subagents": [{"typeName": "research", "role": "Reader", "initialPrompt": "Read all"}, {"typeName": "self"}],
		"results": [{"conversationId": "c-1"}, {"conversationId": "c-2", "logAbsoluteUri": "file:///log"}]}`},
	{"read_url_content", "READ_URL_CONTENT", `"readUrlContent": {"url": "https://go.dev", "resolvedUrl": "https://go.dev/", "webDocument": {"title": "Go", "text": "The Go language"}}`},
	{"call_mcp_tool", "MCP_TOOL", `"mcpTool": {"serverName": "github", "toolCall": {"name": "list_issues"}, "resultString": "[]"}`},
	{"browser_subagent", "BROWSER_SUBAGENT", `"subtrajectory": {"trajectoryId": "t-2", "steps": [{"type": 14, "status": 3, "userInput": {"userResponse": "go"}}]},
		"browserSubagent": {"task": "Open the page", "result": "Done"}`},
}

// TestWrapperAndTypedBodyGiveOneDocument wraps each body the way newer versions do and compares everything but the bytes.
func TestWrapperAndTypedBodyGiveOneDocument(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			meta := fmt.Sprintf(`"createdAt": "2026-07-01T10:00:00Z", "completedAt": "2026-07-01T10:00:05Z", "source": 2, "executionId": "e-1",
				"toolCall": {"id": "call_1", "name": %q, "argumentsJson": "{\"Path\":\"/w\"}"}`, tt.name)
			labels := `, "toolSummary": "Short", "toolAction": "Doing"`
			typed := fmt.Sprintf(`{"type": "CORTEX_STEP_TYPE_%s", "status": 3, "metadata": {%s%s}, %s}`, tt.kind, meta, labels, tt.body)
			inner := fmt.Sprintf(`{"type": "CORTEX_STEP_TYPE_%s", "status": 2, "metadata": {%s%s}, %s}`, tt.kind, meta, labels, tt.body)
			for _, member := range []string{"payload", "data"} {
				wrapped := fmt.Sprintf(`{"type": 132, "status": 3, "metadata": {%s}, "generic": {"args": {"Path": "/w"},
					"result": {"result": "what the model saw", %q: {"@type": "type.googleapis.com/gemini_coder.Step", %s}}}}`, meta, member, inner[1:len(inner)-1])
				want := interpret(t, ip, everything, input(4, s.payload(t, typed)))
				got := interpret(t, ip, everything, input(4, s.payload(t, wrapped)))
				if diff := cmp.Diff(readable(want...), readable(got...)); diff != "" {
					t.Errorf("typed (-) and wrapped in %s (+) differ:\n%s", member, diff)
				}
				if got[0].GetStep().GetKind() != tt.kind || len(got[0].GetStep().GetBlocks()) == 0 {
					t.Errorf("no document: %v", got[0])
				}
			}
		})
	}
}

// TestRealWrapper reads the stored wrapper of agy 1.1.23. Whoever made it anonymous changed words of its type URL too.
func TestRealWrapper(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(corpus.Payloads(t), "tool_printenv.step_payload.bin"))
	if err != nil {
		t.Fatal(err)
	}
	ip := New(load(t))
	ev := interpret(t, ip, everything, input(2, raw))
	step := ev[0].GetStep()
	if step.GetKind() != "RUN_COMMAND" || step.GetCall().GetName() != "run_command" || step.GetCall().GetSummary() == "" {
		t.Errorf("not read as the command it holds: %v", step)
	}
	if len(step.GetBlocks()) < 2 || step.GetBlocks()[0].GetCommand() == nil || step.GetBlocks()[0].GetCommand().ExitCode == nil {
		t.Errorf("no command block with an exit code: %v", step.GetBlocks())
	}
	if len(ev) != 2 || ev[1].GetNote().GetKind() != "unknown_fields" {
		t.Errorf("the foreign type URL has no note: %v", ev[1:])
	}
}

// TestForeignPayload keeps what a wrapper carries when that is not a step.
func TestForeignPayload(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	raw := s.payload(t, `{"type": 132, "status": 3, "generic": {"result": {"result": "ok",
		"payload": {"@type": "type.googleapis.com/gemini_coder.TaskDetails", "id": "a task with a long id", "title": "T"}}}}`)
	ev := interpret(t, ip, everything, input(0, raw))
	if got := shown(ev); !strings.Contains(got, "a task with a long id") || !strings.Contains(got, "ok") {
		t.Errorf("lost: %s", readable(ev...))
	}
}
