package demo_test

import (
	"testing"

	"agy-reader/host/demo/build"
	"agy-reader/host/demo/session"
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// A reader of the demo meets every kind of block of the document model, so that no sink leaves one out unnoticed.
func TestEveryKindOfBlockOccurs(t *testing.T) {
	t.Parallel()
	p, err := profile.Load(build.Profile)
	if err != nil {
		t.Fatal(err)
	}
	conversation, err := session.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	s := &interpret.Session{
		ConversationID: conversation.CascadeID, TrajectoryID: conversation.TrajectoryID, Want: sources.Want{Blocks: true},
	}
	ip, seen, nested := interpret.New(p), map[string]int{}, 0
	for _, row := range conversation.Steps {
		var arena interpret.Arena
		in := &interpret.Input{Index: uint32(row.Index), Payload: row.Payload, StepType: row.Type, Status: row.Status}
		err := ip.Step(s, in, &arena, func(event *doc.Event) error {
			if event.GetBegin() != nil {
				nested++
			}
			for _, block := range event.GetStep().GetBlocks() {
				detail := block.ProtoReflect().WhichOneof(block.ProtoReflect().Descriptor().Oneofs().ByName("detail"))
				if detail == nil {
					t.Errorf("step %d: block of kind %s without detail", row.Index, block.GetKind())
					continue
				}
				seen[string(detail.Name())]++
			}
			return nil
		})
		if err != nil {
			t.Errorf("step %d: %v", row.Index, err)
		}
	}
	details := (&doc.Block{}).ProtoReflect().Descriptor().Oneofs().ByName("detail").Fields()
	for i := range details.Len() {
		if name := string(details.Get(i).Name()); seen[name] == 0 {
			t.Errorf("no block of kind %s", name)
		}
	}
	if nested != 1 {
		t.Errorf("%d nested trajectories, want 1", nested)
	}
}
