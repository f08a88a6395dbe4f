package merge_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// texts are the blocks of a step, each with its kind.
func (d *document) texts(index uint32) []string {
	var list []string
	for _, e := range d.events {
		if st := e.GetStep(); st != nil && st.GetIndex() == index {
			for _, b := range st.GetBlocks() {
				list = append(list, b.GetKind()+": "+b.GetText())
			}
			return list
		}
	}
	return nil
}

func (d *document) step(index uint32) *transcriptv1.Step {
	for _, e := range d.events {
		if st := e.GetStep(); st != nil && st.GetIndex() == index {
			return st
		}
	}
	return nil
}

// cleared makes the product's own of a step whose text it deleted: type, status and metadata stay.
func cleared(t testing.TB, index int) []byte {
	t.Helper()
	return build.Step(t, `{"type":"CORTEX_STEP_TYPE_`+kind(index)+`","status":"CORTEX_STEP_STATUS_CLEARED",
		"metadata":{"createdAt":"`+at(index).Format("2006-01-02T15:04:05Z")+`"}}`)
}

// A step whose text the product deleted is no error. The logs may still have the text.
func TestClearedSteps(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	var payloads [][]byte
	for i := range 4 {
		payloads = append(payloads, cleared(t, i))
	}
	s.conversation(func(*build.Conversation) {}, payloads)
	s.log("transcript.jsonl", lines(1, 1)[0], strings.Replace(line(2, "", at(2)), "DONE", "CLEARED", 1),
		line(3, "of another branch", at(7)))
	d := s.mustRead()
	for index, want := range map[uint32][]string{
		0: {"notice: The product deleted the text of this step."},
		1: {"notice: The product deleted the text of this step; what follows is from transcript.jsonl.", "markdown: log 1"},
		2: {"notice: The product deleted the text of this step."},
		3: {"notice: The product deleted the text of this step."},
	} {
		if diff := cmp.Diff(want, d.texts(index)); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", index, diff)
		}
	}
	if origin := d.step(1).GetOrigin() + d.step(0).GetOrigin(); origin != "transcript.jsonl" {
		t.Errorf("origin %q", origin)
	}
	if notes := d.notes(); len(notes) > 0 {
		t.Errorf("notes %v", notes)
	}
	if got := d.footer.GetCompleteness(); got != "the product deleted the text of 4 steps" {
		t.Errorf("completeness %q", got)
	}
	if _, err := s.read(sources.Want{Blocks: true, Strict: true}); err != nil {
		t.Errorf("strict reading: %v", err)
	}
}

// JSON has the text in its place, too, beside what the source still says.
func TestRestoredJSON(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{"UPDATE steps SET step_payload = x'ffff' WHERE idx = 1", "UPDATE steps SET step_payload = NULL WHERE idx = 1", "SELECT 1"} {
		s := newStore(t)
		payloads := [][]byte{payload(t, 0, "db 0", at(0), ""), payload(t, 1, "db 1", at(1), "")}
		if statement == "SELECT 1" {
			payloads[1] = cleared(t, 1)
		}
		s.conversation(func(*build.Conversation) {}, payloads, statement)
		s.log("transcript.jsonl", lines(0, 1)...)
		d, err := s.read(sources.Want{Blocks: true, Native: true, Display: true})
		if err != nil {
			t.Fatal(err)
		}
		for name, raw := range map[string][]byte{"native": d.step(1).GetNativeJson(), "display": d.step(1).GetDisplayJson()} {
			var step struct {
				Type            string
				Status          string
				PlannerResponse struct{ Response string }
			}
			if err := json.Unmarshal(raw, &step); err != nil || step.PlannerResponse.Response != "log 1" || step.Type == "" || step.Status == "" {
				t.Errorf("%s: %s %s, %v", statement, name, raw, err)
			}
		}
	}
}

// Where the content of a step is damaged the text of the logs stands behind what is left of it, and the damage is still said.
func TestDamagedSteps(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, statement, said string }{
		{"no protobuf", "UPDATE steps SET step_payload = x'ffff' WHERE idx = 1", "Step 1 could not be decoded"},
		{"nothing", "UPDATE steps SET step_payload = NULL WHERE idx = 1", "step 1: it has no stored content"},
		{"nothing at all", "UPDATE steps SET step_payload = NULL, step_type = 0, status = 0, metadata = NULL WHERE idx = 1", "step 1: it has no stored content"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			s.database(3, test.statement)
			s.log("transcript_full.jsonl", lines(0, 2)...)
			d := s.mustRead()
			texts := d.texts(1)
			if n := len(texts); n < 2 || texts[n-1] != "markdown: log 1" || texts[n-2] != "notice: What follows is from transcript_full.jsonl." {
				t.Errorf("step 1: %q", texts)
			}
			st := d.step(1)
			if st.GetOrigin() != "transcript_full.jsonl" || st.GetKind() != kind(1) || st.GetRole() != transcriptv1.Role_ROLE_ASSISTANT || st.CreatedNs == nil {
				t.Errorf("step 1: %v", st)
			}
			if notes := d.notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], "damage incomplete: "+test.said) {
				t.Errorf("notes %q", notes)
			}
			// Without logs the step is what the database says.
			alone := newStore(t)
			alone.database(3, test.statement)
			if st := alone.mustRead().step(1); st.GetOrigin() != "" {
				t.Errorf("without logs: %v", st)
			}
		})
	}
}

// Pages that cannot be read are a hole with a cause. What the logs fill in does not make the damage disappear.
func TestDamagedPages(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	const n = 400
	var payloads [][]byte
	for i := range n {
		payloads = append(payloads, payload(t, i, strings.Repeat("filler ", 60), at(i), ""))
	}
	s.conversation(func(*build.Conversation) {}, payloads)
	damaged := spoil(t, s.file(".db"))
	if damaged == 0 {
		t.Fatal("no page was spoilt, so this proves nothing")
	}
	s.log("transcript_full.jsonl", lines(0, n-1)...)
	d := s.mustRead()
	var filled, stored int
	for i := range n {
		switch st := d.step(uint32(i)); {
		case st == nil:
			t.Errorf("step %d is missing", i)
		case st.GetOrigin() != "":
			filled++
		default:
			stored++
		}
	}
	if filled == 0 || stored < n/2 {
		t.Errorf("%d steps from the logs, %d from the database", filled, stored)
	}
	notes := strings.Join(d.notes(), "\n")
	if !strings.Contains(notes, "filled incomplete: steps ") || !strings.Contains(notes, "pages of the database are damaged") {
		t.Errorf("notes %s", notes)
	}
}

// A database of which no step can be read is worth nothing: the logs are, and it is said aloud. Without logs the error stands.
func TestDamagedBeyondUse(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	var payloads [][]byte
	for i := range 400 {
		payloads = append(payloads, payload(t, i, strings.Repeat("filler ", 60), at(i), ""))
	}
	s.conversation(func(*build.Conversation) {}, payloads)
	if spoilPages(t, s.file(".db"), 1000) < 10 {
		t.Fatal("too few pages were spoilt, so this proves nothing")
	}
	if _, err := s.read(sources.Want{Blocks: true}); !errors.Is(err, sources.ErrUnreadable) {
		t.Fatalf("without logs: %v", err)
	}
	s.log("transcript.jsonl", lines(0, 9)...)
	d := s.mustRead()
	if notes := strings.Join(d.notes(), "\n"); len(d.outline()) != 10 || !strings.Contains(notes, "damage incomplete: "+id+".db cannot be used") {
		t.Errorf("%v, notes %s", d.outline(), notes)
	}
}
