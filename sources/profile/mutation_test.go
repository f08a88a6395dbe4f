package profile

import (
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
)

// Real steps with flipped bits, cut tails and moved fields: whatever the official library still reads, we read alike, and
// whatever Check lets through gives valid JSON.
func TestJSONOfDamagedCorpus(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	o := newOracle(t, embeddedSet(t))
	rng := rand.New(rand.NewPCG(1, 2))
	read, compared := 0, 0
	for _, b := range corpusBlobs(t, p) {
		if len(b.raw) == 0 || len(b.raw) > 4000 {
			continue
		}
		raw := damage(rng, b.raw)
		var f Findings
		if p.Check(b.message, raw, "", &f) != nil {
			if _, err := o.json(b.message, raw); err == nil {
				t.Fatalf("%s: Check refuses what protojson reads: %x", b.label, raw)
			}
			continue
		}
		read++
		got, err := p.AppendJSON(nil, b.message, raw, &JSONOptions{Project: false})
		if err != nil || !jsontext.Value(got).IsValid() { // UTF-8 throughout, no name twice
			t.Fatalf("%s: %v: %x", b.label, err, raw)
		}
		var shown Findings
		if _, err := p.AppendJSON(nil, b.message, raw, &JSONOptions{Project: true, Findings: &shown}); err != nil {
			t.Fatalf("%s: projected: %v: %x", b.label, err, raw)
		}
		if diff := cmp.Diff(f, shown, cmp.AllowUnexported(Findings{}), protocmp.Transform()); diff != "" {
			t.Fatalf("%s: findings (-checked +projected):\n%s", b.label, diff)
		}
		if len(f.BadText)+len(f.BadValues)+len(f.UnknownWrappers) > 0 {
			continue
		}
		want, err := o.json(b.message, raw)
		if err != nil {
			t.Fatalf("%s: nothing was found, but protojson says %v: %x", b.label, err, raw)
		}
		if !equalJSON(t, want, got) {
			t.Fatalf("%s: %x", b.label, raw)
		}
		compared++
	}
	if compared < 100 {
		t.Errorf("only %d of %d damaged messages were compared", compared, read)
	}
}

// damage returns a changed copy of a message.
func damage(rng *rand.Rand, raw []byte) []byte {
	out := append([]byte(nil), raw...)
	switch rng.IntN(4) {
	case 0:
		out[rng.IntN(len(out))] ^= 1 << rng.IntN(8)
	case 1:
		out = out[:rng.IntN(len(out))]
	case 2: // a singular field in pieces, in another order
		out = append(out, raw...)
	case 3: // top-level fields the other way round
		var items [][]byte
		for i := 0; i < len(raw); {
			_, _, _, end := next(raw, i)
			if end < 0 {
				break
			}
			items = append(items, raw[i:end])
			i = end
		}
		out = out[:0]
		for i := len(items) - 1; i >= 0; i-- {
			out = append(out, items[i]...)
		}
	}
	return out
}
