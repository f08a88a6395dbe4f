package interpret

import (
	"bytes"
	"math/rand/v2"
	"testing"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// TestMutatedSteps flips, cuts and repeats bytes of example and real steps. Without strictness every input becomes a step.
func TestMutatedSteps(t *testing.T) {
	t.Parallel()
	ip := New(load(t))
	r := rand.New(rand.NewPCG(11, 13))
	var a Arena
	s := &Session{ConversationID: "c", Want: sources.Want{Blocks: true, Native: true, Display: true}}
	damaged := 0
	for _, st := range append(exampleSteps(t), corpusSteps(t)...) {
		for range 4 {
			raw := bytes.Clone(st.in.Payload)
			for range 1 + r.IntN(3) {
				if len(raw) == 0 {
					break
				}
				i := r.IntN(len(raw))
				switch r.IntN(4) {
				case 0:
					raw[i] ^= 1 << r.IntN(8)
				case 1:
					raw = raw[:i]
				case 2:
					raw = append(raw[:i:i], raw[r.IntN(i+1):]...)
				default:
					raw[i] = byte(r.IntN(256))
				}
			}
			steps, depth := 0, 0
			in := &Input{Index: st.in.Index, Payload: raw, StepType: st.in.StepType, Status: st.in.Status}
			err := ip.Step(s, in, &a, func(ev *doc.Event) error {
				checkTexts(t, ev.ProtoReflect())
				switch {
				case ev.GetStep() != nil:
					steps++
					if len(ev.GetStep().GetBlocks()) == 0 {
						t.Errorf("%s: nothing to show", st.label)
					}
				case ev.GetBegin() != nil:
					depth++
				case ev.GetEnd() != nil:
					depth--
				case ev.GetNote().GetKind() == "damage":
					damaged++
				}
				return nil
			})
			if err != nil || steps == 0 || depth != 0 {
				t.Fatalf("%s: error %v, %d steps, depth %d", st.label, err, steps, depth)
			}
			a.Reset()
		}
	}
	if damaged == 0 {
		t.Error("no mutation damaged a step")
	}
}
