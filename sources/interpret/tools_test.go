package interpret

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	doc "agy-reader/proto/agyreader/transcript/v1"
)

// TestToolNamesLookLikeTypedSteps compares a wrapper that has only arguments and a result text with the typed step of the
// same tool: same kind, same summary, and each kind of block that carries the content.
func TestToolNamesLookLikeTypedSteps(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	for _, tt := range []struct {
		name, kind, body string
		args             map[string]string
		result           string
		blocks           []string
	}{
		{
			"run_command", "RUN_COMMAND", `"runCommand": {"commandLine": "go vet", "cwd": "/w", "exitCode": 0, "combinedOutput": {"full": "ok"}}`,
			map[string]string{"CommandLine": "go vet", "Cwd": "/w"},
			"The command completed successfully.\nOutput:\nok",
			[]string{"command", "code"},
		},
		{
			"view_file", "VIEW_FILE", `"viewFile": {"absolutePathUri": "file:///w/a.go", "startLine": 1, "endLine": 8, "numLines": 90, "content": "x"}`,
			map[string]string{"AbsolutePath": "/w/a.go", "StartLine": "2", "EndLine": "9"},
			"2: x",
			[]string{"file_view"},
		},
		{
			"write_to_file", "CODE_ACTION", `"codeAction": {"actionResult": {"edit": {"absoluteUri": "file:///w/n.go", "createFile": true, "diff": {"unifiedDiff": {"lines": [{"text": "a", "type": 1}, {"type": 1}]}}}}}`,
			map[string]string{"TargetFile": "/w/n.go", "CodeContent": "a\n"},
			"",
			[]string{"diff"},
		},
		{
			"replace_file_content", "CODE_ACTION", `"codeAction": {"actionResult": {"edit": {"absoluteUri": "file:///w/n.go", "originalContent": "a\n", "diff": {"unifiedDiff": {"lines": [{"text": "a", "type": 2}, {"text": "b", "type": 1}, {"type": 3}]}}}}}`,
			map[string]string{"TargetFile": "/w/n.go", "TargetContent": "a", "ReplacementContent": "b", "StartLine": "1", "EndLine": "1"},
			"",
			[]string{"diff"},
		},
		{
			"list_dir", "LIST_DIRECTORY", `"listDirectory": {"directoryPathUri": "file:///w", "results": [{"name": "a", "sizeBytes": "3"}]}`,
			map[string]string{"DirectoryPath": "/w"},
			`{"name":"a","sizeBytes":"3"}`,
			[]string{"listing"},
		},
		{"search_web", "SEARCH_WEB", `"searchWeb": {"query": "q", "summary": "S"}`, map[string]string{"query": "q"}, "S", []string{"key_values", "markdown"}},
		{"read_url_content", "READ_URL_CONTENT", `"readUrlContent": {"url": "https://x", "webDocument": {"text": "T"}}`, map[string]string{"Url": "https://x"}, "T", []string{"key_values", "code"}},
		{"generate_image", "GENERATE_IMAGE", `"generateImage": {"prompt": "P", "imageName": "n"}`, map[string]string{"Prompt": "P", "ImageName": "n"}, "", []string{"key_values", "text"}},
		{
			"ask_question", "ASK_QUESTION", `"askQuestion": {"questions": [{"question": "Q", "options": [{"id": "1", "text": "A"}]}]}`,
			map[string]string{"questions": `[{"question": "Q", "options": ["A"]}]`},
			"",
			[]string{"question"},
		},
		{
			"grep_search", "GREP_SEARCH", `"grepSearch": {"query": "q", "searchPathUri": "file:///w", "rawOutput": "hit"}`,
			map[string]string{"Query": "q", "SearchPath": "/w"},
			"hit",
			[]string{"key_values", "code"},
		},
		{
			"find_by_name", "FIND", `"find": {"pattern": "p", "searchDirectory": "/w", "rawOutput": "hit"}`,
			map[string]string{"Pattern": "p", "SearchDirectory": "/w"},
			"hit",
			[]string{"key_values", "code"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			meta := fmt.Sprintf(`"metadata": {"source": 2, "toolCall": {"id": "c", "name": %q}}`, tt.name)
			args, err := json.Marshal(tt.args)
			if err != nil {
				t.Fatal(err)
			}
			typed := interpret(t, ip, everything, input(1, s.payload(t, fmt.Sprintf(`{"type": "CORTEX_STEP_TYPE_%s", "status": 3, %s, %s}`, tt.kind, meta, tt.body))))[0].GetStep()
			named := interpret(t, ip, everything, input(1, s.payload(t, fmt.Sprintf(`{"type": 132, "status": 3, %s, "generic": {"args": %s, "result": {"result": %q}}}`, meta, args, tt.result))))[0].GetStep()
			if typed.GetKind() != tt.kind || named.GetKind() != tt.kind || typed.GetSummary() != named.GetSummary() {
				t.Errorf("kinds %s and %s, summaries %q and %q", typed.GetKind(), named.GetKind(), typed.GetSummary(), named.GetSummary())
			}
			if a, b := blockKinds(typed), blockKinds(named); !slices.Equal(a, tt.blocks) || !slices.Equal(b, tt.blocks) {
				t.Errorf("typed has %v, named has %v, want %v", a, b, tt.blocks)
			}
			if a, b := uriIn(typed), uriIn(named); a != b {
				t.Errorf("about %q and %q", a, b)
			}
		})
	}
}

func blockKinds(step *doc.Step) []string {
	var kinds []string
	for _, b := range step.GetBlocks() {
		kinds = append(kinds, b.GetKind())
	}
	return kinds
}

func uriIn(step *doc.Step) string {
	for _, b := range step.GetBlocks() {
		for _, uri := range []string{b.GetDiff().GetUri(), b.GetFileView().GetUri(), b.GetListing().GetUri()} {
			if uri != "" {
				return uri
			}
		}
	}
	return ""
}
