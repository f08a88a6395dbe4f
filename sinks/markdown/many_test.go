package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// manyCalls is a step that asks for n calls which nothing answers, and one more step.
func manyCalls(n int) []*tv1.Event {
	planner := &tv1.Step{Anchor: "step-0"}
	all := []*tv1.Event{{Body: &tv1.Event_Begin{Begin: &tv1.Header{}}}, {Body: &tv1.Event_Step{Step: planner}}}
	for i := range n {
		c := &tv1.ToolCall{Id: fmt.Sprintf("id<%d>", i), Name: "run_command", ArgumentsJson: fmt.Sprintf("{\"CommandLine\":\"do<%d>`\"}", i)}
		planner.Blocks = append(planner.Blocks, &tv1.Block{Detail: &tv1.Block_ToolCall{ToolCall: &tv1.ToolCallRef{Call: c}}})
		all = append(all, &tv1.Event{Body: &tv1.Event_Note{Note: &tv1.Note{Kind: "CALL_WITHOUT_RESULT", Anchor: "step-0", Text: "No result.", Call: c}}})
	}
	return append(all, &tv1.Event{Body: &tv1.Event_Step{Step: &tv1.Step{Anchor: "step-1"}}}, &tv1.Event{Body: &tv1.Event_End{End: &tv1.Footer{}}})
}

// However many calls there are, each is named on its step, each that nothing answers stands in full behind it, and what
// follows is still read as what it is.
func TestEveryCallStays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ n, stubs, folded int }{{1, 1, 0}, {500, 500, 0}, {501, 0, 1}, {1100, 0, 600}} {
		t.Run(fmt.Sprint(tt.n), func(t *testing.T) {
			t.Parallel()
			all := manyCalls(tt.n)
			file := write(t, &sinks.Request{}, all, false)
			if diff := cmp.Diff(file, write(t, &sinks.Request{}, all, true)); diff != "" {
				t.Errorf("rendered ahead it differs (-event +ahead):\n%s", diff)
			}
			if got := strings.Count(file, "\n→ "); got != tt.stubs {
				t.Errorf("%d stubs, want %d", got, tt.stubs)
			}
			if got := strings.Count(file, "\n- ``step 0 · No result. · run_command · id<"); got != tt.folded {
				t.Errorf("%d notes are lines, want %d", got, tt.folded)
			}
			for i := range tt.n {
				if got := strings.Count(file, fmt.Sprintf("id<%d>", i)); got != 1 {
					t.Errorf("id %d is there %d times", i, got)
				}
				if got := strings.Count(file, fmt.Sprintf("do<%d>`", i)); got != 2 {
					t.Errorf("call %d is there %d times, want on the step and behind it", i, got)
				}
			}
			for name, md := range dialects {
				if got := len(read(t, md, file).headings); got != 4 {
					t.Errorf("%s: %d headings, want title, two steps and summary", name, got)
				}
			}
		})
	}
}

func TestFileStaysInProportion(t *testing.T) {
	t.Parallel()
	const mostGrowth = 3
	all := manyCalls(20_000)
	in := 0
	for _, ev := range all {
		in += proto.Size(ev)
	}
	if out := len(write(t, &sinks.Request{}, all, true)); out > mostGrowth*in {
		t.Errorf("%d bytes became %d", in, out)
	}
}
