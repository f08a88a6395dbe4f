package merge_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	"agy-reader/sources"
)

// Case A02: a crash leaves steps running for ever. They are shown as that, and nothing is missing.
func TestCaseA02StepsLeftRunning(t *testing.T) {
	t.Parallel()
	for status, name := range map[int]string{2: "RUNNING", 8: "GENERATING", 9: "WAITING"} {
		s := newStore(t)
		var payloads [][]byte
		for i := range 2 {
			payloads = append(payloads, build.Step(t, fmt.Sprintf(`{"type":"CORTEX_STEP_TYPE_%s","status":%d,"metadata":{"createdAt":%q},
				"plannerResponse":{"response":"half"}}`, kind(1), status, at(i).Format(time.RFC3339))))
		}
		s.conversation(func(*build.Conversation) {}, payloads)
		d := s.mustRead()
		if diff := cmp.Diff([]string{"markdown: half", "notice: Did not finish (" + name + " when saved)."}, d.texts(1)); diff != "" {
			t.Error(diff)
		}
		if len(d.notes()) > 0 || d.step(1).GetStatus() != name {
			t.Errorf("notes %v, status %s", d.notes(), d.step(1).GetStatus())
		}
	}
}

// Case A03: both logs are cut at checkpoints, and the full one is not full. With the database, the union by index; without
// it, what is on no disk is said.
func TestCaseA03CutLogs(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(420, "DELETE FROM steps WHERE idx BETWEEN 400 AND 415")
	s.log("transcript.jsonl", lines(380, 419)...)
	s.log("transcript_full.jsonl", lines(412, 419)...)
	d := s.mustRead()
	for i := range 420 {
		want := ""
		switch {
		case i >= 412 && i <= 415:
			want = "transcript_full.jsonl"
		case i >= 400 && i < 412:
			want = "transcript.jsonl"
		}
		if st := d.step(uint32(i)); st == nil || want == "" && st.GetOrigin() != "" || want != "" && !strings.HasPrefix(st.GetOrigin(), "transcript") {
			t.Fatalf("step %d: %v", i, st)
		}
	}
	if len(d.footer.GetGaps()) > 0 {
		t.Errorf("gaps %v", d.footer.GetGaps())
	}

	if err := os.Remove(s.file(".db")); err != nil {
		t.Fatal(err)
	}
	d = s.mustRead()
	if gaps := d.footer.GetGaps(); len(gaps) != 1 || gaps[0].GetText() != "steps 0–379 are not on disk" || !gaps[0].GetIncomplete() {
		t.Errorf("gaps %v", gaps)
	}
	if d.step(380) == nil || d.step(419) == nil || d.step(379) != nil {
		t.Error("the document does not begin at step 380")
	}
}

// Case A05: empty logs beside a healthy database change nothing; with messages alone the document says that no model turns
// are left.
func TestCaseA05EmptyLogs(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(3)
	s.log("transcript.jsonl")
	s.log("transcript_full.jsonl")
	if d := s.mustRead(); len(d.outline()) != 3 || len(d.notes()) > 0 {
		t.Errorf("%v %v", d.outline(), d.notes())
	}
	s = newStore(t)
	s.log("transcript.jsonl")
	messages := filepath.Join(s.brain(), ".system_generated", "messages")
	if err := os.MkdirAll(messages, 0o755); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(messages, "00000000-0000-4000-8000-000000000009.json"),
		`{"id":"00000000-0000-4000-8000-000000000009","recipient":"`+id+`","sender":"system","content":"the task has ended","timestamp":"2026-06-01T10:00:00Z"}`)
	s.write(filepath.Join(s.root, "history.jsonl"), `{"display":"somebody else's","timestamp":1780307000000,"conversationId":"another"}
{"display":"please build it","timestamp":1780308000000,"workspace":"/w","conversationId":"`+id+`"}
{"display":"not JSON
{"display":"when?","timestamp":-1,"conversationId":"`+id+`"}`)
	d := s.mustRead()
	if notes := strings.Join(d.notes(), "\n"); !strings.Contains(notes, "incomplete: partial: no model turns") {
		t.Errorf("notes %s", notes)
	}
	var got []string
	for _, e := range d.events {
		for _, b := range e.GetAttachment().GetBlocks() {
			got = append(got, e.GetAttachment().GetKind()+" "+b.GetLabel()+": "+b.GetText())
		}
		if e.GetAttachment().GetKind() == "prompt" && e.GetAttachment().GetUri() != "" {
			t.Error("the prompts of all conversations have an address, and would be copied")
		}
	}
	for _, want := range []string{
		"prompt 2026-06-01 10:00:00 UTC: please build it", "prompt : when?", "message : the task has ended",
		"prompt : Lines of history.jsonl that cannot be read: 1; whose prompts they hold is not known.",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not in the document: %q", want, got)
		}
	}
	if strings.Contains(strings.Join(got, "\n"), "somebody else's") {
		t.Error("a prompt of another conversation")
	}
	// With steps there are prompts enough.
	s.log("transcript.jsonl", lines(0, 1)...)
	for _, e := range s.mustRead().events {
		if e.GetAttachment().GetKind() == "prompt" {
			t.Error("prompts beside steps")
		}
	}
}

// Case A14: a rewind deletes steps and gives their indexes to new ones of another trajectory. The document says where, and
// nothing is dropped for having an index that was there before.
func TestCaseA14Rewind(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.rewound(2, 3, true)
	d := s.mustRead()
	if diff := cmp.Diff([]string{"0 db 0", "1 db 1", "2 new 2", "3 new 3"}, d.outline()); diff != "" {
		t.Error(diff)
	}
	refs := d.header.GetReferences()
	if len(refs) != 1 || refs[0].GetKind() != "PRUNE" || refs[0].GetTrajectoryId() != trajectory || d.header.GetTrajectoryId() == trajectory {
		t.Errorf("references %v of trajectory %s", refs, d.header.GetTrajectoryId())
	}
	want := []string{"rewind: the conversation was rewound at step 2: what once followed was deleted, trajectory " + trajectory}
	if diff := cmp.Diff(want, d.notes()); diff != "" {
		t.Error(diff)
	}
	// The note stands behind the step it is about.
	for i, e := range d.events {
		if n := e.GetNote(); n != nil && d.events[i-1].GetStep().GetAnchor() != n.GetAnchor() {
			t.Errorf("the note about %s stands behind %v", n.GetAnchor(), d.events[i-1])
		}
	}
}

// Case D01: text of a damaged log never wins over the database's; where the log is all there is, nothing of it is dropped.
func TestCaseD01DamagedText(t *testing.T) {
	t.Parallel()
	const cut = "ends in the middle of a chara\ufffd\ufffd"
	s := newStore(t)
	s.database(3, "DELETE FROM steps WHERE idx = 1")
	s.log("transcript.jsonl", line(0, cut, at(0)), line(1, cut, at(1)), strings.Replace(line(2, cut, at(2)), "\ufffd", "\xff", 1))
	d := s.mustRead()
	if diff := cmp.Diff([]string{"0 db 0", "1 " + cut + " (transcript.jsonl)", "2 db 2"}, d.outline()); diff != "" {
		t.Error(diff)
	}
	// Bytes that are no text are repaired, and that is said.
	s.database2(t, "DELETE FROM steps WHERE idx > 0")
	s.log("transcript.jsonl", line(0, "db 0", at(0)), line(1, cut, at(1)), strings.Replace(line(2, cut, at(2)), "\ufffd\ufffd", "\xff\xfe", 1))
	d = s.mustRead()
	if got := d.outline()[2]; got != "2 "+cut+" (transcript.jsonl)" {
		t.Errorf("step 2 is %q", got)
	}
	if notes := strings.Join(d.notes(), "\n"); !strings.Contains(notes, "not valid UTF-8") {
		t.Errorf("notes %s", notes)
	}
}

// database2 writes the database anew.
func (s *store) database2(t *testing.T, statement string) {
	t.Helper()
	if err := os.Remove(s.file(".db")); err != nil {
		t.Fatal(err)
	}
	s.database(3, statement)
}

// Cases G10 and P05: a fork copies the steps of its parent. They are marked as inherited, so that their usage is not counted
// again, and the cut is shown.
func TestCaseG10Fork(t *testing.T)            { testFork(t) }
func TestCaseP05ForkCopiesUsage(t *testing.T) { testFork(t) }

func testFork(t *testing.T) {
	t.Parallel()
	const parent = "dddddddd-0000-4000-8000-000000000002"
	s := newStore(t)
	var payloads [][]byte
	for i := range 4 {
		of := parent
		if i >= 2 {
			of = id
		}
		payloads = append(payloads, build.Step(t, fmt.Sprintf(`{"type":"CORTEX_STEP_TYPE_%s","status":"CORTEX_STEP_STATUS_DONE",
			"metadata":{"createdAt":%q,"sourceTrajectoryStepInfo":{"cascadeId":%q,"stepIndex":%d},
			"modelUsage":{"responseId":"r%d","outputTokens":"10"}},"plannerResponse":{"response":"db %d"}}`,
			kind(1), at(i).Format(time.RFC3339), of, i, i, i)))
	}
	s.conversation(func(c *build.Conversation) {
		c.References = [][]byte{build.MustEncode(t, "exa.cortex_pb.CortexTrajectoryReference", fmt.Sprintf(
			`{"trajectoryId":%q,"conversationId":%q,"stepIndex":1,"referenceType":"CORTEX_TRAJECTORY_REFERENCE_TYPE_FORK"}`, trajectory, parent))}
	}, payloads)
	d := s.mustRead()
	for i := range uint32(4) {
		if st := d.step(i); st.GetInherited() != (i < 2) || st.GetUsage().GetOutputTokens() != 10 {
			t.Errorf("step %d: inherited %v, usage %v", i, st.GetInherited(), st.GetUsage())
		}
	}
	want := []string{"fork: forked at step 1 of conversation " + parent + ", trajectory " + trajectory}
	if diff := cmp.Diff(want, d.notes()); diff != "" {
		t.Error(diff)
	}
}

// Case O01: a log is written later than the database, and its last line may be half there. It is not taken for a step.
func TestCaseO01LogStillBeingWritten(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(3, "DELETE FROM steps WHERE idx = 1")
	half := line(3, "half", at(3))
	s.write(filepath.Join(s.logs(), "transcript.jsonl"), strings.Join(lines(0, 2), "\n")+"\n"+half[:len(half)-20])
	d := s.mustRead()
	if diff := cmp.Diff([]string{"0 db 0", "1 log 1 (transcript.jsonl)", "2 db 2"}, d.outline()); diff != "" {
		t.Error(diff)
	}
	if notes := strings.Join(d.notes(), "\n"); !strings.Contains(notes, "the last record is still being written") {
		t.Errorf("notes %s", notes)
	}
}

// Case O02: the product rewrites a log and leaves the end of it. The database still has what came before, and what it does
// not have is said.
func TestCaseO02ShrunkenLog(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(10, "DELETE FROM steps WHERE idx IN (2, 3, 8)")
	s.log("transcript.jsonl", lines(6, 9)...)
	d := s.mustRead()
	want := []string{
		"0 db 0", "1 db 1", "gap 2–3", "4 db 4", "5 db 5", "6 db 6", "7 db 7", "8 log 8 (transcript.jsonl)", "9 db 9",
	}
	if diff := cmp.Diff(want, d.outline()); diff != "" {
		t.Error(diff)
	}
}

// Case O03: a running step ends as canceled in its place. The next document has the same anchors.
func TestCaseO03StatusChangesInPlace(t *testing.T) {
	t.Parallel()
	var anchors []string
	for _, status := range []string{"RUNNING", "CANCELED"} {
		s := newStore(t)
		s.conversation(func(*build.Conversation) {}, [][]byte{
			payload(t, 0, "db 0", at(0), ""),
			build.Step(t, fmt.Sprintf(`{"type":"CORTEX_STEP_TYPE_%s","status":"CORTEX_STEP_STATUS_%s","metadata":{"createdAt":%q},"plannerResponse":{"response":"x"}}`,
				kind(1), status, at(1).Format(time.RFC3339))),
		})
		// The log keeps the state of the moment it was written.
		s.log("transcript.jsonl", lines(0, 0)[0], strings.Replace(line(1, "x", at(1)), "DONE", "RUNNING", 1))
		d := s.mustRead()
		if got := d.step(1).GetStatus(); got != status || len(d.outline()) != 2 {
			t.Errorf("status %s, want %s", got, status)
		}
		anchors = append(anchors, d.step(0).GetAnchor()+" "+d.step(1).GetAnchor())
	}
	if anchors[0] != anchors[1] {
		t.Errorf("anchors %v", anchors)
	}
}

// A log that shrinks between its indexing and the reading of a line costs its steps, not the document.
func TestLogShrinksWhileMerging(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(6, "DELETE FROM steps WHERE idx IN (2, 3)")
	s.log("transcript.jsonl", lines(0, 5)...)
	d, err := readFrom(context.Background(), source(), s.ref(), sources.Want{Blocks: true}, func(batch int) {
		if batch == 1 {
			s.log("transcript.jsonl", lines(5, 5)...)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0 db 0", "1 db 1", "gap 2–3", "4 db 4", "5 db 5"}, d.outline()); diff != "" {
		t.Error(diff)
	}
	if notes := strings.Join(d.notes(), "\n"); !strings.Contains(notes, "gap incomplete: steps 2–3 are not on disk: the logs cannot be read any more") {
		t.Errorf("notes %s", notes)
	}
}
