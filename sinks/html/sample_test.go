package html_test

import (
	"encoding/base64"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// A red pixel.
var png, _ = base64.StdEncoding.DecodeString(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")

// sample is a made-up conversation with every kind of event and block.
func sample() []*transcriptv1.Event {
	events := []*transcriptv1.Event{begin(sampleHeader())}
	for i, s := range sampleSteps() {
		s.Index, s.Anchor = uint32(i), fmt.Sprintf("step-%d", i)
		s.CreatedNs, s.StartedNs, s.CompletedNs = at(int64(i)*7), at(int64(i)*7), at(int64(i)*7+3)
		if s.Status == "" {
			s.Status = "DONE"
		}
		events = append(events, step(s))
		if s.Kind == "INVOKE_SUBAGENT" {
			events = append(events, sampleNested(s.Anchor)...)
		}
	}
	events = append(events,
		note(&transcriptv1.Note{
			Kind: "gap", Severity: transcriptv1.Severity_SEVERITY_WARNING, Text: "Two rows are missing from the database.",
			FirstIndex: proto.Uint32(40), LastIndex: proto.Uint32(41), Anchor: "step-3", Incomplete: true,
		}),
		note(&transcriptv1.Note{
			Kind: "call_without_result", Severity: transcriptv1.Severity_SEVERITY_INFO, Text: "Nothing answered this call.",
			Call: &transcriptv1.ToolCall{Id: "call-9", Name: "view_file", ArgumentsJson: `{"AbsolutePath":"/src/lost.go"}`},
		}),
		&transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: &transcriptv1.Attachment{
			Kind: "artifact", Name: "plan.md", Uri: "file:///home/ada/plan.md", MimeType: "text/markdown",
			Size: proto.Uint64(41), Sha256: strings.Repeat("ab", 32), UpdatedNs: at(60),
			Blocks: []*transcriptv1.Block{markdown("# Plan\n\n- [x] read\n- [ ] write\n")},
		}}},
		&transcriptv1.Event{},
		end(sampleFooter()),
	)
	return events
}

func sampleHeader() *transcriptv1.Header {
	return &transcriptv1.Header{
		ConversationId: "5b1d1d5e-0000-4000-8000-000000000001", TrajectoryId: "trajectory-1",
		Title:   &transcriptv1.Sourced{Value: "Make the parser keep <unknown> fields", Origin: "checkpoint"},
		Project: &transcriptv1.Sourced{Value: "parser", Origin: "workspace"},
		Surface: "cli", CreatedNs: at(0), UpdatedNs: at(300),
		TrajectoryType: "CASCADE", TrajectorySource: "CLI",
		References:    []*transcriptv1.Reference{{Kind: "PRUNE", TrajectoryId: "trajectory-0", StepIndex: proto.Int64(4)}},
		WorkspaceUris: []string{"file:///home/ada/a%20b"},
		Provenance: &transcriptv1.Provenance{
			Source: "sqlite", Location: "5b1d1d5e.db", Profile: "agy-1", ProfileReason: "schema fingerprint",
			SchemaFingerprint: strings.Repeat("0f", 32), Unverified: true,
		},
		Unknown: []*transcriptv1.UnknownField{{Path: "trajectory", Number: 99, WireType: 2, Value: []byte("later")}},
	}
}

func sampleFooter() *transcriptv1.Footer {
	return &transcriptv1.Footer{
		Steps: 18, Notes: 2, UnknownFields: 2, Completeness: "incomplete: 18 of 20 steps", Incomplete: true, Missing: true,
		SourceDigest: strings.Repeat("1e", 32), SkippedSections: []string{"generatorMetadata: 57 rows, 2.1 MB"},
		Usage: &transcriptv1.Usage{
			Calls: 5, InputTokens: proto.Uint64(48211), OutputTokens: proto.Uint64(3902),
			CacheReadTokens: proto.Uint64(31000), ThinkingTokens: proto.Uint64(811),
		},
		Gaps: []*transcriptv1.Note{{Kind: "gap", Severity: transcriptv1.Severity_SEVERITY_WARNING, Text: "Steps 40 to 41 are missing."}},
		Overview: &transcriptv1.Overview{
			Prompts: []*transcriptv1.Prompt{
				{Anchor: "step-0", Text: "Make the parser keep unknown fields.\nTests too.", StepsAfter: 16, ToolStepsAfter: 12},
				{Anchor: "step-16", Text: strings.Repeat("And then a very long second prompt ", 20), StepsAfter: 1},
			},
			Files: []*transcriptv1.TouchedFile{
				{Uri: "file:///home/ada/parser/wire.go", ReadAnchors: []string{"step-3"}, ChangedAnchors: []string{"step-4", "step-17"}},
				{Uri: "file:///home/ada/parser/a%20b.go", ReadAnchors: manyAnchors(20)},
			},
			Problems: []*transcriptv1.Problem{{Anchor: "step-12", Text: "permission denied"}},
			Children: []*transcriptv1.Child{{ConversationId: "5b1d1d5e-0000-4000-8000-000000000002", Anchor: "step-13"}},
			Models:   []string{"Gemini 3 Pro", "Claude Sonnet 4.5"},
		},
	}
}

func manyAnchors(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("step-%d", i))
	}
	return all
}

func sampleNested(parent string) []*transcriptv1.Event {
	return []*transcriptv1.Event{
		begin(&transcriptv1.Header{
			ConversationId: "5b1d1d5e-0000-4000-8000-000000000002", Depth: 1, ParentAnchor: parent,
			Title: &transcriptv1.Sourced{Value: "Look for callers"}, TrajectoryType: "BROWSER", CreatedNs: at(90),
		}),
		step(&transcriptv1.Step{
			Anchor: parent + "-0", Kind: "USER_INPUT", Role: transcriptv1.Role_ROLE_USER, Status: "DONE", CreatedNs: at(91),
			Blocks: []*transcriptv1.Block{plain("Find every caller of Parse.")},
		}),
		begin(&transcriptv1.Header{ConversationId: "5b1d1d5e-0000-4000-8000-000000000003", Depth: 2, ParentAnchor: parent + "-0"}),
		step(&transcriptv1.Step{
			Anchor: parent + "-0-0", Kind: "PLANNER_RESPONSE", Role: transcriptv1.Role_ROLE_ASSISTANT, Status: "DONE",
			Blocks: []*transcriptv1.Block{markdown("There are **three**.")},
		}),
		end(&transcriptv1.Footer{Steps: 1, Completeness: "complete: 1 step"}),
		end(&transcriptv1.Footer{
			Steps: 1, Completeness: "complete: 1 step",
			Usage: &transcriptv1.Usage{InputTokens: proto.Uint64(10), OutputTokens: proto.Uint64(2)},
			Gaps:  []*transcriptv1.Note{{Kind: "damage", Severity: transcriptv1.Severity_SEVERITY_ERROR, Text: "page 7"}},
		}),
	}
}
