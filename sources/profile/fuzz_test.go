package profile

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// seeds adds random messages and some that are damaged.
func seeds(f *testing.F, p *Profile) {
	for seed := range uint64(30) {
		g := &generator{rand.New(rand.NewPCG(seed, 2)), p.schema, 20}
		raw := g.message(p.schema.messages[all], 3)
		f.Add([]byte(raw))
		f.Add([]byte(raw[:len(raw)/2]))
	}
	f.Add([]byte(wire{}.str(14, "\xff").str(81, string(wire{}.str(1, "x/no.Such").str(2, "\x01")))))
}

// FuzzJSON compares with the official library whenever that accepts the bytes, and demands valid JSON whenever Check does.
func FuzzJSON(f *testing.F) {
	p := kindsProfile(f)
	o := newOracle(f, compileSet(f, "kinds.proto"))
	seeds(f, p)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var found Findings
		checkErr := p.Check(all, raw, "", &found)
		got, err := p.AppendJSON([]byte("before"), all, raw, nil)
		if checkErr == nil && err != nil {
			t.Fatalf("AppendJSON refuses checked bytes: %v", err)
		}
		want, refused := o.json(all, raw)
		if checkErr != nil {
			if refused == nil && len(raw) < 2*maxDepth {
				t.Fatalf("we refuse what protojson accepts: %v", checkErr)
			}
			return
		}
		got = got[len("before"):]
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Fatalf("not JSON: %q", got)
		}
		if refused != nil {
			return
		}
		if len(found.BadText)+len(found.BadValues)+len(found.UnknownWrappers) == 0 {
			equalJSON(t, want, got)
		}
	})
}

// FuzzCheck demands that findings have bounds and that a walk never panics.
func FuzzCheck(f *testing.F) {
	p := kindsProfile(f)
	seeds(f, p)
	for seed := range uint64(30) {
		g := &generator{rand.New(rand.NewPCG(seed, 3)), p.schema, 20}
		raw := g.message(p.schema.messages[kindsStep], 3)
		f.Add([]byte(append(raw, carrying(anyOf(kindsStep, g.message(p.schema.messages[kindsStep], 3)))...)))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var found Findings
		err := p.Check(kindsStep, raw, "steps[0]", &found)
		sourceOnly := 0
		got, jsonErr := p.AppendJSON(nil, kindsStep, raw, &JSONOptions{
			Project: true, SourceOnly: func(string, string, []byte) { sourceOnly++ },
		})
		if err == nil && (jsonErr != nil || !json.Valid(got)) {
			t.Fatalf("checked bytes give %v, %q", jsonErr, got)
		}
	})
}

// FuzzView asks every question about bytes nobody checked.
func FuzzView(f *testing.F) {
	p := kindsProfile(f)
	r, fields := kindFields(p)
	seeds(f, p)
	f.Fuzz(func(t *testing.T, raw []byte) {
		v := r.View(all, raw, nil)
		for _, h := range fields {
			askAll(t, v, h)
		}
		if name, m, ok := v.Which("choice"); ok && name != "" {
			askAll(t, m, fields["text"])
		}
		if out := v.AppendJSON(nil); !json.Valid(out) {
			t.Fatalf("not JSON: %q", out)
		}
	})
}

func askAll(t *testing.T, v View, h Field) {
	t.Helper()
	v.Has(h)
	v.Bytes(h)
	v.Int(h)
	v.Uint(h)
	v.Bool(h)
	v.Float(h)
	v.Enum(h)
	v.EnumFull(h)
	v.Time(h)
	v.Duration(h)
	v.Any(h)
	v.Sub(h).Has(h)
	v.Each(h, func(v View) bool { return v.Has(h) })
	v.EachInt(h, func(int64) bool { return true })
	v.EachAny(h, func(string, View) bool { return true })
	v.EachEntry(h, func(k, s string) bool { return true })
	v.EachStr(h, func(string) bool { return true })
	if d := v.r.find(h, v.t); d != nil && d.kind == kindString && !utf8.ValidString(v.Str(h)) {
		t.Fatalf("text is not valid: %q", v.Str(h))
	}
}
