package demo_test

import (
	"testing"

	"agy-reader/host/demo/build"
	"agy-reader/host/demo/session"
	"agy-reader/sources/profile"
)

// The reader knows everything in the demo but the one field that is there to be unknown.
func TestOnlyTheUnknownFieldIsUnknown(t *testing.T) {
	t.Parallel()
	p, err := profile.Load(build.Profile)
	if err != nil {
		t.Fatal(err)
	}
	conversation, err := session.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	var found profile.Findings
	for _, row := range conversation.Steps {
		if err := p.Check(build.StepMessage, row.Payload, "step", &found); err != nil {
			t.Errorf("step %d: %v", row.Index, err)
		}
	}
	if len(found.Unknown) != 1 || found.Unknown[0].GetNumber() != session.UnknownField {
		t.Errorf("unknown fields %v, want one with number %d", found.Unknown, session.UnknownField)
	}
	found.Unknown = nil
	if !found.Clean() {
		t.Errorf("findings: enums %v, wrappers %v, text %v", found.UnknownEnums, found.UnknownWrappers, found.BadText)
	}
}
