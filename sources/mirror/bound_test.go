package mirror

import (
	"strings"
	"testing"
)

// The index of a log of very many lines ends at a bound, and what is beyond is counted.
func TestRecordsAreBounded(t *testing.T) {
	t.Parallel()
	l := &Log{marks: make([]mark, maxRecords-1)}
	s := &scanner{log: l, file: &file{name: "transcript.jsonl"}}
	s.next(0)
	s.bytes([]byte(strings.Repeat(`{"step_index":1,"type":"USER_INPUT"}`+"\n", 3)), 0)
	s.sum()
	if len(l.marks) != maxRecords || len(l.notes) != 1 || !l.notes[0].Incomplete || !strings.Contains(l.notes[0].Text, "2 more records are not read") {
		t.Errorf("%d marks, notes %v", len(l.marks), l.notes)
	}
}
