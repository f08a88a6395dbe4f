package events_test

import (
	"strconv"

	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
)

// start is 2026-02-03 04:05:06.789 UTC.
const start = int64(1_770_091_506_789_000_000)

// sample is a conversation with every event, every kind of block and a nested trajectory. Its dump is the fixture other
// packages read.
func sample() []*tv1.Event {
	all := []*tv1.Event{begin(&tv1.Header{
		ConversationId: "0f3c9a52-0000-4000-8000-000000000001",
		TrajectoryId:   "0f3c9a52-0000-4000-8000-0000000000aa",
		Title:          &tv1.Sourced{Value: "Fix the *flaky* test in `pkg/a_b`", Origin: "checkpoint"},
		Project:        &tv1.Sourced{Value: "file:///home/jo/my%20project", Origin: "database"},
		Surface:        "cli",
		CreatedNs:      proto.Int64(start),
		UpdatedNs:      proto.Int64(start + 95_000_000_000),
		References:     []*tv1.Reference{{Kind: "PRUNE", TrajectoryId: "0f3c9a52-0000-4000-8000-0000000000bb", StepIndex: proto.Int64(4)}},
		Provenance: &tv1.Provenance{
			Source: "sqlite", Location: "0f3c9a52.db", Profile: "agy-1.1", ProfileReason: "schema fingerprint", Unverified: true,
		},
		Unknown: []*tv1.UnknownField{{Path: "trajectory", Number: 77, WireType: 2, Value: []byte("abc")}},
	})}
	all = append(all, messages()...)
	all = append(all, tools()...)
	all = append(all, nested()...)
	return append(all, closing()...)
}

func messages() []*tv1.Event {
	return []*tv1.Event{
		step(&tv1.Step{
			Kind: "USER_INPUT", Role: tv1.Role_ROLE_USER,
			Blocks: []*tv1.Block{
				{Kind: "text", Text: "Why does the test fail? It says a < b && c.", Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}},
				{
					Kind: "media", Text: "screenshot.png: the failing run", Detail: &tv1.Block_Media{Media: &tv1.Media{
						Uri: "file:///home/jo/shots/a b(1)#2.png", MimeType: "image/png", Description: "the failing run", Size: proto.Uint64(123456),
					}},
				},
			},
		}, 0),
		step(&tv1.Step{
			Kind: "PLANNER_RESPONSE", Role: tv1.Role_ROLE_ASSISTANT, Model: "Gemini 3 Pro",
			Usage: &tv1.Usage{
				ResponseId: "r1", InputTokens: proto.Uint64(12345), OutputTokens: proto.Uint64(67),
				CacheReadTokens: proto.Uint64(11000), ThinkingTokens: proto.Uint64(30),
			},
			ExtraUsage: []*tv1.Usage{{InputTokens: proto.Uint64(100), OutputTokens: proto.Uint64(0)}},
			Blocks: []*tv1.Block{
				{
					Kind: "thinking", Text: "**Plan**\n\nLook at the test first.",
					Detail: &tv1.Block_Thinking{Thinking: &tv1.Thinking{DurationNs: proto.Int64(3_200_000_000)}},
				},
				{
					Kind: "markdown", Text: "# I will look\n\n1. read `a_test.go`\n2. run it\n\n```go\nfunc TestA(t *testing.T) {}\n```\n",
					Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}},
				},
				{Kind: "tool_call", Text: "run_command {}", Detail: &tv1.Block_ToolCall{ToolCall: &tv1.ToolCallRef{Call: call()}}},
			},
		}, 1),
		step(&tv1.Step{
			Kind: "PLANNER_RESPONSE", Role: tv1.Role_ROLE_ASSISTANT, Model: "Gemini 3 Pro",
			Blocks: []*tv1.Block{
				{Kind: "thinking", Detail: &tv1.Block_Thinking{Thinking: &tv1.Thinking{Redacted: true}}},
				{
					Kind: "markdown", Text: "Wrap it in <details> and see [x][y].\n\n[y]: https://example.com/",
					Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}},
				},
			},
		}, 2),
	}
}

func call() *tv1.ToolCall {
	return &tv1.ToolCall{Id: "c1", Name: "run_command", ArgumentsJson: `{"CommandLine":"go test ./..."}`, Summary: "Run the tests", Action: "Running"}
}

func tools() []*tv1.Event {
	tool := func(kind, summary string, blocks ...*tv1.Block) *tv1.Step {
		return &tv1.Step{Kind: kind, Role: tv1.Role_ROLE_TOOL, Summary: summary, Blocks: blocks}
	}
	run := tool("RUN_COMMAND", "go test ./...",
		&tv1.Block{Kind: "command", Text: "go test ./...", Detail: &tv1.Block_Command{Command: &tv1.Command{
			Cwd: "file:///home/jo/my%20project", Shell: "bash", ExitCode: proto.Int32(1),
		}}},
		&tv1.Block{Kind: "code", Label: "Output", Text: "\x1b[31mFAIL\x1b[0m a\r\n 10%\r 100%\n```\n", Detail: &tv1.Block_Code{Code: &tv1.Code{}}},
	)
	run.Call = call()
	waiting := tool("RUN_COMMAND", "sleep 100", &tv1.Block{
		Kind: "command", Text: "sleep 100", Detail: &tv1.Block_Command{Command: &tv1.Command{Background: true}},
	})
	waiting.Status, waiting.TaskId, waiting.CompletedNs = "RUNNING", "task-7", nil
	ask := tool("ASK_QUESTION", "", &tv1.Block{Kind: "question", Text: "Which? a b", Detail: &tv1.Block_Question{Question: &tv1.Question{
		Text: "Which one?", MultiSelect: true, WrittenAnswer: "both, but *later*",
		Options: []*tv1.QuestionOption{{Id: "1", Text: "the [first]", Selected: true}, {Id: "2", Text: "the second\nline"}},
	}}})
	generic := tool("GENERIC", "")
	generic.Call = &tv1.ToolCall{Id: "c9", Name: "frob_it", ArgumentsJson: `{"a":`, InvalidJson: "unexpected end"}
	generic.Status = "ERROR"
	generic.Unknown = []*tv1.UnknownField{{Path: "steps[9].generic", Number: 99, WireType: 2, Value: make([]byte, 1500)}}
	cleared := tool("MCP_TOOL", "github / list_issues")
	cleared.Status, cleared.Inherited, cleared.ContinuesAnchor = "CLEARED", true, "step-3"
	steps := []*tv1.Step{
		run, waiting,
		tool("VIEW_FILE", "a_test.go lines 1-3", &tv1.Block{Kind: "file_view", Text: "package a\n\nfunc x() {}", Detail: &tv1.Block_FileView{FileView: &tv1.FileView{
			Uri: "file:///home/jo/a_test.go", FirstLine: proto.Uint32(1), LastLine: proto.Uint32(3), TotalLines: proto.Uint32(40),
			TotalBytes: proto.Uint64(2048), Language: "go",
		}}}),
		tool("CODE_ACTION", "a.go", &tv1.Block{Kind: "diff", Text: "--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-x\n+y\n", Detail: &tv1.Block_Diff{Diff: &tv1.Diff{
			Uri: "file:///home/jo/a.go", Change: "edit", Additions: 1, Deletions: 1, Language: "go",
			Hunks: []*tv1.Hunk{{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, TextOffset: 22, TextLength: 18}},
		}}}),
		tool("LIST_DIRECTORY", "/home/jo", &tv1.Block{Kind: "listing", Text: "sub/\na.go 120", Detail: &tv1.Block_Listing{Listing: &tv1.Listing{
			Uri: "file:///home/jo", Entries: []*tv1.ListingEntry{{Name: "sub", Directory: true}, {Name: "a.go", Size: proto.Uint64(120)}},
		}}}),
		tool("GREP_SEARCH", "func x", &tv1.Block{Kind: "search_hits", Text: "a.go:3:func x() {}", Detail: &tv1.Block_SearchHits{SearchHits: &tv1.SearchHits{
			Query: "func `x", Uri: "file:///home/jo", Total: proto.Uint64(9), Hits: []*tv1.SearchHit{{Path: "a.go", Line: proto.Uint32(3), Text: "func x() {}"}},
		}}}),
		tool("SEARCH_WEB", "go test flaky", &tv1.Block{Kind: "web_results", Text: "Go https://go.dev/ text", Detail: &tv1.Block_WebResults{WebResults: &tv1.WebResults{
			Query: "go test flaky", Results: []*tv1.WebResult{
				{Title: "Go [docs]", Url: "https://go.dev/doc/?a=1&copy;=2", Text: "How to *test*."},
				{Title: "bad", Url: "java\tscript:alert(1)", Text: "Plain words."},
			},
		}}}),
		ask, generic, cleared,
		tool("SYSTEM_MESSAGE", "", &tv1.Block{Kind: "notice", Label: "context", Text: "line one\nline two", Detail: &tv1.Block_Notice{Notice: &tv1.Notice{Severity: tv1.Severity_SEVERITY_WARNING}}}),
		tool("MCP_TOOL", "everything else",
			&tv1.Block{Kind: "key_values", Text: "a: b", Detail: &tv1.Block_KeyValues{KeyValues: &tv1.KeyValues{Items: []*tv1.KeyValue{{Key: "a", Value: "b"}, {Key: "long", Value: "x\ny"}, {Key: "z", Value: ""}}}}},
			&tv1.Block{Kind: "json", Label: "Result", Text: `{"n": 12345678901234567890}`, Detail: &tv1.Block_Json{Json: &tv1.Json{}}},
			&tv1.Block{Kind: "hologram", Text: "a kind of tomorrow"},
		),
	}
	var all []*tv1.Event
	for i, s := range steps {
		all = append(all, step(s, uint32(3+i)))
	}
	return all
}

func nested() []*tv1.Event {
	spawn := &tv1.Step{
		Kind: "INVOKE_SUBAGENT", Role: tv1.Role_ROLE_TOOL, Summary: "look it up",
		ChildConversationIds: []string{"0f3c9a52-0000-4000-8000-000000000002"},
		Blocks:               []*tv1.Block{{Kind: "text", Text: "Started.", Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}}},
	}
	inner := &tv1.Step{
		Kind: "USER_INPUT", Role: tv1.Role_ROLE_USER,
		Blocks: []*tv1.Block{{Kind: "text", Text: "# Look\n\nit up", Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}}},
	}
	innerStep := step(inner, 0)
	innerStep.GetStep().Anchor = "step-15-0"
	return []*tv1.Event{
		step(spawn, 15),
		begin(&tv1.Header{ConversationId: "0f3c9a52-0000-4000-8000-000000000002", Depth: 1, ParentAnchor: "step-15", Title: &tv1.Sourced{Value: "Look it up"}}),
		innerStep,
		{Body: &tv1.Event_End{End: &tv1.Footer{Steps: 1, Completeness: "complete: 1 step"}}},
	}
}

func closing() []*tv1.Event {
	gap := &tv1.Note{
		Kind: "gap", Severity: tv1.Severity_SEVERITY_WARNING, Text: "two steps are missing",
		FirstIndex: proto.Uint32(16), LastIndex: proto.Uint32(17), Incomplete: true,
	}
	return []*tv1.Event{
		{Body: &tv1.Event_Note{Note: gap}},
		{Body: &tv1.Event_Note{Note: &tv1.Note{Kind: "call_without_result", Severity: tv1.Severity_SEVERITY_INFO, Text: "no step answers this call", Anchor: "step-1", Call: call()}}},
		{Body: &tv1.Event_Attachment{Attachment: &tv1.Attachment{
			Kind: "artifact", Name: "plan.md", Uri: "file:///home/jo/plan.md", MimeType: "text/markdown", Size: proto.Uint64(12), UpdatedNs: proto.Int64(start),
			Blocks: []*tv1.Block{{Kind: "markdown", Text: "# Plan\n\nAll.", Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}}},
		}}},
		{Body: &tv1.Event_Record{Record: &tv1.Record{Section: "generatorMetadata", Json: []byte(`{"stepIndices":[1]}`)}}},
		{Body: &tv1.Event_End{End: &tv1.Footer{
			Steps: 16, Notes: 2, UnknownFields: 2, Incomplete: true, Completeness: "incomplete: 2 of 18 steps are missing",
			Usage: &tv1.Usage{InputTokens: proto.Uint64(12445), OutputTokens: proto.Uint64(67), Calls: 2},
			Gaps:  []*tv1.Note{gap}, SourceDigest: "9f86d081884c7d65", SkippedSections: []string{"executorMetadatas: 2 rows, 1.2 MB"},
			Overview: &tv1.Overview{
				Prompts:  []*tv1.Prompt{{Anchor: "step-0", Text: "Why does the test fail?", StepsAfter: 14, ToolStepsAfter: 12}, {Anchor: "step-15-0", Text: "# Look\n\nit up", StepsAfter: 1}},
				Files:    []*tv1.TouchedFile{{Uri: "file:///home/jo/a.go", ReadAnchors: []string{"step-5"}, ChangedAnchors: []string{"step-6", "step-7"}}},
				Problems: []*tv1.Problem{{Anchor: "step-11", Text: "frob_it failed"}},
				Children: []*tv1.Child{{ConversationId: "0f3c9a52-0000-4000-8000-000000000002", Anchor: "step-15"}},
				Models:   []string{"Gemini 3 Pro"},
			},
		}}},
	}
}

func begin(h *tv1.Header) *tv1.Event { return &tv1.Event{Body: &tv1.Event_Begin{Begin: h}} }

// step fills in what a step has anyway.
func step(s *tv1.Step, index uint32) *tv1.Event {
	s.Index, s.Anchor = index, "step-"+strconv.Itoa(int(index))
	if s.Status == "" {
		s.Status = "DONE"
	}
	s.CreatedNs = proto.Int64(start + int64(index)*5_000_000_000)
	s.StartedNs = proto.Int64(*s.CreatedNs + 100_000_000)
	if s.Status != "RUNNING" {
		s.CompletedNs = proto.Int64(*s.CreatedNs + 1_400_000_000)
	}
	return &tv1.Event{Body: &tv1.Event_Step{Step: s}}
}
