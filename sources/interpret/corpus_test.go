package interpret

import (
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/corpus"
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// TestCorpusSteps holds what every document of a real step must have.
func TestCorpusSteps(t *testing.T) {
	t.Parallel()
	ip := New(load(t))
	for _, file := range corpus.Databases(t, corpus.Copy(t)) {
		id := strings.TrimSuffix(filepath.Base(file), ".db")
		t.Run(id[:8], func(t *testing.T) {
			calls := make(map[string]string)
			answered := 0
			for _, st := range databaseSteps(t, file) {
				var a Arena
				s := &Session{ConversationID: id, Want: everything}
				err := ip.Step(s, st.in, &a, func(ev *doc.Event) error {
					if n := ev.GetNote(); n != nil {
						t.Errorf("%s: note %v", st.label, n)
					}
					if step := ev.GetStep(); step != nil {
						checkStep(t, st, step)
						answered += pair(t, st, step, calls)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if len(calls) > 5 && answered == 0 {
				t.Error("no step answers a call")
			}
		})
	}
}

func checkStep(t *testing.T, st stored, step *doc.Step) {
	t.Helper()
	if len(step.GetBlocks()) == 0 {
		t.Errorf("%s: nothing to show", st.label)
	}
	if step.GetKind() == "" || step.GetStatus() == "" || step.GetRole() == doc.Role_ROLE_UNSPECIFIED || step.CreatedNs == nil {
		t.Errorf("%s: kind %q, status %q, role %v, created %v", st.label, step.GetKind(), step.GetStatus(), step.GetRole(), step.CreatedNs)
	}
	if step.GetInherited() {
		t.Errorf("%s: marked inherited, but no conversation of the corpus is a fork", st.label)
	}
	if strings.Contains(step.GetSummary(), "\n") || len(step.GetSummary()) > maxSummary+8 {
		t.Errorf("%s: summary %q", st.label, step.GetSummary())
	}
	for _, b := range step.GetBlocks() {
		if c := b.GetCommand(); c != nil && c.ExitCode == nil && step.GetStatus() == "DONE" && step.GetTaskId() == "" {
			t.Errorf("%s: a finished command without an exit code", st.label)
		}
		if b.GetDetail() == nil {
			t.Errorf("%s: block %s without a detail", st.label, b.GetKind())
		}
		if d := b.GetDiff(); d != nil {
			checkHunks(t, b)
			if d.GetUri() == "" {
				t.Errorf("%s: a diff of no file", st.label)
			}
		}
	}
	if step.GetStatus() == "ERROR" && !hasAlarm(step) {
		t.Errorf("%s: failed, and nothing says why", st.label)
	}
	if step.GetRole() == doc.Role_ROLE_ASSISTANT && step.GetKind() != "PLANNER_RESPONSE" {
		t.Errorf("%s: %s is shown as the model's speech", st.label, step.GetKind())
	}
}

func hasAlarm(step *doc.Step) bool {
	for _, b := range step.GetBlocks() {
		if b.GetNotice().GetSeverity() == doc.Severity_SEVERITY_ERROR {
			return true
		}
	}
	return false
}

// pair checks that a step which answers a call carries the planner's call, whole.
func pair(t *testing.T, st stored, step *doc.Step, calls map[string]string) int {
	t.Helper()
	if step.GetKind() == "PLANNER_RESPONSE" {
		for _, b := range step.GetBlocks() {
			if c := b.GetToolCall().GetCall(); c != nil {
				calls[c.GetId()] = c.GetName() + " " + c.GetArgumentsJson()
			}
		}
		return 0
	}
	c := step.GetCall()
	if c == nil || c.GetId() == "" {
		return 0
	}
	asked, ok := calls[c.GetId()]
	if !ok {
		if step.GetKind() != "ERROR_MESSAGE" {
			t.Errorf("%s: answers a call that nobody made: %s", st.label, c.GetId())
		}
		return 0
	}
	if asked != c.GetName()+" "+c.GetArgumentsJson() {
		t.Errorf("%s: another call than the planner's", st.label)
	}
	return 1
}

// TestWantDecidesWhatIsMade runs the corpus with every combination of wishes.
func TestWantDecidesWhatIsMade(t *testing.T) {
	t.Parallel()
	ip := New(load(t))
	for _, st := range corpusSteps(t) {
		full := interpret(t, ip, sources.Want{Blocks: true, Native: true, Display: true}, st.in)
		bare := interpret(t, ip, sources.Want{}, st.in)
		if len(full) != len(bare) {
			t.Fatalf("%s: %d events with everything, %d with nothing", st.label, len(full), len(bare))
		}
		for i := range full {
			f, b := full[i].GetStep(), bare[i].GetStep()
			if f == nil {
				continue
			}
			if len(b.GetBlocks()) > 0 || b.NativeJson != nil || b.DisplayJson != nil {
				t.Errorf("%s: made what nobody wanted", st.label)
			}
			if len(f.GetNativeJson()) < 2 || len(f.GetDisplayJson()) < 2 {
				t.Errorf("%s: no JSON", st.label)
			}
			if f.GetKind() != b.GetKind() || f.GetStatus() != b.GetStatus() || f.GetCall().GetId() != b.GetCall().GetId() ||
				f.GetUsage().GetResponseId() != b.GetUsage().GetResponseId() || f.GetTaskId() != b.GetTaskId() {
				t.Errorf("%s: another step without blocks", st.label)
			}
		}
	}
}
