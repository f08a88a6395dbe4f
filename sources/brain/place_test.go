package brain

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// An upload that a prompt names stands there once; prompts without a time take none, and other steps neither.
func TestCaseM03UploadsByName(t *testing.T) {
	t.Parallel()
	const named, other = "media__1783017216500.png", "media__1783017216501.png"
	f := mustOpen(t, store(t, map[string]string{named: "png", other: "png", "cat_1783017216500.png": "an image, no upload"}))
	if !f.Dated() {
		t.Fatal("no upload tells its time")
	}
	f.Place([]sources.Mark{{Index: 1}, {Index: 3, CreatedNS: 1783017217e9}, {Index: 9}})
	prompt := &transcriptv1.Step{Index: 3, Anchor: "step-3", Kind: "USER_INPUT", Blocks: []*transcriptv1.Block{
		{Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: "file:///x/" + named}}},
	}}
	want := []string{
		"upload " + named + " @step-3",
		"upload " + other + " @step-3 | media: " + other + " | notice: Placed here by the time in its name; no step names it.",
	}
	if diff := cmp.Diff(want, lines(f.Beside(prompt))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, st := range []*transcriptv1.Step{{Index: 1, Kind: "USER_INPUT"}, {Index: 3, Kind: "RUN_COMMAND"}} {
		if got := f.Beside(st); got != nil {
			t.Errorf("step %d %s: %v", st.Index, st.Kind, got)
		}
	}
	f.Place(nil)
	if got := lines(f.Beside(prompt)); len(got) != 1 {
		t.Errorf("without prompts: %v", got)
	}
	if f := mustOpen(t, store(t, map[string]string{"media__1.jpg": "jpg"})); f.Dated() {
		t.Error("a number that is no time")
	}
}
