package interpret

import (
	"strconv"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	doc "agy-reader/proto/agyreader/transcript/v1"
)

// TestNestedStepsCostTheirEvents bounds what a step of many small nested steps takes: the events, which all live until the
// arena is reset, and nothing per step beside them.
func TestNestedStepsCostTheirEvents(t *testing.T) {
	s, ip := loadSchema(t), New(load(t))
	const steps = 20000
	small := s.payload(t, `{"type": 15, "status": 3}`)
	var trajectory []byte
	for i := range steps {
		text := withField(nil, 1, []byte(strconv.Itoa(i)))
		trajectory = protowire.AppendTag(trajectory, 2, protowire.BytesType)
		trajectory = protowire.AppendBytes(trajectory, withField(small, 20, text))
	}
	raw := withField(small, 6, trajectory)
	a, seen := new(Arena), 0
	allocs := testing.AllocsPerRun(1, func() {
		a.Reset()
		seen = 0
		err := ip.Step(&Session{Want: everything}, input(0, raw), a, func(ev *doc.Event) error {
			if ev.GetStep() != nil {
				seen++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	if seen != steps+1 || allocs > steps/100 {
		t.Errorf("%d steps in %v allocations", seen, allocs)
	}
	if got := cost(t, ip, raw); got > steps*760 {
		t.Errorf("%d bytes a nested step", got/steps)
	}
}
