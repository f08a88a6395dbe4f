package html_test

import (
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func sampleRest() []*transcriptv1.Step {
	return []*transcriptv1.Step{
		{
			Kind: "ASK_QUESTION", Role: tool,
			Blocks: []*transcriptv1.Block{{
				Kind: "question", Text: "Which format?\n- JSON (chosen)\n- text\nAnswer: both, please",
				Detail: &transcriptv1.Block_Question{Question: &transcriptv1.Question{
					Text: "Which format?", Options: []*transcriptv1.QuestionOption{{Id: "a", Text: "JSON", Selected: true}, {Id: "b", Text: "text"}}, MultiSelect: true, WrittenAnswer: "both, please",
				}},
			}},
		},
		{
			Kind: "GENERATE_IMAGE", Role: tool, Status: "RUNNING",
			Blocks: []*transcriptv1.Block{
				{Kind: "media", Text: "A red pixel", Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: "file:///home/ada/red.png", MimeType: "image/png", Description: `a "red" pixel`, Data: png, Sha256: strings.Repeat("cd", 32)}}},
				{Kind: "media", Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{MimeType: "image/svg+xml", Data: []byte("<svg onload=alert(1)>")}}},
				{Kind: "media", Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: "file:///home/ada/clip.mp4", MimeType: "video/mp4", Size: proto.Uint64(3 << 20)}}},
			},
		},
		{
			Kind: "GENERIC", Role: tool, Call: &transcriptv1.ToolCall{Name: "check_deploy", ArgumentsJson: `{"broken":`, InvalidJson: "ends too early"},
			Blocks: []*transcriptv1.Block{
				{Kind: "key_values", Text: "state: ready\nreplicas: 3", Label: "Result", Detail: &transcriptv1.Block_KeyValues{KeyValues: &transcriptv1.KeyValues{Items: []*transcriptv1.KeyValue{{Key: "state", Value: "ready"}, {Key: "replicas", Value: "3"}}}}},
				{Kind: "json", Text: `{"big":12345678901234567890,"html":"<b>","list":[1,2]}`, Detail: &transcriptv1.Block_Json{Json: &transcriptv1.Json{}}},
				{Kind: "hologram", Label: "", Text: "a kind from\nthe future"},
			},
			Unknown: []*transcriptv1.UnknownField{{Path: "steps[10]", Number: 77, WireType: 2, Value: []byte(strings.Repeat("x", 200))}},
		},
		{
			Kind: "RUN_COMMAND", Role: tool, TaskId: "task-4", ContinuesAnchor: "step-2", Inherited: true,
			Blocks: []*transcriptv1.Block{
				{Kind: "command", Text: "sleep 100", Detail: &transcriptv1.Block_Command{Command: &transcriptv1.Command{Background: true, TimedOut: true, Rejected: true}}},
				code("Output", "", ""),
			},
		},
		{
			Kind: "ERROR_MESSAGE", Role: system, Status: "ERROR",
			Blocks: []*transcriptv1.Block{
				{Kind: "notice", Text: "permission denied\non /etc/shadow", Detail: &transcriptv1.Block_Notice{Notice: &transcriptv1.Notice{Severity: transcriptv1.Severity_SEVERITY_ERROR}}},
				{Kind: "notice", Text: "quota at 80 %", Detail: &transcriptv1.Block_Notice{Notice: &transcriptv1.Notice{Severity: transcriptv1.Severity_SEVERITY_WARNING}}},
				{Kind: "notice", Label: "Hint", Text: "try again", Detail: &transcriptv1.Block_Notice{Notice: &transcriptv1.Notice{}}},
			},
		},
		{Kind: "INVOKE_SUBAGENT", Role: tool, ChildConversationIds: []string{"5b1d1d5e-0000-4000-8000-000000000002"}, Blocks: []*transcriptv1.Block{plain("Started one subagent.")}},
		{Kind: "SYSTEM_MESSAGE", Role: system, Status: "CLEARED", Blocks: []*transcriptv1.Block{plain("spoofed \u202egnp.exe\u202c name\x00\x1b[2J")}},
		{Kind: "CHECKPOINT", Role: system, Blocks: []*transcriptv1.Block{plain(strings.Repeat("A long summary of what happened.\n", 40))}},
		{Kind: "USER_INPUT", Role: user, Blocks: []*transcriptv1.Block{plain("And then a very long second prompt that spans the whole width of the page so that we can see how wrapping looks in a bubble.")}},
		{
			Kind: "CODE_ACTION", Role: tool, Summary: "new.go",
			Blocks: []*transcriptv1.Block{{
				Kind: "diff", Text: "--- /dev/null\n+++ b/new.go\n@@ -0,0 +1,120 @@\n" + strings.Repeat("+line\r\n", 120),
				Detail: &transcriptv1.Block_Diff{Diff: &transcriptv1.Diff{Uri: "file:///home/ada/parser/new.go", Change: "create", Additions: 120}},
			}},
		},
	}
}
