package sinks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

func full() []*tv1.Event {
	blocks := []*tv1.Block{{Kind: "text", Text: "said"}}
	return []*tv1.Event{
		{Body: &tv1.Event_Begin{Begin: &tv1.Header{ConversationId: "c", MembersJson: []byte("{}")}}},
		{Body: &tv1.Event_Step{Step: &tv1.Step{
			Index: 7, Blocks: blocks, Summary: "s", Call: &tv1.ToolCall{Name: "n"}, Usage: &tv1.Usage{Calls: 1},
			ExtraUsage: []*tv1.Usage{{Calls: 2}}, NativeJson: []byte("{}"), DisplayJson: []byte("[]"), SourceOnly: []*tv1.SourceOnly{{Path: "p"}},
		}}},
		{Body: &tv1.Event_Attachment{Attachment: &tv1.Attachment{Name: "plan.md", Blocks: blocks}}},
		{Body: &tv1.Event_Record{Record: &tv1.Record{Section: "generatorMetadata"}}},
		{Body: &tv1.Event_End{End: &tv1.Footer{SkippedSections: []string{"x"}}}},
		{},
	}
}

// Whatever a sink needs, what it did not ask for is gone while it looks and back afterwards.
func TestWithhold(t *testing.T) {
	t.Parallel()
	for bits := range 64 {
		is := func(bit int) bool { return bits>>bit&1 == 1 }
		needs := sinks.Needs{Blocks: is(0), Native: is(1), Display: is(2), Records: is(3)}
		keep := is(4)
		w := sinks.WithholdFrom(needs, keep)
		w.Sections = is(5)
		for i, ev := range full() {
			hidden, ok := w.Hide(ev)
			st := ev.GetStep()
			native, display := needs.Native || needs.Display && keep, needs.Display
			for what, wrong := range map[string]bool{
				"record":     ok != (ev.GetRecord() == nil || needs.Records),
				"blocks":     st != nil && (len(st.Blocks) > 0) != needs.Blocks,
				"usage":      st != nil && (st.Usage != nil) != needs.Blocks,
				"native":     st != nil && (len(st.NativeJson) > 0) != native,
				"display":    st != nil && (len(st.DisplayJson) > 0) != display,
				"sourceOnly": st != nil && (len(st.SourceOnly) > 0) != display,
				"attachment": ev.GetAttachment() != nil && (len(ev.GetAttachment().Blocks) > 0) != needs.Blocks,
				"members":    ev.GetBegin() != nil && (len(ev.GetBegin().MembersJson) > 0) != (native || display),
				"sections":   ev.GetEnd() != nil && (len(ev.GetEnd().SkippedSections) > 0) == w.Sections,
				"index":      st != nil && st.Index != 7,
			} {
				if wrong {
					t.Errorf("%+v keep %v event %d: %s", needs, keep, i, what)
				}
			}
			hidden.Restore(ev)
			if diff := cmp.Diff(proto.Message(full()[i]), proto.Message(ev), protocmp.Transform()); diff != "" {
				t.Errorf("%+v event %d not restored:\n%s", needs, i, diff)
			}
		}
	}
}
