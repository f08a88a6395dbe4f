package interpret

import (
	"strings"
	"testing"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// mix is what an ordinary session is made of: prompts, answers, commands, files, edits, wrapped and bare tools.
func mix(t testing.TB) [][]byte {
	t.Helper()
	s := loadSchema(t)
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 40)
	lines := make([]string, 0, 200)
	for i := range 200 {
		kind := "3"
		if i%50 == 25 {
			kind = "1"
		}
		lines = append(lines, `{"text": "some line of a program", "type": `+kind+`}`)
	}
	meta := `"metadata": {"createdAt": "2026-07-01T10:00:00Z", "startedAt": "2026-07-01T10:00:00Z", "completedAt": "2026-07-01T10:00:01Z", "source": 2, "executionId": "e-1",
		"toolCall": {"id": "call_1", "name": "NAME", "argumentsJson": "{\"Path\":\"/w/a.go\"}"}, "toolSummary": "Short", "toolAction": "Doing"}`
	usage := `"metadata": {"createdAt": "2026-07-01T10:00:00Z", "source": 2, "modelUsage": {"inputTokens": "10", "outputTokens": "20", "responseId": "r"}}`
	named := func(name string) string { return strings.Replace(meta, "NAME", name, 1) }
	run := `"runCommand": {"commandLine": "go test ./...", "cwd": "/w", "exitCode": 0, "combinedOutput": {"full": "` + text + `"}}`
	list := make([][]byte, 0, 8)
	for _, json := range []string{
		`{"type": 14, "status": 3, "metadata": {"createdAt": "2026-07-01T10:00:00Z", "source": 4}, "userInput": {"userResponse": "` + text + `", "items": [{"text": "` + text + `"}]}}`,
		`{"type": 15, "status": 3, ` + usage + `, "plannerResponse": {"thinking": "` + text + `", "response": "` + text + `", "toolCalls": [{"id": "call_1", "name": "x", "argumentsJson": "{}"}]}}`,
		`{"type": 21, "status": 3, ` + named("run_command") + `, ` + run + `}`,
		`{"type": 8, "status": 3, ` + named("view_file") + `, "viewFile": {"absolutePathUri": "file:///w/a.go", "endLine": 40, "numLines": 90, "content": "` + text + `"}}`,
		`{"type": 5, "status": 3, ` + named("replace_file_content") + `, "codeAction": {"description": "Edit", "actionResult": {"edit": {"absoluteUri": "file:///w/a.go",
			"diff": {"unifiedDiff": {"lines": [` + strings.Join(lines, ",") + `]}}}}}}`,
		`{"type": 132, "status": 3, ` + named("run_command") + `, "generic": {"args": {"CommandLine": "go test"}, "result": {"result": "` + text + `",
			"payload": {"@type": "type.googleapis.com/gemini_coder.Step", "type": 21, ` + named("run_command") + `, ` + run + `}}}}`,
		`{"type": 132, "status": 3, ` + named("manage_task") + `, "generic": {"args": {"Action": "status", "TaskId": "t"}, "result": {"result": "` + text + `"}}}`,
		`{"type": 7, "status": 3, ` + named("grep_search") + `, "grepSearch": {"query": "x", "results": [{"relativePath": "a.go", "lineNumber": 3, "content": "x"}, {"relativePath": "b.go", "lineNumber": 4, "content": "y"}]}}`,
	} {
		list = append(list, s.payload(t, json))
	}
	return list
}

func batchOf(ip *Interpreter, s *Session, a *Arena, payloads [][]byte) error {
	for i := range 64 {
		in := Input{Index: uint32(i), Payload: payloads[i%len(payloads)], StepType: -1, Status: -1}
		if err := ip.Step(s, &in, a, func(*doc.Event) error { return nil }); err != nil {
			return err
		}
	}
	a.Reset()
	return nil
}

func BenchmarkBlocks(b *testing.B)  { benchmark(b, sources.Want{Blocks: true}) }
func BenchmarkDisplay(b *testing.B) { benchmark(b, sources.Want{Display: true}) }

func benchmark(b *testing.B, want sources.Want) {
	ip, payloads := New(load(b)), mix(b)
	s, a := &Session{Want: want}, new(Arena)
	size := 0
	for i := range 64 {
		size += len(payloads[i%len(payloads)])
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := batchOf(ip, s, a, payloads); err != nil {
			b.Fatal(err)
		}
	}
}

// TestAllocations keeps interpreting nearly free of allocations in a kept arena. Display JSON costs some for each wrapper,
// whose left-out fields are listed with their paths.
func TestAllocations(t *testing.T) {
	ip, payloads := New(load(t)), mix(t)
	for _, tt := range []struct {
		name string
		want sources.Want
		most float64
	}{{"blocks", sources.Want{Blocks: true}, 1}, {"display", sources.Want{Display: true}, 4}} {
		s, a := &Session{Want: tt.want}, new(Arena)
		perBatch := testing.AllocsPerRun(20, func() {
			if err := batchOf(ip, s, a, payloads); err != nil {
				t.Fatal(err)
			}
		})
		if perStep := perBatch / 64; perStep > tt.most {
			t.Errorf("%s: %.2f allocations a step, at most %.0f", tt.name, perStep, tt.most)
		} else {
			t.Logf("%s: %.2f allocations a step", tt.name, perStep)
		}
	}
}
