package profile

import (
	"math/rand/v2"
	"testing"
)

// checkClean demands of a message that is written in one pass that two would have found and written the same. It reports
// whether it was.
func checkClean(t *testing.T, p *Profile, message string, raw []byte) bool {
	t.Helper()
	m := p.schema.messages[message]
	got, ok := p.transcodeClean([]byte("x"), m, raw)
	if !ok {
		return false
	}
	var found Findings
	only := 0
	err := p.inspect(m, raw, &JSONOptions{Findings: &found, Project: true, SourceOnly: func(string, string, []byte) { only++ }})
	if err != nil || !found.Clean() || only > 0 {
		t.Fatalf("%s is not clean: %v, %+v, %d left out: %x", message, err, found, only, raw)
	}
	want, err := p.transcode([]byte("x"), m, raw, true, true)
	if err != nil || string(want) != string(got) {
		t.Fatalf("%s: %s in one pass, %s in two, %v: %x", message, got, want, err, raw)
	}
	return true
}

func TestCleanOfCorpus(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	rng := rand.New(rand.NewPCG(5, 6))
	clean, damaged, all := 0, 0, 0
	for _, b := range corpusBlobs(t, p) {
		if len(b.raw) == 0 {
			continue
		}
		all++
		if checkClean(t, p, b.message, b.raw) {
			clean++
		}
		for range min(10, 100_000/len(b.raw)) {
			if checkClean(t, p, b.message, damage(rng, b.raw)) {
				damaged++
			}
		}
	}
	if clean < all/2 || damaged == 0 {
		t.Errorf("%d of %d messages are clean, %d damaged ones", clean, all, damaged)
	}
	t.Logf("%d of %d messages are clean, %d damaged ones", clean, all, damaged)
}

func TestCleanOfRandom(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	clean := map[string]int{}
	for seed := range uint64(3000) {
		g := &generator{rand.New(rand.NewPCG(seed, 4)), p.schema, 20}
		for _, message := range []string{all, kindsStep} {
			if checkClean(t, p, message, g.message(p.schema.messages[message], 2)) {
				clean[message]++
			}
		}
	}
	if clean[all] < 20 || clean[kindsStep] < 20 {
		t.Errorf("clean: %v", clean)
	}
}

// Each of these would be lost or misread in one pass.
func TestOddIsNotClean(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	stamp := func(w wire) []byte { return wire{}.str(5, string(wire{}.str(1, string(w)))) }
	for name, raw := range map[string][]byte{
		"unknown field":         wire{}.varint(1, 14).varint(90001, 1),
		"other wire type":       wire{}.str(1, "x"),
		"enum value":            wire{}.varint(1, 99999),
		"bad text":              wire{}.varint(1, 21).str(28, string(wire{}.str(23, "a\xff"))),
		"field twice":           wire{}.varint(1, 21).varint(4, 3).varint(1, 14),
		"time out of range":     stamp(wire{}.varint(1, 1<<50)),
		"unknown field of time": stamp(wire{}.varint(1, 5).varint(9, 1)),
		"time with other type":  stamp(wire{}.str(1, "x")),
		"cut":                   {0x2a, 0x05, 0x0a},
	} {
		if out, ok := p.transcodeClean(nil, p.schema.messages[stepName], raw); ok {
			t.Errorf("%s: %s", name, out)
		}
	}
	kinds := kindsProfile(t)
	mapped := func(entries ...wire) (raw wire) {
		for _, e := range entries {
			raw = raw.str(71, string(e))
		}
		return raw
	}
	for name, raw := range map[string][]byte{
		"key twice":            mapped(wire{}.str(1, "k").str(2, "a"), wire{}.str(1, "k").str(2, "b")),
		"bad key":              mapped(wire{}.str(1, "\xff").str(2, "a")),
		"bad value":            mapped(wire{}.str(1, "k").str(2, "\xff")),
		"value twice":          mapped(wire{}.str(1, "k").str(2, "a").str(2, "b")),
		"third field of entry": mapped(wire{}.str(1, "k").str(2, "a").varint(3, 1)),
	} {
		if out, ok := kinds.transcodeClean(nil, kinds.schema.messages[all], raw); ok {
			t.Errorf("%s: %s", name, out)
		}
	}
	if _, ok := kinds.transcodeClean(nil, kinds.schema.messages[all], mapped(wire{}.str(1, "k").str(2, "a"), wire{}.str(2, "b"))); !ok {
		t.Error("a plain map is not clean")
	}
	if _, ok := p.transcodeClean(nil, p.schema.messages[stepName], stamp(wire{}.varint(1, 5))); !ok {
		t.Error("a plain time is not clean")
	}
}

func FuzzClean(f *testing.F) {
	p := kindsProfile(f)
	seeds(f, p)
	f.Fuzz(func(t *testing.T, raw []byte) {
		checkClean(t, p, all, raw)
		checkClean(t, p, kindsStep, raw)
	})
}
