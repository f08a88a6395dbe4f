package present_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

func TestStateOf(t *testing.T) {
	t.Parallel()
	const info, warning = tv1.Severity_SEVERITY_INFO, tv1.Severity_SEVERITY_WARNING
	for _, tt := range []struct {
		name   string
		footer *tv1.Footer
		want   present.State
	}{
		{"complete", &tv1.Footer{Completeness: "complete: 131 steps"}, present.State{Line: "complete: 131 steps"}},
		{"nothing said", &tv1.Footer{}, present.State{Line: "not recorded"}},
		{
			"a gap", &tv1.Footer{Completeness: "incomplete: 9 steps, 1 gap, 2 unknown fields", Incomplete: true, Missing: true, UnknownFields: 2},
			present.State{Title: "Incomplete", Text: "9 steps, 1 gap, 2 unknown fields", Severity: warning, Line: "incomplete: 9 steps, 1 gap, 2 unknown fields"},
		},
		{
			"only newer fields", &tv1.Footer{Completeness: "incomplete: 9 steps, 1 unknown field", Incomplete: true, UnknownFields: 1},
			present.State{
				Title: "Newer than the decoder", Text: "1 field newer than the decoder; kept and marked", Severity: info,
				Line: "incomplete: 9 steps, 1 unknown field",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, present.StateOf(tt.footer)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelection(t *testing.T) {
	t.Parallel()
	f := &tv1.Footer{Steps: 1003, StoredSteps: 2000, Selection: "prompts"}
	prompt := &tv1.Prompt{StepsAfter: 9, ToolStepsAfter: 2}
	for _, tt := range []struct{ name, got, want string }{
		{"count", present.StepCount(f), "1,003 of 2,000 (selected: prompts)"},
		{"count of all", present.StepCount(&tv1.Footer{Steps: 3, StoredSteps: 3}), "3"},
		{"prompt", present.PromptFacts(prompt, false), "9 steps, 2 with tools"},
		{"prompt of a selection", present.PromptFacts(prompt, true), ""},
		{"nested", present.NestedTitle(&tv1.Header{TrajectoryType: "BROWSER", AnnouncedSteps: 14}, 9), "Browser run · 14 steps"},
		{"branch", present.NestedTitle(&tv1.Header{TrajectoryType: "BRANCH", AnnouncedSteps: 14}, 9), "Other branch · 14 steps"},
		{"nested with title", present.NestedTitle(&tv1.Header{Title: &tv1.Sourced{Value: "Look it up"}}, 4), "Subagent “Look…”"},
		{"end", present.NestedEnd("Browser run", &tv1.Footer{Completeness: "complete: 1 step"}), "End of the browser run (complete: 1 step)"},
		{"calls", present.TotalUsage(&tv1.Usage{OutputTokens: proto.Uint64(5), Calls: 1}), "5 out in 1 model call"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestFolds(t *testing.T) {
	t.Parallel()
	block := func(lines int, b *tv1.Block) *tv1.Block {
		b.Text = strings.Repeat("x\n", lines)
		return b
	}
	code := func(lines int) *tv1.Block {
		return block(lines, &tv1.Block{Detail: &tv1.Block_Code{Code: &tv1.Code{}}})
	}
	prose := func(lines int) *tv1.Block {
		return block(lines, &tv1.Block{Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}})
	}
	message := func(lines int) *tv1.Block {
		return block(lines, &tv1.Block{Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}})
	}
	hits := &tv1.Block{Detail: &tv1.Block_SearchHits{SearchHits: &tv1.SearchHits{}}}
	for _, tt := range []struct {
		name   string
		blocks []*tv1.Block
		role   tv1.Role
		want   bool
	}{
		{"output", []*tv1.Block{code(40)}, tv1.Role_ROLE_TOOL, false},
		{"long output", []*tv1.Block{code(41)}, tv1.Role_ROLE_TOOL, true},
		{"stack trace", []*tv1.Block{func() *tv1.Block { b := code(13); b.Label = "Full error"; return b }()}, tv1.Role_ROLE_TOOL, true},
		{"long line", []*tv1.Block{{Text: strings.Repeat("x", 9000)}}, tv1.Role_ROLE_TOOL, true},
		{"long diff", []*tv1.Block{block(100, diffOf("", "", 0, 0))}, tv1.Role_ROLE_TOOL, false},
		{"reminder", []*tv1.Block{prose(13)}, tv1.Role_ROLE_SYSTEM, true},
		{"facts of the product", []*tv1.Block{block(40, pairs())}, tv1.Role_ROLE_SYSTEM, false},
		{"prompt", []*tv1.Block{prose(60)}, tv1.Role_ROLE_USER, false},
		{"message of a model", []*tv1.Block{message(900)}, tv1.Role_ROLE_ASSISTANT, false},
		{"output that repeats hits", []*tv1.Block{hits, code(1)}, tv1.Role_ROLE_TOOL, true},
	} {
		if got := present.Folds(tt.blocks, len(tt.blocks)-1, tt.role); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"table", "Mode     Length\n----     ------\n", true},
		{"tabs", "a\tb\nc\td", true},
		{"indents", "usage: x\n        -a\n        -b", true},
		{"prose", "One long sentence.\nAnother one.\n", false},
		{"one gap", "a    b\nc\n", false},
	} {
		if got := present.Columns(tt.text); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	listing := &tv1.Listing{Entries: []*tv1.ListingEntry{{Name: "d", Directory: true, Children: proto.Uint32(1)}, {Name: "f", Size: proto.Uint64(2048)}}}
	for _, tt := range []struct{ name, got, want string }{
		{"listing", present.ListingFacts(listing), "1 folder, 1 file"},
		{"folder", present.EntryName(listing.Entries[0]) + " " + present.EntryFacts(listing.Entries[0]), "d/ 1 item"},
		{"file", present.EntryName(listing.Entries[1]) + " " + present.EntryFacts(listing.Entries[1]), "f 2.0 KiB"},
		{"view", present.ViewFacts(&tv1.FileView{FirstLine: proto.Uint32(1), LastLine: proto.Uint32(3), TotalLines: proto.Uint32(40), TotalBytes: proto.Uint64(9)}), "lines 1–3 of 40 · 9 B"},
		{"whole view", present.ViewFacts(&tv1.FileView{TotalLines: proto.Uint32(1)}), "1 line"},
		{"hits", present.HitFacts(&tv1.SearchHits{Hits: []*tv1.SearchHit{{}}, Total: proto.Uint64(9)}), "1 of 9 hits"},
		{"all hits", present.HitFacts(&tv1.SearchHits{Hits: []*tv1.SearchHit{{}}}), "1 hit"},
		{"stored", present.MediaFacts(&tv1.Media{MimeType: "image/png", Data: []byte("abc")}), "image/png · 3 B · stored in the conversation"},
		{"referred to", present.MediaFacts(&tv1.Media{Size: proto.Uint64(3)}), "3 B · not stored"},
		{"gap", present.NoteSteps(&tv1.Note{FirstIndex: proto.Uint32(4), LastIndex: proto.Uint32(4)}), "step 4 is missing"},
		{"command", strings.Join(present.CommandFacts(&tv1.Command{TimedOut: true}), ", "), "exit code not recorded, timed out"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
