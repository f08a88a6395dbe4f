package interpret

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

var strict = sources.Want{Blocks: true, Strict: true}

// stepErr runs one step and returns its error.
func stepErr(ip *Interpreter, want sources.Want, in *Input) error {
	var a Arena
	return ip.Step(&Session{Want: want}, in, &a, func(*doc.Event) error { return nil })
}

// withField appends a field to a message.
func withField(raw []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(bytes.Clone(raw), number, protowire.BytesType), value)
}

func notesOf(events []*doc.Event) []*doc.Note {
	var list []*doc.Note
	for _, ev := range events {
		if n := ev.GetNote(); n != nil {
			list = append(list, n)
		}
	}
	return list
}

func TestUnknownFieldsAreKeptAndNoted(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	raw := withField(s.payload(t, `{"type": 8, "status": 3, "viewFile": {"content": "x"}}`), 9000, []byte("future"))
	ev := interpret(t, ip, everything, input(7, raw))
	u := ev[0].GetStep().GetUnknown()
	if len(u) != 1 || u[0].GetNumber() != 9000 || string(u[0].GetValue()) != "future" || u[0].GetPath() != "" {
		t.Errorf("unknown: %v", u)
	}
	n := notesOf(ev)
	if len(n) != 1 || n[0].GetKind() != "unknown_fields" || n[0].GetAnchor() != "step-7" || !n[0].GetIncomplete() || !strings.Contains(n[0].GetText(), "9000") {
		t.Errorf("notes: %v", n)
	}
	err := stepErr(ip, strict, input(7, raw))
	if !errors.Is(err, sources.ErrUnknown) || !strings.Contains(err.Error(), "step 7") || !strings.Contains(err.Error(), "9000") {
		t.Errorf("strict: %v", err)
	}
}

func TestUnknownInNestedStepBelongsToIt(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	inner := withField(s.payload(t, `{"type": 14, "status": 3, "userInput": {"userResponse": "hello"}}`), 9001, []byte("deep"))
	// Trajectory.steps is field 2, Step.subtrajectory is field 6.
	raw := withField(s.payload(t, `{"type": 85, "status": 3, "browserSubagent": {"task": "t"}}`), 6, withField(nil, 2, inner))
	ev := interpret(t, ip, everything, input(2, raw))
	if len(ev[0].GetStep().GetUnknown()) != 0 {
		t.Errorf("the outer step took it: %v", ev[0])
	}
	nested := ev[2].GetStep()
	if nested.GetAnchor() != "step-2-0" || len(nested.GetUnknown()) != 1 || nested.GetUnknown()[0].GetPath() != "" {
		t.Errorf("nested step: %v", nested)
	}
	if n := notesOf(ev); len(n) != 1 || n[0].GetAnchor() != "step-2-0" {
		t.Errorf("notes: %v", n)
	}
}

func TestUnknownEnumValues(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	raw := s.payload(t, `{"type": 999, "status": 77, "viewFile": {"content": "x"}}`)
	ev := interpret(t, ip, everything, input(1, raw))
	if st := ev[0].GetStep(); st.GetKind() != "999" || st.GetStatus() != "77" {
		t.Errorf("step: %v", st)
	}
	if n := notesOf(ev); len(n) != 1 || !strings.Contains(n[0].GetText(), "999") {
		t.Errorf("notes: %v", n)
	}
	if err := stepErr(ip, strict, input(1, raw)); !errors.Is(err, sources.ErrUnknown) {
		t.Errorf("strict: %v", err)
	}
}

func TestDamagedText(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	raw := bytes.Replace(s.payload(t, `{"type": 8, "status": 3, "viewFile": {"content": "abcd"}}`), []byte("abcd"), []byte("a\xff\xfed"), 1)
	ev := interpret(t, ip, everything, input(1, raw))
	if got := ev[0].GetStep().GetBlocks()[0].GetText(); !strings.HasPrefix(got, "a\uFFFD") || !strings.HasSuffix(got, "d") {
		t.Errorf("text %q", got)
	}
	n := notesOf(ev)
	if len(n) != 1 || n[0].GetKind() != "repaired_text" || !strings.Contains(n[0].GetText(), "viewFile.content") {
		t.Errorf("notes: %v", n)
	}
	if err := stepErr(ip, strict, input(1, raw)); err != nil {
		t.Errorf("damaged text is known content, strict says %v", err)
	}
}

func TestPayloadThatIsNoMessage(t *testing.T) {
	t.Parallel()
	ip := New(load(t))
	for _, want := range []sources.Want{everything, {Blocks: true, Native: true}, {Display: true, Blocks: true}} {
		in := &Input{Index: 5, Payload: []byte("\xff\xff\xff garbage"), StepType: 21, Status: 3}
		ev := interpret(t, ip, want, in)
		st := ev[0].GetStep()
		if st.GetKind() != "RUN_COMMAND" || st.GetStatus() != "DONE" || len(st.GetBlocks()) == 0 {
			t.Errorf("step: %v", st)
		}
		if u := st.GetUnknown(); len(u) != 1 || !bytes.Equal(u[0].GetValue(), in.Payload) {
			t.Errorf("the bytes are lost: %v", u)
		}
		if n := notesOf(ev); len(n) != 1 || n[0].GetKind() != "damage" || !n[0].GetIncomplete() || n[0].GetAnchor() != "step-5" {
			t.Errorf("notes: %v", n)
		}
		want.Strict = true
		if err := stepErr(ip, want, in); err == nil || !strings.Contains(err.Error(), "step 5") {
			t.Errorf("strict: %v", err)
		}
	}
}

func TestColumnsSpeakForAnEmptyPayload(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	whole := s.payload(t, `{"metadata": {"createdAt": "2026-07-01T10:00:00Z", "executionId": "e-1"}, "error": {"shortError": "it broke"}, "taskDetails": {"id": "conv/task-1"}}`)
	columns := make(map[protowire.Number][]byte)
	for b := whole; len(b) > 0; {
		number, _, n := protowire.ConsumeTag(b)
		value, m := protowire.ConsumeBytes(b[n:])
		columns[number], b = value, b[n+m:]
	}
	in := &Input{Index: 3, StepType: 8, Status: 7, Metadata: columns[5], Error: columns[31], TaskDetails: columns[148]}
	st := interpret(t, ip, everything, in)[0].GetStep()
	if st.GetKind() != "VIEW_FILE" || st.GetStatus() != "ERROR" || st.CreatedNs == nil || st.GetTaskId() != "conv/task-1" || st.GetExecutionId() != "e-1" {
		t.Errorf("step: %v", st)
	}
	if got := readable(&doc.Event{Body: &doc.Event_Step{Step: st}}); !strings.Contains(got, "it broke") {
		t.Errorf("the error column is lost:\n%s", got)
	}
	in.Metadata = []byte("\xff")
	ev := interpret(t, ip, everything, in)
	if u := ev[0].GetStep().GetUnknown(); len(u) != 1 || string(u[0].GetValue()) != "\xff" || len(notesOf(ev)) != 1 {
		t.Errorf("a broken column is lost: %v", ev)
	}
}

func TestTimesThatNoClockShows(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	st := interpret(t, ip, everything, input(0, s.payload(t, `{"type": 8, "status": 3,
		"metadata": {"createdAt": "0001-01-01T00:00:00Z", "startedAt": "1970-01-01T00:00:00Z"}, "viewFile": {}}`)))[0].GetStep()
	if st.CreatedNs != nil || st.StartedNs != nil || st.CompletedNs != nil {
		t.Errorf("times: %v", st)
	}
}

func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	raw := s.payload(t, `{"type": 85, "status": 3, "browserSubagent": {"task": "deepest"}}`)
	for range maxDepth + 3 {
		raw = withField(s.payload(t, `{"type": 85, "status": 3, "browserSubagent": {"task": "t"}}`), 6, withField(nil, 2, raw))
	}
	ev := interpret(t, ip, everything, input(0, raw))
	begins, ends, cuts := 0, 0, 0
	for _, e := range ev {
		switch {
		case e.GetBegin() != nil:
			begins++
		case e.GetEnd() != nil:
			ends++
		case e.GetNote().GetKind() == "cut":
			cuts++
		}
	}
	if begins != maxDepth || ends != maxDepth || cuts != 1 {
		t.Errorf("%d begins, %d ends, %d cuts", begins, ends, cuts)
	}
}

func TestDeepArguments(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	for _, name := range []string{"ask_question", "invoke_subagent", "multi_replace_file_content", "manage_task"} {
		raw := s.payload(t, fmt.Sprintf(`{"type": 132, "status": 3, "metadata": {"toolCall": {"name": %q}},
			"generic": {"args": {"questions": %q, "Subagents": %q, "ReplacementChunks": %q, "TargetFile": "a"}}}`, name, deep, deep, deep))
		if ev := interpret(t, ip, everything, input(0, raw)); len(ev[0].GetStep().GetBlocks()) == 0 {
			t.Errorf("%s: nothing shown", name)
		}
	}
}

// TestEventsLiveUntilReset keeps a batch of events in one arena and compares them with copies taken as they came.
func TestEventsLiveUntilReset(t *testing.T) {
	t.Parallel()
	ip := New(load(t))
	steps := append(exampleSteps(t), corpusSteps(t)...)
	var a Arena
	for _, want := range []sources.Want{everything, {Blocks: true, Native: true, Display: true}} {
		for start := 0; start < len(steps); start += 50 {
			var live, copies []*doc.Event
			for _, st := range steps[start:min(start+50, len(steps))] {
				err := ip.Step(&Session{Want: want}, st.in, &a, func(ev *doc.Event) error {
					live, copies = append(live, ev), append(copies, proto.Clone(ev).(*doc.Event))
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			for i := range live {
				if !proto.Equal(live[i], copies[i]) {
					t.Fatalf("event %d changed after it was handed out", i)
				}
			}
			a.Reset()
		}
	}
}

// TestYieldErrorStops passes an error of the reader through at once.
func TestYieldErrorStops(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	raw := s.payload(t, `{"type": 85, "status": 3, "browserSubagent": {"task": "t"}, "subtrajectory": {"steps": [{"type": 14, "userInput": {"userResponse": "a"}}, {"type": 14}]}}`)
	stop := errors.New("stop")
	for after := range 5 {
		var a Arena
		n := 0
		err := ip.Step(&Session{Want: everything}, input(0, raw), &a, func(*doc.Event) error {
			if n++; n > after {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) || n != after+1 {
			t.Errorf("after %d events: %v, %d calls", after, err, n)
		}
	}
}
