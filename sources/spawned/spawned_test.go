package spawned

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRecord: whatever lies in a subagents folder, a record keeps its file's id or is refused with a reason.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"conversationId":"child-1","subagentDescriptor":{"typeName":"research","role":"r"},"state":"SUBAGENT_STATE_ALIVE","spawnStepIndex":12}`))
	f.Add([]byte(`{"conversationId":"other","spawnStepIndex":-1}`))
	f.Add([]byte(`{"conversationId":7,"spawnStepIndex":"x"}`))
	f.Add([]byte(`[[[[`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, problem := Parse(data, "child-1")
		if s.ID != "child-1" && (s.ID != "" || problem == "") || s.Step != nil && *s.Step == 1<<32-1 {
			t.Errorf("%v, %q", s, problem)
		}
		if !utf8.ValidString(problem) {
			t.Errorf("problem %q", problem)
		}
	})
}

func TestRecord(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		data, id, problem string
		step              int
	}{
		{`{"conversationId":"CHILD-1","spawnStepIndex":12}`, "child-1", "", 12},
		{`{"spawnStepIndex":"12"}`, "child-1", "", 12},
		{`{}`, "child-1", "", -1},
		{`{"spawnStepIndex":1.5}`, "child-1", "", -1},
		{`{"spawnStepIndex":-3}`, "child-1", "", -1},
		{`{"spawnStepIndex":99999999999}`, "child-1", "", -1},
		{`{"conversationId":"child-2"}`, "", "another conversation", -1},
		{`{"conversationId":`, "child-1", "no JSON object", -1},
	} {
		s, problem := Parse([]byte(tc.data), "child-1")
		step := -1
		if s.Step != nil {
			step = int(*s.Step)
		}
		if s.ID != tc.id || step != tc.step || !strings.Contains(problem, tc.problem) || (tc.problem == "") != (problem == "") {
			t.Errorf("%s: id %q, step %d, problem %q", tc.data, s.ID, step, problem)
		}
	}
}
