package profile

import (
	"bytes"
	"strings"
	"testing"
)

// leaves calls fn for every string in a JSON value.
func leaves(v any, fn func(string)) {
	switch v := v.(type) {
	case string:
		fn(v)
	case []any:
		for _, e := range v {
			leaves(e, fn)
		}
	case map[string]any:
		for k, e := range v {
			fn(k)
			leaves(e, fn)
		}
	}
}

// Every text of a stored step is in its display form or among what SourceOnly received; a step that is no wrapper has the
// stored form for display.
func TestDisplayOfCorpusLosesNothing(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	wrappers, kept := 0, 0
	for _, b := range corpusBlobs(t, p) {
		if b.message != stepName {
			continue
		}
		native, err := p.AppendJSON(nil, b.message, b.raw, nil)
		if err != nil {
			t.Fatal(err)
		}
		var left bytes.Buffer
		var f Findings
		display, err := p.AppendJSON(nil, b.message, b.raw, &JSONOptions{
			Path: "step", Project: true, Findings: &f,
			SourceOnly: func(path, _ string, value []byte) { left.WriteString(path + " "); left.Write(value); left.WriteByte(0) },
		})
		if err != nil {
			t.Fatalf("%s: %v", b.label, err)
		}
		if left.Len() == 0 {
			if len(f.UnknownWrappers) > 0 {
				kept++
			}
			if !bytes.Equal(native, display) {
				t.Errorf("%s: nothing is left out, but the display form differs", b.label)
			}
			continue
		}
		wrappers++
		held := make(map[string]bool)
		leaves(parse(t, display), func(s string) { held[s] = true })
		leaves(parse(t, native), func(s string) {
			if stored := len(s) >= 20 && bytes.Contains(b.raw, []byte(s)); stored && !held[s] && !bytes.Contains(left.Bytes(), []byte(s)) && s != stepURL {
				t.Errorf("%s: %.100q is lost", b.label, s)
			}
		})
	}
	if wrappers == 0 || kept != 1 {
		t.Errorf("%d wrappers projected, %d kept as stored; want some and 1", wrappers, kept)
	}
}

func TestDisplayOfTheMendedPayload(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	for _, b := range corpusBlobs(t, p) {
		if !strings.HasSuffix(b.label, "type URL mended") {
			continue
		}
		native, err := p.AppendJSON(nil, b.message, b.raw, nil)
		if err != nil {
			t.Fatal(err)
		}
		display, err := p.AppendJSON(nil, b.message, b.raw, &JSONOptions{Project: true})
		if err != nil {
			t.Fatal(err)
		}
		stored, shown := parse(t, native).(map[string]any), parse(t, display).(map[string]any)
		if stored["type"] != "CORTEX_STEP_TYPE_GENERIC" || shown["type"] != "CORTEX_STEP_TYPE_RUN_COMMAND" {
			t.Errorf("type %v is shown as %v", stored["type"], shown["type"])
		}
		if shown["generic"] != nil || shown["runCommand"] == nil || shown["status"] != stored["status"] {
			t.Errorf("display form: %s", display)
		}
		if _, ok := stored["generic"].(map[string]any)["result"].(map[string]any)["payload"].(map[string]any)["runCommand"]; !ok {
			t.Errorf("stored form: %s", native)
		}
		return
	}
	t.Fatal("the payload is missing")
}

func TestJSONAllocations(t *testing.T) {
	p := embeddedProfile(t)
	steps, _ := syntheticSteps()
	steps = steps[:2]
	steps = append(steps, wire{}.varint(1, 132).str(140, string(wire{}.
		str(1, string(wire{}.str(1, "Cwd").str(2, "/"))).str(1, string(wire{}.str(1, "A").str(2, "b"))).
		str(2, string(wire{}.str(1, "text").str(6, string(wire{}.str(1, stepURL).str(2, string(steps[1])))))))))
	var out []byte
	var f Findings
	left := 0
	for name, opt := range map[string]*JSONOptions{
		"plain": {}, "display": {Project: true}, "with findings": {Findings: &f, Project: true},
		"with source-only fields": {Project: true, SourceOnly: func(string, string, []byte) { left++ }},
	} {
		allocs := testing.AllocsPerRun(20, func() {
			for _, s := range steps {
				var err error
				if out, err = p.AppendJSON(out[:0], stepName, s, opt); err != nil {
					t.Fatal(err)
				}
			}
		})
		if perStep := allocs / float64(len(steps)); perStep > 3 {
			t.Errorf("%s: %v allocations a step", name, perStep)
		}
	}
}
