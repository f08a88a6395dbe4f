package convert

import (
	"fmt"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// A conversation of very many prompts, files and subagents has bounded lists of them, which count what is beyond.
func TestOverviewIsBounded(t *testing.T) {
	t.Parallel()
	const steps = 120_000
	var o overview
	view := func(uri string) *transcriptv1.Block {
		return &transcriptv1.Block{Detail: &transcriptv1.Block_FileView{FileView: &transcriptv1.FileView{Uri: uri}}}
	}
	for i := range uint32(steps) {
		st := &transcriptv1.Step{Index: i, Anchor: fmt.Sprint("step-", i), Role: transcriptv1.Role_ROLE_USER}
		st.Blocks = []*transcriptv1.Block{view("file:///same"), view("file:///same"), view(fmt.Sprint("file:///", i/2))}
		st.Children = []*transcriptv1.ChildLink{{ConversationId: "c"}}
		if at := o.step(st); (at != 0) != (i < maxPrompts) {
			t.Fatalf("prompt %d has place %d", i, at)
		}
		// What follows a prompt that is not listed counts for none.
		o.step(&transcriptv1.Step{Index: i, Anchor: st.Anchor, Role: transcriptv1.Role_ROLE_TOOL})
	}
	got := o.finish()
	last := got.Prompts[len(got.Prompts)-1]
	if len(got.Prompts) != maxPrompts || got.MorePrompts != steps-maxPrompts || last.Anchor != "step-9999" || last.StepsAfter != 1 || last.ToolStepsAfter != 1 {
		t.Errorf("%d prompts and %d more, the last %v", len(got.Prompts), got.MorePrompts, last)
	}
	if len(got.Files) != maxFiles || got.MoreFiles != steps/2+1-maxFiles {
		t.Errorf("%d files and %d more", len(got.Files), got.MoreFiles)
	}
	places, more := 0, 0
	for _, f := range got.Files {
		places += len(f.ReadAnchors)
		more += int(f.MoreRead)
	}
	if places != maxPlaces || places+more != steps+2*(maxFiles-1) {
		t.Errorf("%d steps of files and %d more", places, more)
	}
	if len(got.Children) != maxChildren || got.MoreChildren != steps-maxChildren {
		t.Errorf("%d subagents and %d more", len(got.Children), got.MoreChildren)
	}
}

// Names of files are kept up to a size.
func TestNamesOfFilesAreBounded(t *testing.T) {
	t.Parallel()
	var o overview
	long := string(make([]byte, maxFileNames-10))
	for i, uri := range []string{"a", long, long + "b", "c", long + "b"} {
		o.step(&transcriptv1.Step{Index: uint32(i), Anchor: fmt.Sprint("step-", i), Blocks: []*transcriptv1.Block{
			{Detail: &transcriptv1.Block_Diff{Diff: &transcriptv1.Diff{Uri: uri}}},
		}})
	}
	if got := o.finish(); len(got.Files) != 3 || got.MoreFiles != 1 || got.Files[2].ChangedAnchors[0] != "step-3" {
		t.Errorf("%d files and %d more", len(got.Files), got.MoreFiles)
	}
}
