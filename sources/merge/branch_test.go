package merge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	"agy-reader/sources"
)

// later is the time of a step that was written anew after a rewind.
func later(index int) time.Time { return at(index).Add(time.Hour) }

// rewound writes a database whose steps from cut on were written anew, up to last.
func (s *store) rewound(cut, last int, reference bool, statements ...string) {
	s.t.Helper()
	var payloads [][]byte
	for i := range last + 1 {
		when, text := at(i), fmt.Sprintf("db %d", i)
		if i >= cut {
			when, text = later(i), fmt.Sprintf("new %d", i)
		}
		payloads = append(payloads, payload(s.t, i, text, when, ""))
	}
	s.conversation(func(c *build.Conversation) {
		c.TrajectoryID = "bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee"
		if reference {
			c.References = [][]byte{build.MustEncode(s.t, "exa.cortex_pb.CortexTrajectoryReference", fmt.Sprintf(
				`{"trajectoryId":%q,"stepIndex":%d,"referenceType":"CORTEX_TRAJECTORY_REFERENCE_TYPE_PRUNE"}`, trajectory, cut))}
		}
	}, payloads, statements...)
}

func newLines(from, to int) []string {
	var list []string
	for i := from; i <= to; i++ {
		list = append(list, line(i, fmt.Sprintf("new log %d", i), later(i)))
	}
	return list
}

// A log keeps the branch that a rewind deleted. It is never mixed with the conversation, and never lost.
func TestOtherBranches(t *testing.T) {
	t.Parallel()
	const cut, last = 2, 3
	whole := []string{"0 db 0", "1 db 1", "2 new 2", "3 new 3"}
	from := func(list ...string) []string { return list }
	for _, test := range []struct {
		name string
		make func(s *store)
		want []string
	}{
		{
			"both branches in the log", func(s *store) {
				s.rewound(cut, last, true)
				s.log("transcript.jsonl", append(lines(0, 5), newLines(cut, last)...)...)
			},
			append(append(from(), whole...), "{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 log 4 (transcript.jsonl)", "5 log 5 (transcript.jsonl)", "}"),
		},
		{
			"without a reference the end of the log tells", func(s *store) {
				s.rewound(cut, last, false)
				s.log("transcript.jsonl", append(lines(0, 5), newLines(cut, last)...)...)
			},
			append(append(from(), whole...), "{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 log 4 (transcript.jsonl)", "5 log 5 (transcript.jsonl)", "}"),
		},
		{
			"old branch alone", func(s *store) {
				s.rewound(cut, last, false)
				s.log("transcript.jsonl", lines(0, 5)...)
			},
			append(append(from(), whole...), "{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 log 4 (transcript.jsonl)", "5 log 5 (transcript.jsonl)", "}"),
		},
		{
			"nothing written since the cut", func(s *store) {
				s.rewound(cut, cut-1, true)
				s.log("transcript.jsonl", lines(0, 5)...)
			},
			append(append(from(), whole[:2]...), "{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 log 4 (transcript.jsonl)", "5 log 5 (transcript.jsonl)", "}"),
		},
		{
			"hole in the new branch, line of the old one", func(s *store) {
				s.rewound(cut, 5, true, "DELETE FROM steps WHERE idx = 4")
				s.log("transcript.jsonl", append(append(lines(0, 5), newLines(2, 3)...), newLines(5, 5)...)...)
			},
			from("0 db 0", "1 db 1", "2 new 2", "3 new 3", "gap 4–4", "5 new 5",
				"{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 log 4 (transcript.jsonl)", "5 log 5 (transcript.jsonl)", "}"),
		},
		{
			"hole in the new branch, line of the new one", func(s *store) {
				s.rewound(cut, 5, true, "DELETE FROM steps WHERE idx = 4")
				s.log("transcript.jsonl", append(lines(0, 3), newLines(2, 5)...)...)
			},
			from("0 db 0", "1 db 1", "2 new 2", "3 new 3", "4 new log 4 (transcript.jsonl)", "5 new 5",
				"{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "}"),
		},
		{
			"hole below the cut", func(s *store) {
				s.rewound(cut, last, true, "DELETE FROM steps WHERE idx = 1")
				s.log("transcript.jsonl", append(lines(0, 5), newLines(cut, last)...)...)
			},
			from("0 db 0", "1 log 1 (transcript.jsonl)", "2 new 2", "3 new 3",
				"{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 log 4 (transcript.jsonl)", "5 log 5 (transcript.jsonl)", "}"),
		},
		{
			"the new branch goes on in the log", func(s *store) {
				s.rewound(cut, last, true)
				s.log("transcript.jsonl", append(lines(0, 5), newLines(cut, 4)...)...)
			},
			from("0 db 0", "1 db 1", "2 new 2", "3 new 3", "4 new log 4 (transcript.jsonl)",
				"{", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 log 4 (transcript.jsonl)", "5 log 5 (transcript.jsonl)", "}"),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			test.make(s)
			d := s.mustRead()
			if diff := cmp.Diff(test.want, d.outline()); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
			branches := strings.Count(strings.Join(d.notes(), "\n"), "holds another branch of this conversation")
			if open := strings.Count(strings.Join(d.outline(), ""), "{"); open != branches {
				t.Errorf("%d branches, %d notes about them", open, branches)
			}
			anchors := map[string]bool{}
			for _, e := range d.events {
				if st := e.GetStep(); st != nil {
					if anchors[st.GetAnchor()] {
						t.Errorf("anchor %s twice", st.GetAnchor())
					}
					anchors[st.GetAnchor()] = true
				}
			}
		})
	}
}

// A step that is written again with another status is the same step, not another branch (case O03 in the logs).
func TestLaterStateOfAStepIsNoBranch(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(3, "DELETE FROM steps WHERE idx = 1")
	running := strings.Replace(line(2, "not yet", at(2)), "DONE", "RUNNING", 1)
	s.log("transcript.jsonl", append(lines(0, 1), running, line(2, "log 2", at(2)))...)
	if diff := cmp.Diff([]string{"0 db 0", "1 log 1 (transcript.jsonl)", "2 db 2"}, s.mustRead().outline()); diff != "" {
		t.Error(diff)
	}
}

// Times that are a little out of order, as steps that ran together have them, do not make another branch.
func TestStepsThatRanTogether(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(5, "DELETE FROM steps WHERE idx = 2")
	early := line(2, "log 2", at(0))
	s.log("transcript.jsonl", append(append(lines(0, 1), early), lines(3, 4)...)...)
	want := []string{"0 db 0", "1 db 1", "2 log 2 (transcript.jsonl)", "3 db 3", "4 db 4"}
	if diff := cmp.Diff(want, s.mustRead().outline()); diff != "" {
		t.Error(diff)
	}
}

// Lines about other steps than the neighbours of a hole are another branch and do not fill it.
func TestForeignLinesFillNothing(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(4, "DELETE FROM steps WHERE idx = 2")
	s.log("transcript.jsonl", line(1, "foreign", later(1)), line(2, "foreign", later(2)), line(3, "foreign", later(3)))
	d, err := s.read(sources.Want{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0 db 0", "1 db 1", "gap 2–2", "3 db 3",
		"{", "1 foreign (transcript.jsonl)", "2 foreign (transcript.jsonl)", "3 foreign (transcript.jsonl)", "}",
	}
	if diff := cmp.Diff(want, d.outline()); diff != "" {
		t.Error(diff)
	}
}

// However often a log seems to have been rewound, the number of branches is bounded and no line is lost.
func TestManyBranches(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.rewound(1, 2, true)
	var log []string
	for i := range 200 {
		log = append(log, line(1, fmt.Sprintf("branch %d", i), at(i+1)))
	}
	s.log("transcript.jsonl", append(log, newLines(1, 2)...)...)
	d := s.mustRead()
	seen, anchors := 0, map[string]bool{}
	for _, e := range d.events {
		if st := e.GetStep(); st != nil {
			anchors[st.GetAnchor()] = true
			seen++
		}
	}
	if open := strings.Count(strings.Join(d.outline(), ""), "{"); open != 64 || seen != 203 || len(anchors) != seen {
		t.Errorf("%d branches, %d steps, %d anchors", open, seen, len(anchors))
	}
}
