package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/cli"
	"agy-reader/host/demo/build"
)

// wrapped are steps as agy 1.4.4 and IDE 2.25.0 are said to write them: every result in a wrapper, whose payload is the
// step of the tool. The names are those of the tools.
var wrapped = []struct{ tool, kind, body string }{
	{"run_command", "RUN_COMMAND", `"runCommand": {"commandLine": "ls -l", "cwd": "/srv/app", "exitCode": 0, "combinedOutput": {"full": "total 0\n"}}`},
	{"view_file", "VIEW_FILE", `"viewFile": {"absolutePathUri": "file:///srv/app/main.go", "startLine": 0, "endLine": 1, "numLines": 2, "numBytes": 24, "content": "package main\n\n// here\n"}`},
	{"replace_file_content", "CODE_ACTION", `"codeAction": {"description": "Say it", "actionSpec": {"command": {"file": {"absoluteUri": "file:///srv/app/main.go"}}}, "actionResult": {"edit": {"absoluteUri": "file:///srv/app/main.go", "diff": {"unifiedDiff": {"lines": [{"text": "old line", "type": "UNIFIED_DIFF_LINE_TYPE_DELETE"}, {"text": "new line", "type": "UNIFIED_DIFF_LINE_TYPE_INSERT"}]}}}}, "diffStats": {"additions": 1, "deletions": 1}}`},
	{"write_to_file", "CODE_ACTION", `"codeAction": {"isArtifactFile": true, "artifactMetadata": {"summary": "the plan"}, "actionSpec": {"createFile": {"path": {"absoluteUri": "file:///home/me/.gemini/brain/c/plan.md"}, "instruction": "# Plan\n"}}, "actionResult": {"edit": {"absoluteUri": "file:///home/me/.gemini/brain/c/plan.md", "createFile": true, "diff": {"unifiedDiff": {"lines": [{"text": "# Plan", "type": "UNIFIED_DIFF_LINE_TYPE_INSERT"}]}}}}}`},
	{"list_dir", "LIST_DIRECTORY", `"listDirectory": {"directoryPathUri": "file:///srv/app", "results": [{"name": "main.go", "sizeBytes": "24"}]}`},
	{"search_web", "SEARCH_WEB", `"searchWeb": {"query": "go embed", "summary": "It embeds files."}`},
	{"read_url_content", "READ_URL_CONTENT", `"readUrlContent": {"url": "https://go.dev", "resolvedUrl": "https://go.dev/"}`},
	{"call_mcp_tool", "MCP_TOOL", `"mcpTool": {"serverName": "files", "toolCall": {"name": "stat", "argumentsJson": "{}"}, "resultString": "a file"}`},
	{"ask_question", "ASK_QUESTION", `"askQuestion": {"questions": [{"question": "Which?", "options": [{"id": "a", "text": "This"}], "selectedOptionIds": ["a"]}]}`},
	{"invoke_subagent", "INVOKE_SUBAGENT", `"invokeSubagent": {"subagents": [{"role": "tester"}], "results": [{"conversationId": "c1ea0000-0000-4000-8000-00000000000b"}]}`},
}

// typedStep and wrapperStep are the two shapes of one step.
func typedStep(call, kind, body string) string {
	return fmt.Sprintf(`{"type": "CORTEX_STEP_TYPE_%s", "status": 3, "metadata": {"source": 2, "toolCall": {"id": %q, "name": "t", "argumentsJson": "{}"}}, %s}`, kind, call, body)
}

func wrapperStep(call, kind, body string) string {
	return fmt.Sprintf(`{"type": 132, "status": 3, "metadata": {"source": 2, "toolCall": {"id": %q, "name": "t", "argumentsJson": "{}"}},
		"generic": {"args": {"Path": "/srv"}, "result": {"result": "as the model saw it", "payload": {"@type": "type.googleapis.com/gemini_coder.Step", "type": "CORTEX_STEP_TYPE_%s", "status": 3, %s}}}}`, call, kind, body)
}

// convertSteps makes a database of steps and converts it strictly.
func convertSteps(t *testing.T, steps []string) (document string, sidecar []byte) {
	t.Helper()
	dir := t.TempDir()
	var payloads [][]byte
	for _, step := range steps {
		payload, err := build.Encode(build.StepMessage, step)
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	c, err := build.NewConversation("c1ea0000-0000-4000-8000-000000000009", "c1ea0000-0000-4000-8000-00000000000a", payloads...)
	if err != nil {
		t.Fatal(err)
	}
	if err := build.Database(filepath.Join(dir, "s.db"), c); err != nil {
		t.Fatal(err)
	}
	if code, _, problem := cli.Command(t, "convert", "--unknown", "fail", "--to", "markdown,json", "--out", dir+"/", filepath.Join(dir, "s.db")); code != 0 {
		t.Fatalf("exit code %d: %s", code, problem)
	}
	text, err := os.ReadFile(filepath.Join(dir, c.CascadeID+".md"))
	if err != nil {
		t.Fatal(err)
	}
	if sidecar, err = os.ReadFile(filepath.Join(dir, c.CascadeID+".trajectory.json")); err != nil {
		t.Fatal(err)
	}
	return string(text), sidecar
}

type sidecarDocument struct {
	Steps     []map[string]json.RawMessage `json:"steps"`
	AgyReader struct {
		Offline struct {
			DecoderProfile string `json:"decoderProfile"`
			Unverified     bool   `json:"unverifiedProfile"`
			SourceOnly     []struct {
				Location string `json:"location"`
			} `json:"sourceOnly"`
		} `json:"offline"`
	} `json:"agyReader"`
}

func parseSidecar(t *testing.T, text []byte) (d sidecarDocument) {
	t.Helper()
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// Every wrapped kind is read strictly with the profile for wrappers and projects to the JSON that the typed shape has; what
// only the wrapper says is kept beside it.
func TestWrappersOfTheNewestProfile(t *testing.T) {
	t.Parallel()
	var wrappers, typed []string
	for i, w := range wrapped {
		call := fmt.Sprintf("call_%d", i)
		wrappers, typed = append(wrappers, wrapperStep(call, w.kind, w.body)), append(typed, typedStep(call, w.kind, w.body))
	}
	_, text := convertSteps(t, wrappers)
	got := parseSidecar(t, text)
	if offline := got.AgyReader.Offline; offline.DecoderProfile != "agy-1.1.14" || offline.Unverified {
		t.Errorf("profile %s, unverified %v", offline.DecoderProfile, offline.Unverified)
	}
	_, text = convertSteps(t, typed)
	want := parseSidecar(t, text)
	if want.AgyReader.Offline.DecoderProfile != "agy-1.0.4" {
		t.Errorf("typed steps are read with %s", want.AgyReader.Offline.DecoderProfile)
	}
	if diff := cmp.Diff(want.Steps, got.Steps); diff != "" {
		t.Errorf("projected (-typed +wrapped):\n%s", diff)
	}
	kept := map[string]int{}
	for _, only := range got.AgyReader.Offline.SourceOnly {
		kept[only.Location]++
	}
	for _, only := range []string{"generic.args.Path", "generic.result.result"} {
		if kept[only] != len(wrapped) {
			t.Errorf("%s is kept %d times, want %d; kept: %v", only, kept[only], len(wrapped), kept)
		}
	}
}

// profileLine is what documents of the two shapes may differ in.
var profileLine = regexp.MustCompile(`(?m)^- \*\*Profile:\*\* .*\n`)

// Both shapes of one call make the same document.
func TestCaseC07BothShapesOfOneCall(t *testing.T) {
	t.Parallel()
	for i, w := range wrapped {
		t.Run(w.tool, func(t *testing.T) {
			t.Parallel()
			call := fmt.Sprintf("call_%d", i)
			planner := fmt.Sprintf(`{"type": 15, "status": 3, "plannerResponse": {"response": "Now.", "toolCalls": [{"id": %q, "name": "t", "argumentsJson": "{}"}]}}`, call)
			typed, _ := convertSteps(t, []string{planner, typedStep(call, w.kind, w.body)})
			wrapped, _ := convertSteps(t, []string{planner, wrapperStep(call, w.kind, w.body)})
			if diff := cmp.Diff(profileLine.ReplaceAllString(typed, ""), profileLine.ReplaceAllString(wrapped, "")); diff != "" {
				t.Errorf("documents (-typed +wrapped):\n%s", diff)
			}
		})
	}
}

// The command's own argument names lead to a shell block with its folder.
func TestCaseC05CommandArguments(t *testing.T) {
	t.Parallel()
	document, _ := convertSteps(t, []string{
		`{"type": 15, "status": 3, "plannerResponse": {"toolCalls": [{"id": "call_1", "name": "run_command", "argumentsJson": "{\"CommandLine\":\"make test\",\"Cwd\":\"/srv/app\"}"}]}}`,
		`{"type": 21, "status": 3, "metadata": {"source": 2, "toolCall": {"id": "call_1", "name": "run_command", "argumentsJson": "{\"CommandLine\":\"make test\",\"Cwd\":\"/srv/app\"}"}}, "runCommand": {"commandLine": "make test", "cwd": "/srv/app", "exitCode": 2, "combinedOutput": {"full": "failed\n"}}}`,
		`{"type": 132, "status": 3, "metadata": {"source": 2, "toolCall": {"id": "call_2", "name": "run_command", "argumentsJson": "{\"CommandLine\":\"make lint\",\"Cwd\":\"/srv/lint\"}"}}, "generic": {"args": {"CommandLine": "make lint", "Cwd": "/srv/lint"}, "result": {"result": "fine"}}}`,
	})
	for _, want := range []string{"make test", "/srv/app", "failed", "make lint", "/srv/lint", "fine"} {
		if !strings.Contains(document, want) {
			t.Errorf("the document lacks %q", want)
		}
	}
	if strings.Contains(document, `{"CommandLine"`) {
		t.Errorf("arguments are shown as JSON:\n%s", document)
	}
}

// A wrapper and a kind nobody knows are tool results with their raw text, named after the call before them.
func TestCaseC06GenericAndUnknownKinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	payloads := [][]byte{}
	for _, step := range []string{
		`{"type": 132, "status": 3, "metadata": {"source": 2, "toolCall": {"id": "call_1", "name": "manage_task", "argumentsJson": "{}"}}, "generic": {"args": {"Deep": ` + fmt.Sprintf("%q", deep) + `}, "result": {"result": "task listed"}}}`,
		`{"status": 3, "metadata": {"source": 2, "toolCall": {"id": "call_2", "name": "foo_bar", "argumentsJson": "{\"A\":\"b\"}"}}}`,
		`{"type": 14, "status": 3, "userInput": {"userResponse": "and the rest is fine"}}`,
	} {
		payload, err := build.Encode(build.StepMessage, step)
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	payloads[1] = append(payloads[1], 0x08, 0xe7, 0x07) // type 999, which no profile names
	payloads[1] = appended(payloads[1], 5999, "raw text of an unknown body")
	c, err := build.NewConversation("c1ea0000-0000-4000-8000-00000000000c", "c1ea0000-0000-4000-8000-00000000000d", payloads...)
	if err != nil {
		t.Fatal(err)
	}
	if err := build.Database(filepath.Join(dir, "s.db"), c); err != nil {
		t.Fatal(err)
	}
	if code, _, problem := cli.Command(t, "convert", "--to", "markdown,json", "--out", dir+"/", filepath.Join(dir, "s.db")); code != 4 {
		t.Fatalf("exit code %d: %s", code, problem)
	}
	document, err := os.ReadFile(filepath.Join(dir, c.CascadeID+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"manage_task", "task listed", "foo_bar", "999", "field 5999", "and the rest is fine"} {
		if !strings.Contains(string(document), want) {
			t.Errorf("the document lacks %q", want)
		}
	}
	if kept := unknownFields(t, dir); len(kept) != 1 || string(kept[0].Base64) != "raw text of an unknown body" {
		t.Errorf("kept %v, want the unknown body", kept)
	}
}
