package mirror

import (
	"testing"
	"time"
)

// Results that no call gives are passed over quickly, however many calls there are.
func TestPairingIsQuick(t *testing.T) {
	t.Parallel()
	const results = 300_000
	l := &Log{tools: make([]toolClass, maxCalls)}
	for i := range l.tools {
		l.tools[i] = classes["run_command"]
	}
	word := func(kind string) uint16 {
		n, _ := l.words.of(kind)
		return n
	}
	l.marks = append(l.marks, mark{kind: word(plannerKind), n: maxCalls})
	for i := range results {
		l.marks = append(l.marks, mark{index: uint32(i + 1), kind: word([]string{"VIEW_FILE", "FIND"}[i%2])})
	}
	l.marks = append(l.marks, mark{index: results + 1, kind: word("RUN_COMMAND")})
	start := time.Now()
	l.pair()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	for i := range l.marks[1 : results+1] {
		if l.marks[i+1].link != 0 {
			t.Fatalf("result %d has a call", i)
		}
	}
	if l.marks[results+1].link == 0 {
		t.Error("the command has no call")
	}
}
