package trajectory

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// BranchType is Header.trajectory_type of a nested trajectory that holds an abandoned branch.
const BranchType = "BRANCH"

// InBranch gives an event of an abandoned branch anchors of its own, which begin with branch. An empty one leaves the event
// as it is.
func InBranch(ev *transcriptv1.Event, branch string) *transcriptv1.Event {
	if branch == "" {
		return ev
	}
	rename := func(anchor string) string {
		if number, ok := strings.CutPrefix(anchor, "step-"); ok {
			return branch + number
		}
		return anchor
	}
	switch body := ev.Body.(type) {
	case *transcriptv1.Event_Step:
		body.Step.Anchor = rename(body.Step.Anchor)
		body.Step.ContinuesAnchor = rename(body.Step.ContinuesAnchor)
	case *transcriptv1.Event_Note:
		body.Note.Anchor = rename(body.Note.Anchor)
	}
	return ev
}
