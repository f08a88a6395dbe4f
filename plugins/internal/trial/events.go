package trial

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Conversation is a made-up transcript of n steps that shows every kind of event, a nested trajectory and texts that are
// hard to carry. The same n gives the same events.
func Conversation(n int) []*transcriptv1.Event {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	all := []*transcriptv1.Event{{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{
		ConversationId: "c0ffee00-0000-4000-8000-000000000001",
		TrajectoryId:   "t0",
		Title:          &transcriptv1.Sourced{Value: "Größe\u202e — a title", Origin: "first prompt"},
		CreatedNs:      proto.Int64(1_700_000_000_123_456_789),
		MembersJson:    []byte(`{"cascadeId":"c0ffee00","big":12345678901234567890}`),
		WorkspaceUris:  []string{"file:///home/u/p"},
		Provenance:     &transcriptv1.Provenance{Source: "sqlite", Location: "c0ffee00.db", Profile: "agy-1.1"},
	}}}}
	for i := range n {
		all = append(all, &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: step(r, i, fmt.Sprintf("step-%d", i), false)}})
		if i == n/2 {
			all = append(all, nested(r, i)...)
		}
		if i%100 == 3 {
			all = append(all, &transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: &transcriptv1.Note{
				Kind: "gap", Severity: transcriptv1.Severity_SEVERITY_WARNING, Text: "a gap", Anchor: fmt.Sprintf("step-%d", i),
			}}})
		}
	}
	return append(all,
		&transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: &transcriptv1.Attachment{
			Kind: "artifact", Name: "plan.md", MimeType: "text/markdown",
			Blocks: []*transcriptv1.Block{{Kind: "markdown", Text: "# Plan", Detail: &transcriptv1.Block_Markdown{Markdown: &transcriptv1.Markdown{}}}},
		}}},
		&transcriptv1.Event{Body: &transcriptv1.Event_Record{Record: &transcriptv1.Record{
			Section: "generatorMetadata", Json: []byte(`{"model":"M"}`),
		}}},
		&transcriptv1.Event{Body: &transcriptv1.Event_End{End: &transcriptv1.Footer{
			Steps: uint32(n), Completeness: fmt.Sprintf("complete: %d steps", n),
			Overview: &transcriptv1.Overview{Prompts: []*transcriptv1.Prompt{{Anchor: "step-0", Text: "first", StepsAfter: uint32(max(n-1, 0))}}},
		}}})
}

func nested(r *rand.Rand, at int) []*transcriptv1.Event {
	parent := fmt.Sprintf("step-%d", at)
	return []*transcriptv1.Event{
		{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{ConversationId: "child", TrajectoryId: "t1", Depth: 1, ParentAnchor: parent}}},
		{Body: &transcriptv1.Event_Step{Step: step(r, 0, parent+"-0", true)}},
		{Body: &transcriptv1.Event_End{End: &transcriptv1.Footer{Steps: 1}}},
	}
}

var texts = []string{
	"plain words\n", "\x00\r\n\t", "``` fence\n# heading\n", "<script>alert(1)</script>", "עברית \u202e", "👩‍👩‍👧 𝔘", "a | b\\\n",
}

func step(r *rand.Rand, i int, anchor string, inherited bool) *transcriptv1.Step {
	text := strings.Repeat(texts[r.IntN(len(texts))], 1+r.IntN(40))
	call := &transcriptv1.ToolCall{Id: fmt.Sprintf("call-%d", i), Name: "run_command", ArgumentsJson: `{"CommandLine":"ls"}`}
	st := &transcriptv1.Step{
		Index: uint32(i), Anchor: anchor, Kind: "RUN_COMMAND", Role: transcriptv1.Role_ROLE_TOOL, Status: "DONE",
		CreatedNs: proto.Int64(1_700_000_000_000_000_000 + int64(i)), Model: "A Model", Summary: "ls", Call: call, Inherited: inherited,
		Usage:       &transcriptv1.Usage{ResponseId: fmt.Sprint(i), InputTokens: proto.Uint64(0), OutputTokens: proto.Uint64(12)},
		NativeJson:  []byte(`{"native":true}`),
		DisplayJson: []byte(`{"display":true}`),
		SourceOnly:  []*transcriptv1.SourceOnly{{Path: "genericStep.payload", Value: []byte{0, 255}}},
		Unknown:     []*transcriptv1.UnknownField{{Path: "steps[0]", Number: 999, WireType: 2, Value: []byte{1, 2, 3}}},
	}
	switch i % 4 {
	case 0:
		st.Kind, st.Role, st.Call = "USER_INPUT", transcriptv1.Role_ROLE_USER, nil
		st.Blocks = []*transcriptv1.Block{{Kind: "markdown", Text: text, Detail: &transcriptv1.Block_Markdown{Markdown: &transcriptv1.Markdown{}}}}
	case 1:
		st.Kind, st.Role = "PLANNER_RESPONSE", transcriptv1.Role_ROLE_ASSISTANT
		st.Blocks = []*transcriptv1.Block{
			{Kind: "thinking", Text: text, Detail: &transcriptv1.Block_Thinking{Thinking: &transcriptv1.Thinking{DurationNs: proto.Int64(5e9)}}},
			{Kind: "tool_call", Text: "run_command", Detail: &transcriptv1.Block_ToolCall{ToolCall: &transcriptv1.ToolCallRef{Call: call}}},
		}
	case 2:
		st.Blocks = []*transcriptv1.Block{
			{Kind: "command", Text: "ls", Detail: &transcriptv1.Block_Command{Command: &transcriptv1.Command{Cwd: "/p", ExitCode: proto.Int32(0)}}},
			{Kind: "code", Label: "Output", Text: text, Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{}}},
		}
	default:
		st.Kind = "CODE_ACTION"
		st.Blocks = []*transcriptv1.Block{{Kind: "diff", Text: text, Detail: &transcriptv1.Block_Diff{Diff: &transcriptv1.Diff{
			Uri: "file:///p/main.go", Change: "edit", Additions: 1,
			Hunks: []*transcriptv1.Hunk{{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 2, TextLength: uint64(len(text))}},
		}}}}
	}
	return st
}

// Sized is a step whose text has n bytes.
func Sized(i, n int) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: &transcriptv1.Step{
		Index: uint32(i), Anchor: fmt.Sprintf("step-%d", i), Kind: "RUN_COMMAND", Role: transcriptv1.Role_ROLE_TOOL,
		Blocks: []*transcriptv1.Block{{Kind: "code", Text: strings.Repeat("0123456789abcde\n", n/16+1)[:n], Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{}}}},
	}}}
}
