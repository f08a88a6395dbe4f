package convert

import (
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func announcing(n int, arguments string) *transcriptv1.Step {
	st := &transcriptv1.Step{Anchor: "step-1"}
	for range n {
		call := &transcriptv1.ToolCall{Name: "a_tool", ArgumentsJson: arguments}
		st.Blocks = append(st.Blocks, &transcriptv1.Block{Detail: &transcriptv1.Block_ToolCall{ToolCall: &transcriptv1.ToolCallRef{Call: call}}})
	}
	return st
}

// However many calls wait for a result, and however big they are, memory is bounded and every call is in a note.
func TestWaitingCallsAreBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		steps, each int
		arguments   string
	}{
		{"many", 150, 1000, "{}"},
		{"big", 200, 1, `"` + strings.Repeat("x", 1<<20) + `"`},
	} {
		var c calls
		said := 0
		say := func(notes ...*transcriptv1.Note) error {
			for _, n := range notes {
				if n.GetCall().GetArgumentsJson() != test.arguments || n.GetAnchor() != "step-1" {
					t.Fatalf("%s: a note without its call", test.name)
				}
			}
			said += len(notes)
			return nil
		}
		st := announcing(test.each, test.arguments)
		for range test.steps {
			over, err := c.announce(st)
			if err != nil {
				t.Fatal(err)
			}
			_ = say(over...)
			if c.waiting > maxWaiting || c.bytes > maxWaitingBytes+len(test.arguments)+100 {
				t.Fatalf("%s: %d calls of %d bytes wait", test.name, c.waiting, c.bytes)
			}
		}
		if said == 0 {
			t.Errorf("%s: no limit was met", test.name)
		}
		if err := c.unanswered(say); err != nil || said != test.steps*test.each {
			t.Errorf("%s: %d of %d calls, %v", test.name, said, test.steps*test.each, err)
		}
		waiting := c.waiting
		c.answer(&transcriptv1.Step{Anchor: "step-2", Call: &transcriptv1.ToolCall{Name: "a_tool"}})
		if c.waiting != waiting-1 {
			t.Errorf("%s: an answered call still waits", test.name)
		}
	}
}
