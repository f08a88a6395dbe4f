package daemon

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// A daemon may answer without a trajectory, with null, or with an empty one.
func TestReferenceN37EmptyTrajectory(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{}`, `{"trajectory":null}`, `{"trajectory":{}}`} {
		answers := loaded()
		answers[methodGet] = jsonOnly(text(http.StatusOK, answer))
		f := newFake(t, answers)
		got, err := NewClient(Endpoint{URL: f.URL}).Ordinary(t.Context(), testID)
		if err != nil || string(got.Trajectory) != "{}" {
			t.Errorf("%s: %s, %v", answer, got.Trajectory, err)
		}
		all, err := read(t, New(at(f.URL), nil), sources.Ref{ID: testID}, sources.Want{Blocks: true})
		if err != nil {
			t.Errorf("%s: %v", answer, err)
		}
		for _, m := range all {
			if ev, ok := m.(*transcriptv1.Event); ok && ev.GetStep() != nil {
				t.Errorf("%s: a step", answer)
			}
		}
	}
}

// The output of a command is an object; a text in its place is kept as it is.
func TestReferenceN59OutputAsText(t *testing.T) {
	t.Parallel()
	answers := loaded()
	answers[methodGet] = jsonOnly(text(http.StatusOK, `{"trajectory":{"cascadeId":"`+testID+`","steps":[
		{"type":"CORTEX_STEP_TYPE_RUN_COMMAND","status":"CORTEX_STEP_STATUS_DONE","runCommand":{"commandLine":"ls","combinedOutput":"two files"}},
		{"type":"CORTEX_STEP_TYPE_RUN_COMMAND","status":"CORTEX_STEP_STATUS_DONE","runCommand":{"commandLine":"ls","combinedOutput":{"full":"three files"}}}]}}`))
	f := newFake(t, answers)
	all, err := read(t, New(at(f.URL), nil), sources.Ref{ID: testID}, sources.Want{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		ev, ok := m.(*transcriptv1.Event)
		if !ok || ev.GetStep() == nil {
			continue
		}
		got = append(got, "step")
		for _, u := range ev.GetStep().GetUnknown() {
			got = append(got, u.GetPath()+" "+string(u.GetValue()))
		}
		for _, b := range ev.GetStep().GetBlocks() {
			if text := b.GetText(); text == "three files" {
				got = append(got, text)
			}
		}
	}
	if diff := cmp.Diff([]string{"step", `runCommand.combinedOutput "two files"`, "step", "three files"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
