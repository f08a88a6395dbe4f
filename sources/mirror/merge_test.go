package mirror_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/mirror"
)

func open(t *testing.T, files map[string]string) *mirror.Log {
	t.Helper()
	l, err := mirror.Open(t.Context(), store(t, files))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// marks names marks by index, kind and file.
func marks(l *mirror.Log, list []mirror.Mark) (out []string) {
	for _, m := range list {
		out = append(out, string(rune('0'+m.Index))+" "+m.Kind+" "+m.Status+" "+strings.TrimSuffix(l.File(m), ".jsonl"))
	}
	return out
}

// Lines of a branch that was rewound, and earlier states of a step, are kept once; copies are not.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	at := func(line, second string) string { return strings.Replace(line, "13:00:0", "13:00:1"+second, 1) }
	old := []string{prompt("0", "a"), prompt("1", "old"), said("2", "old answer", "")}
	fresh := []string{at(said("1", "new", ""), ""), at(prompt("2", "more"), "")}
	running := strings.Replace(result("3", "GENERIC", "started"), `"DONE"`, `"RUNNING"`, 1)
	tail := []string{running, result("3", "GENERIC", "ended"), prompt("4", "x"), prompt("4", "x")}
	text := lines(append(append(append([]string(nil), old...), fresh...), tail...)...)
	l := open(t, map[string]string{fullLog: text, shortLog: text + " "})
	want := []string{"0 USER_INPUT DONE transcript", "1 PLANNER_RESPONSE DONE transcript", "2 USER_INPUT DONE transcript", "3 GENERIC DONE transcript", "4 USER_INPUT DONE transcript"}
	if diff := cmp.Diff(want, marks(l, l.Marks())); diff != "" {
		t.Error(diff)
	}
	want = []string{"1 USER_INPUT DONE transcript_full", "2 PLANNER_RESPONSE DONE transcript_full", "3 GENERIC RUNNING transcript_full"}
	if diff := cmp.Diff(want, marks(l, l.Abandoned())); diff != "" {
		t.Error(diff)
	}
}

// Of two logs with other steps at an index, the later one counts.
func TestStaleLog(t *testing.T) {
	t.Parallel()
	late := strings.Replace(said("1", "new", ""), "13:00:01", "14:00:01", 1)
	l := open(t, map[string]string{fullLog: lines(prompt("0", "a"), prompt("1", strings.Repeat("old", 99))), shortLog: lines(prompt("0", "a"), late)})
	if got := marks(l, l.Marks()); got[1] != "1 PLANNER_RESPONSE DONE transcript" {
		t.Error(got)
	}
	if got := marks(l, l.Abandoned()); len(got) != 1 || got[0] != "1 USER_INPUT DONE transcript_full" {
		t.Error(got)
	}
}

// Batches are decoded in any number of workers, and the same lines give the same document.
func TestWorkers(t *testing.T) {
	t.Parallel()
	l := open(t, map[string]string{fullLog: lines(prompt("0", "a"), said("1", "b", `[{"name":"run_command","args":{"CommandLine":"x"}}]`), result("2", "GENERIC", "c"))})
	s := mirror.Settings{Profile: newest(t), Session: &interpret.Session{ConversationID: conversation, Want: sources.Want{Blocks: true, Display: true}}}
	first := decode(t, l.Batch(l.Marks(), s))
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				events, err := copied(l.Batch(l.Marks(), s))
				if err != nil || len(events) != len(first) || events[2].String() != first[2].String() {
					t.Errorf("%v, %v", events, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// Bytes that are no text are repaired, and that is said.
func TestBadText(t *testing.T) {
	t.Parallel()
	d := convert(t, store(t, map[string]string{shortLog: strings.Replace(lines(prompt("0", "a~b")), "~", "\xff\xfe", 1)}))
	if got := shown(d.steps[0]); !strings.Contains(got, "\uFFFD") || !strings.Contains(got, "a") || d.note("repaired_text") == nil && d.note("damage") == nil {
		t.Errorf("%q %v", got, d.notes)
	}
}

// Zeros that a crash left are said, not taken for a record.
func TestZeros(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("\x00", 5000)
	d := convert(t, store(t, map[string]string{shortLog: lines(prompt("0", "a"), zeros) + zeros + lines(prompt("1", "b")) + zeros}))
	if len(d.steps) != 2 || len(d.notes) != 3 || !strings.Contains(d.notes[1].GetText(), "is 5000 NUL bytes") {
		t.Errorf("%v %v", d.indexes(), d.notes)
	}
}

// The same log gives the same digest, another one another.
func TestDigest(t *testing.T) {
	t.Parallel()
	a := convert(t, store(t, map[string]string{shortLog: lines(prompt("0", "a"))}))
	b := convert(t, store(t, map[string]string{shortLog: lines(prompt("0", "a"), "", "$rename:x")}))
	c := convert(t, store(t, map[string]string{shortLog: lines(prompt("0", "b"))}))
	if a.footer.GetSourceDigest() == "" || a.footer.GetSourceDigest() != b.footer.GetSourceDigest() || a.footer.GetSourceDigest() == c.footer.GetSourceDigest() {
		t.Errorf("%s %s %s", a.footer.GetSourceDigest(), b.footer.GetSourceDigest(), c.footer.GetSourceDigest())
	}
}
