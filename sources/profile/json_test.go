package profile

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

func TestJSONEqualsProtojsonOnRandomMessages(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	o := newOracle(t, compileSet(t, "kinds.proto"))
	accepted := 0
	for seed := range uint64(4000) {
		g := &generator{rand.New(rand.NewPCG(seed, 1)), p.schema, 60}
		raw := g.message(p.schema.messages[all], 4)
		want, err := o.json(all, raw)
		if err != nil {
			t.Fatalf("seed %d: the generator made something protojson refuses: %v", seed, err)
		}
		accepted++
		var f Findings
		got, err := p.AppendJSON(nil, all, raw, &JSONOptions{Findings: &f})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !equalJSON(t, want, got) {
			t.Fatalf("seed %d: %x", seed, raw)
		}
		if len(f.UnknownWrappers)+len(f.BadText)+len(f.BadValues) > 0 {
			t.Fatalf("seed %d: %v %v %v", seed, f.UnknownWrappers, f.BadText, f.BadValues)
		}
	}
}

func TestJSONEqualsProtojsonOnCorpus(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	o := newOracle(t, embeddedSet(t))
	var out []byte
	for _, b := range corpusBlobs(t, p) {
		var err error
		if out, err = p.AppendJSON(out[:0], b.message, b.raw, nil); err != nil {
			t.Fatalf("%s: %v", b.label, err)
		}
		want, err := o.json(b.message, b.raw)
		if err != nil {
			if b.label == scrambledFile && json.Valid(out) {
				continue // protojson refuses the type URL
			}
			t.Fatalf("%s: protojson: %v", b.label, err)
		}
		if !equalJSON(t, want, out) {
			t.Fatalf("%s differs", b.label)
		}
	}
}
