package events_test

import (
	"strings"

	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
)

const (
	parentID = "0f3c9a52-0000-4000-8000-000000000000"
	mainID   = "0f3c9a52-0000-4000-8000-000000000001"
	childID  = "0f3c9a52-0000-4000-8000-000000000002"
	grandID  = "0f3c9a52-0000-4000-8000-000000000003"
	lostID   = "0f3c9a52-0000-4000-8000-000000000004"
)

// whole is a conversation put together from several places, with subagents two deep and everything that lies beside its
// steps. Its dump is a fixture of other packages, too.
func whole() []*tv1.Event {
	all := []*tv1.Event{begin(&tv1.Header{
		ConversationId: mainID, TrajectoryId: "0f3c9a52-0000-4000-8000-0000000000aa",
		Title:   &tv1.Sourced{Value: "Review the release", Origin: "conversation_summaries.db"},
		Project: &tv1.Sourced{Origin: "not recorded in the database, history.jsonl or caches"},
		Surface: "cli", CreatedNs: proto.Int64(start), CreatedOrigin: "annotations", UpdatedNs: proto.Int64(start + 900_000_000_000), UpdatedOrigin: "file time",
		ParentConversationId: parentID, ParentHref: "2026-02-03-plan%20%28all%29-0f3c9a52#step-4",
		ResumeCommand: `cd '/home/jo/my project' && agy --conversation ` + mainID,
		References: []*tv1.Reference{
			{Kind: "PRUNE", TrajectoryId: "0f3c9a52-0000-4000-8000-0000000000bb", StepIndex: proto.Int64(3)},
			{Kind: "FORK", ConversationId: parentID, StepIndex: proto.Int64(1)},
		},
		Provenance: &tv1.Provenance{Source: "merge", Location: "0f3c9a52.db", Profile: "agy-1.1", ProfileReason: "schema fingerprint"},
	})}
	all = append(all, wholeSteps()...)
	all = append(all, wholeChildren()...)
	all = append(all, wholeBeside()...)
	return append(all, wholeEnd())
}

func text(s string) *tv1.Block {
	return &tv1.Block{Kind: "text", Text: s, Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}}
}

func prose(s string) *tv1.Block {
	return &tv1.Block{Kind: "markdown", Text: s, Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}}
}

func media(m *tv1.Media, label string) *tv1.Block {
	return &tv1.Block{Kind: "media", Label: label, Detail: &tv1.Block_Media{Media: m}}
}

func end(f *tv1.Footer) *tv1.Event { return &tv1.Event{Body: &tv1.Event_End{End: f}} }

func attach(a *tv1.Attachment) *tv1.Event {
	return &tv1.Event{Body: &tv1.Event_Attachment{Attachment: a}}
}

func wholeSteps() []*tv1.Event {
	return []*tv1.Event{
		step(&tv1.Step{
			Kind: "USER_INPUT", Role: tv1.Role_ROLE_USER, Inherited: true,
			Blocks: []*tv1.Block{
				text("Review the release."),
				media(&tv1.Media{
					Uri: "file:///home/jo/.gemini/antigravity-cli/brain/" + mainID + "/media__1.png", MimeType: "image/png", Size: proto.Uint64(70),
					Href: "x.assets/0123456789abcdef-media__1.png", StorePath: "brain/" + mainID + "/media__1.png", Sha256: strings.Repeat("01", 32),
				}, "Upload"),
				media(&tv1.Media{Uri: "file:///home/jo/gone (1)#2%25.png", MimeType: "image/png"}, "Upload"),
				media(&tv1.Media{Uri: "brain/" + mainID + "/notes.pdf", MimeType: "application/pdf", StorePath: "brain/" + mainID + "/notes.pdf"}, ""),
			},
		}, 0),
		step(&tv1.Step{
			Kind: "PLANNER_RESPONSE", Role: tv1.Role_ROLE_ASSISTANT, Model: "MODEL_PLACEHOLDER_M318", Origin: "transcript_full.jsonl",
			Usage: &tv1.Usage{ResponseId: "r1"}, Blocks: []*tv1.Block{prose("I start **three** helpers.")},
		}, 1),
		step(&tv1.Step{Kind: "RUN_COMMAND", Role: tv1.Role_ROLE_TOOL, Status: "CLEARED"}, 2),
		step(&tv1.Step{
			Kind: "RUN_COMMAND", Role: tv1.Role_ROLE_TOOL, TaskId: "task-9", Summary: "make release",
			Blocks: []*tv1.Block{{Kind: "command", Text: "make release", Detail: &tv1.Block_Command{Command: &tv1.Command{Background: true}}}},
		}, 3),
		attach(&tv1.Attachment{
			Kind: "task_log", Name: "task-9.log", Uri: "brain/" + mainID + "/tasks/task-9.log", Size: proto.Uint64(9000), Anchor: "step-3",
			Blocks: []*tv1.Block{{Kind: "code", Label: "Head", Text: "# built\n", Detail: &tv1.Block_Code{Code: &tv1.Code{}}}, {
				Kind: "notice", Text: "8,000 bytes omitted", Detail: &tv1.Block_Notice{Notice: &tv1.Notice{Severity: tv1.Severity_SEVERITY_INFO}},
			}},
		}),
		step(&tv1.Step{
			Kind: "INVOKE_SUBAGENT", Role: tv1.Role_ROLE_TOOL, ChildConversationIds: []string{childID, "a", "b", lostID, "c", "d"},
			Children: []*tv1.ChildLink{
				{ConversationId: childID, Title: "Check the *changelog*", State: "inline"},
				{ConversationId: "a", Title: "Check links", State: "separate", Href: "2026-02-03-check-links-0f3c9a55"},
				{ConversationId: "b", State: "left out"},
				{ConversationId: lostID, State: "not found"},
				{ConversationId: mainID, Title: "Review the release", State: "cycle"},
				{ConversationId: "d", State: "too deep"},
			},
		}, 4),
	}
}

// wholeChildren is a subagent with one of its own, and one that no step names.
func wholeChildren() []*tv1.Event {
	in := func(anchor string, st *tv1.Step, i uint32) *tv1.Event {
		ev := step(st, i)
		st.Anchor = anchor
		return ev
	}
	return []*tv1.Event{
		begin(&tv1.Header{
			ConversationId: childID, ParentConversationId: mainID, Depth: 1, ParentAnchor: "step-4", AnnouncedSteps: 2,
			Title: &tv1.Sourced{Value: "Check the *changelog*", Origin: "first prompt"}, CreatedNs: proto.Int64(start),
			ResumeCommand: "cd /x && agy --conversation " + childID,
		}),
		in("step-4-0", &tv1.Step{Kind: "USER_INPUT", Role: tv1.Role_ROLE_USER, Blocks: []*tv1.Block{text("Check it.")}}, 0),
		in("step-4-1", &tv1.Step{
			Kind: "INVOKE_SUBAGENT", Role: tv1.Role_ROLE_TOOL,
			Children: []*tv1.ChildLink{{ConversationId: grandID, State: "inline"}},
		}, 1),
		begin(&tv1.Header{ConversationId: grandID, ParentConversationId: childID, Depth: 2, ParentAnchor: "step-4-1", AnnouncedSteps: 1}),
		in("step-4-1-0", &tv1.Step{Kind: "PLANNER_RESPONSE", Role: tv1.Role_ROLE_ASSISTANT, Blocks: []*tv1.Block{prose("# Not a heading of the file")}}, 0),
		end(&tv1.Footer{Steps: 1, Completeness: "complete: 1 step", Usage: &tv1.Usage{Calls: 1}}),
		attach(&tv1.Attachment{Kind: "artifact", Name: "notes.md", Blocks: []*tv1.Block{prose("# Notes of the subagent")}}),
		end(&tv1.Footer{Steps: 2, Completeness: "complete: 2 steps, 1 nested step", Usage: &tv1.Usage{Calls: 2, InputTokens: proto.Uint64(10), OutputTokens: proto.Uint64(3)}}),
		step(&tv1.Step{Kind: "RUN_COMMAND", Role: tv1.Role_ROLE_TOOL, Status: "RUNNING", Summary: "sleep 9"}, 5),
		begin(&tv1.Header{ConversationId: lostID + "x", ParentConversationId: mainID, Depth: 1, AnnouncedSteps: 0}),
		end(&tv1.Footer{Completeness: "complete: 0 steps"}),
	}
}

func wholeBeside() []*tv1.Event {
	at := func(a *tv1.Attachment) *tv1.Event {
		a.UpdatedNs = proto.Int64(start + 60_000_000_000)
		return attach(a)
	}
	return []*tv1.Event{
		at(&tv1.Attachment{
			Kind: "artifact", Name: "plan.md", Uri: "brain/" + mainID + "/plan.md", MimeType: "text/markdown", Size: proto.Uint64(30),
			Href: "x.assets/fedcba9876543210-plan.md", Sha256: strings.Repeat("fe", 32),
			Blocks: []*tv1.Block{prose("# Plan\n\n## Step one\n\n- [x] read\n- [ ] write\n")},
		}),
		at(&tv1.Attachment{Kind: "artifact", Name: `x" onmouseover="alert(1)`, Uri: "javascript:alert(1)", Href: "javascript:alert(1)"}),
		at(&tv1.Attachment{Kind: "revision", Name: "plan.md.resolved.0", Uri: "brain/" + mainID + "/plan.md.resolved.0", Blocks: []*tv1.Block{prose("# Plan")}}),
		at(&tv1.Attachment{Kind: "upload", Name: "media__1.png", Uri: "brain/" + mainID + "/media__1.png", MimeType: "image/png"}),
		at(&tv1.Attachment{Kind: "image", Name: "logo (1) #2.png", Uri: "brain/" + mainID + "/logo (1) #2.png", Href: "x.assets/00-logo%20%281%29%20%232.png"}),
		at(&tv1.Attachment{Kind: "output", Name: "output.txt", Uri: "brain/" + mainID + "/steps/2/output.txt", Blocks: []*tv1.Block{text("```\nspilled\n")}}),
		at(&tv1.Attachment{Kind: "message", Name: "m1.json", Blocks: []*tv1.Block{text("Done, says the helper.")}}),
		at(&tv1.Attachment{Kind: "queued_prompt", Name: "q1.json", Blocks: []*tv1.Block{text("And then?")}}),
		at(&tv1.Attachment{Kind: "scratch", Name: "scratch/a.py", Size: proto.Uint64(12)}),
	}
}

func wholeEnd() *tv1.Event {
	return end(&tv1.Footer{
		Steps: 6, StoredSteps: 6, Completeness: "incomplete: 6 steps, 3 nested steps, 1 gap; steps 6–7 are not on disk", Incomplete: true, Missing: true,
		Usage:             &tv1.Usage{Calls: 12},
		UsageWithChildren: &tv1.Usage{Calls: 14, InputTokens: proto.Uint64(10), OutputTokens: proto.Uint64(3)},
		Parts: []*tv1.SourcePart{
			{Source: "sqlite", Location: "0f3c9a52.db", Steps: 5}, {Source: "mirror", Location: "transcript_full.jsonl", Steps: 1},
		},
		Gaps: []*tv1.Note{{Kind: "gap", Severity: tv1.Severity_SEVERITY_WARNING, Text: "steps 6–7 are not on disk", FirstIndex: proto.Uint32(6), LastIndex: proto.Uint32(7), Incomplete: true}},
		Assets: []*tv1.Asset{
			{Href: "x.assets/0123456789abcdef-media__1.png", Name: "media__1.png", MimeType: "image/png", Size: 70, Sha256: strings.Repeat("01", 32), StorePath: "brain/" + mainID + "/media__1.png", Anchor: "step-0"},
			{Href: "x.assets/fedcba9876543210-plan.md", Name: "plan.md", MimeType: "text/markdown", Size: 30, Sha256: strings.Repeat("fe", 32)},
		},
		MissingFiles: []*tv1.MissingFile{{Name: "gone (1)#2%.png", Anchor: "step-0", Reason: "not stored"}},
		Media:        5,
		Overview: &tv1.Overview{
			Prompts: []*tv1.Prompt{
				{Anchor: "step-0", Text: "Review the release.", StepsAfter: 5, ToolStepsAfter: 4, Usage: &tv1.Usage{Calls: 3, InputTokens: proto.Uint64(1200), OutputTokens: proto.Uint64(55)}},
				{Anchor: "step-5", Text: "x", Usage: &tv1.Usage{Calls: 2}},
			},
			Children: []*tv1.Child{
				{ConversationId: childID, Anchor: "step-4", Title: "Check the *changelog*", State: "inline"},
				{ConversationId: "a", Anchor: "step-4", Title: "Check links", State: "separate", Href: "2026-02-03-check-links-0f3c9a55"},
				{ConversationId: lostID, Anchor: "step-4", State: "not found"},
				{ConversationId: lostID + "x", State: "inline"},
			},
			Models: []string{"MODEL_PLACEHOLDER_M318"},
		},
	})
}
