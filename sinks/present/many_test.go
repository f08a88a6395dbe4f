package present_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

func call(name, arguments string) *tv1.Block {
	return &tv1.Block{Detail: &tv1.Block_ToolCall{ToolCall: &tv1.ToolCallRef{Call: &tv1.ToolCall{Name: name, ArgumentsJson: arguments}}}}
}

func TestCallRun(t *testing.T) {
	t.Parallel()
	calls := func(n int) (blocks []*tv1.Block) {
		for range n {
			blocks = append(blocks, call("t", ""))
		}
		return blocks
	}
	labelled := call("t", "")
	labelled.Label = "kept"
	for _, tt := range []struct {
		name   string
		blocks []*tv1.Block
		from   int
		want   int
	}{
		{"few", calls(500), 0, 0},
		{"many", calls(501), 0, 501},
		{"the rest is few", calls(501), 1, 0},
		{"text between", append(append(calls(400), &tv1.Block{Text: "x"}), calls(400)...), 0, 0},
		{"text behind", append(calls(600), &tv1.Block{Text: "x"}), 0, 600},
		{"a label is not lost", append(calls(600), labelled), 0, 600},
		{"a call that is not there is not lost", append(calls(600), &tv1.Block{Detail: &tv1.Block_ToolCall{}}), 0, 600},
		{"at the end", calls(3), 3, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := present.CallRun(tt.blocks, tt.from); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestCallList(t *testing.T) {
	t.Parallel()
	got := present.CallList([]*tv1.Block{
		call("run\n\x1b", `{"CommandLine":"go test ./..."}`), call("", ""), call("view", `{"AbsolutePath":"`+strings.Repeat("a", 300)+`"}`),
	})
	want := "run␊␛ · go test ./...\n" + present.UnnamedTool + "\nview · " + strings.Repeat("a", 160) + "…\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoteRun(t *testing.T) {
	t.Parallel()
	about := func(kind string, severity tv1.Severity, n int) (events []*tv1.Event) {
		for range n {
			events = append(events, &tv1.Event{Body: &tv1.Event_Note{Note: &tv1.Note{Kind: kind, Severity: severity, Call: &tv1.ToolCall{}}}})
		}
		return events
	}
	notes := func(n int) []*tv1.Event { return about("a", tv1.Severity_SEVERITY_INFO, n) }
	record := &tv1.Event{Body: &tv1.Event_Record{Record: &tv1.Record{}}}
	other := &tv1.Event{Body: &tv1.Event_Note{Note: &tv1.Note{Kind: "a"}}}
	for _, tt := range []struct {
		name   string
		events []*tv1.Event
		want   string
	}{
		{"few", append(notes(500), other), ""},
		{"many", append(notes(502), other), "begins 500, listed 500, listed 501, ends 502, "},
		{"a record does not end them", append(append(notes(501), record), notes(1)...), "begins 500, listed 500, listed 502, "},
		{"another kind does", append(notes(501), about("b", tv1.Severity_SEVERITY_INFO, 1)...), "begins 500, listed 500, ends 501, "},
		{"another severity does", append(notes(501), about("a", tv1.Severity_SEVERITY_ERROR, 1)...), "begins 500, listed 500, ends 501, "},
		{"a note without a call does", append(append(notes(300), other), notes(300)...), ""},
		{"the end does", append(notes(501), &tv1.Event{Body: &tv1.Event_End{}}), "begins 500, listed 500, ends 501, "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var run present.NoteRun
			got := ""
			for i, ev := range tt.events {
				begins, listed, ends := run.Next(ev)
				for _, said := range []struct {
					word string
					is   bool
				}{{"ends", ends}, {"begins", begins}, {"listed", listed}} {
					if said.is {
						got += fmt.Sprintf("%s %d, ", said.word, i)
					}
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoteLine(t *testing.T) {
	t.Parallel()
	got := present.NoteLine(&tv1.Note{Anchor: "step-4", Text: "No result.\n", Call: &tv1.ToolCall{
		Name: "n", Id: "i", Action: "a", Summary: "s", InvalidJson: "j", ArgumentsJson: "{\x1b",
	}})
	if want := "step 4 · No result.␊ · n · i · a · s · j · {␛"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
