package trajectory_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/trajectory"
)

func TestInBranch(t *testing.T) {
	t.Parallel()
	step := func(anchor, continues string) *transcriptv1.Event {
		return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: &transcriptv1.Step{Anchor: anchor, ContinuesAnchor: continues}}}
	}
	note := func(anchor string) *transcriptv1.Event {
		return trajectory.NoteEvent(&transcriptv1.Note{Anchor: anchor})
	}
	for _, test := range []struct {
		branch    string
		got, want *transcriptv1.Event
	}{
		{"branch-2-", step("step-7", "step-3"), step("branch-2-7", "branch-2-3")},
		{"branch-2-", step("step-7", ""), step("branch-2-7", "")},
		{"branch-2-", note("step-7"), note("branch-2-7")},
		{"branch-2-", note(""), note("")},
		{"", step("step-7", "step-3"), step("step-7", "step-3")},
	} {
		if got := trajectory.InBranch(test.got, test.branch); !proto.Equal(got, test.want) {
			t.Errorf("%q: %v, want %v", test.branch, got, test.want)
		}
	}
}
