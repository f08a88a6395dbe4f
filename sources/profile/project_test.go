package profile

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/proto/antigravity"
)

const kindsStep = "test.kinds.Step"

// carrying is the body of a wrapper that holds nothing but an Any.
func carrying(payload string) wire {
	return wire{}.str(11, string(wire{}.str(2, string(wire{}.str(2, payload)))))
}

func TestProjection(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	small := func(text string) string { return string(wire{}.str(1, text)) }
	inner := wire{}.varint(1, 21).varint(2, 9).str(3, small("inner")).str(5, "note").str(10, small("body"))
	result := func(payload string) string { return string(wire{}.str(1, "seen text").str(2, payload).varint(4, 7)) }
	generic := func(result string) string {
		return string(wire{}.str(1, string(wire{}.str(1, "Cwd").str(2, "/"))).str(2, result))
	}
	wrapped := wire{}.varint(1, 132).varint(2, 3).str(3, small("outer")).str(5, "lost").
		str(11, generic(result(anyOf(kindsStep, inner))))
	tests := []struct {
		name, want string
		raw        wire
		left       []string
		wrappers   []string
	}{
		{
			name: "inner type and body, outer members win", raw: wrapped,
			want: `{"type":21,"status":3,"metadata":{"text":"outer"},"notes":["note"],"small":{"text":"body"}}`,
			left: []string{
				`type "" 8401`, `notes[0] "" 6c6f7374`,
				`generic.args.Cwd "test.kinds.Generic.ArgsEntry" 0a0343776412012f`,
				`generic.result.text "" 7365656e2074657874`, `generic.result.size "" 07`,
				`generic.result.payload.status "" 09`, `generic.result.payload.metadata "test.kinds.Small" 0a05696e6e6572`,
			},
		},
		{
			name: "second way, inner member stays where the wrapper has none",
			raw: wire{}.varint(1, 132).str(11, string(wire{}.str(2, string(wire{}.str(3,
				anyOf(kindsStep, wire{}.varint(1, 5).varint(2, 9).str(4, "why"))))))),
			want: `{"type":5,"status":9,"error":"why"}`,
			left: []string{`type "" 8401`},
		},
		{
			name: "equal members are held",
			raw: wire{}.varint(1, 132).str(3, small("same")).str(11, generic(string(wire{}.str(2,
				anyOf(kindsStep, wire{}.varint(1, 5).str(3, small("same"))))))),
			want: `{"type":5,"metadata":{"text":"same"}}`,
			left: []string{`type "" 8401`, `generic.args.Cwd "test.kinds.Generic.ArgsEntry" 0a0343776412012f`},
		},
		{
			name: "no payload", raw: wire{}.varint(1, 132).str(11, generic(string(wire{}.str(1, "t")))),
			want: `{"type":132,"generic":{"args":{"Cwd":"/"},"result":{"text":"t"}}}`,
		},
		{
			name: "no wrapper", raw: wire{}.varint(1, 5).str(10, small("x")), want: `{"type":5,"small":{"text":"x"}}`,
		},
		{
			name: "known type that is no step",
			raw:  append(wire{}.varint(1, 132), carrying(anyOf("test.kinds.Small", wire{}.str(1, "x")))...),
			want: `{"type":132,"generic":{"result":{"payload":{"@type":"type.googleapis.com/test.kinds.Small","text":"x"}}}}`,
			wrappers: []string{
				"steps[3].generic.result.payload=type.googleapis.com/test.kinds.Small: not projected",
			},
		},
		{
			name: "unknown type",
			raw:  append(wire{}.varint(1, 132), carrying(anyOf("no.Such", wire{}.str(1, "x")))...),
			want: `{"type":132,"generic":{"result":{"payload":{"@type":"type.googleapis.com/no.Such","value":"CgF4"}}}}`,
			wrappers: []string{
				"steps[3].generic.result.payload=type.googleapis.com/no.Such",
			},
		},
		{
			name: "broken inside",
			raw:  append(wire{}.varint(1, 132), carrying(anyOf(kindsStep, wire{}.varint(1, 5).str(10, "\x0a")))...),
			want: `{"type":132,"generic":{"result":{"payload":{"@type":"type.googleapis.com/test.kinds.Step","value":"CAVSAQo="}}}}`,
			wrappers: []string{
				"steps[3].generic.result.payload=type.googleapis.com/test.kinds.Step: malformed",
			},
		},
		{
			name: "empty inside",
			raw:  append(wire{}.varint(1, 132), carrying(anyOf(kindsStep, nil))...),
			want: `{"type":132,"generic":{"result":{"payload":{"@type":"type.googleapis.com/test.kinds.Step"}}}}`,
			wrappers: []string{
				"steps[3].generic.result.payload=type.googleapis.com/test.kinds.Step: empty",
			},
		},
		{
			name: "below, in pieces and in a wrapper",
			raw: wire{}.str(20, "").str(20, string(append(
				wire{}.str(11, string(wire{}.str(2, string(wire{}.str(1, "a"))))),
				carrying(anyOf(kindsStep, append(wire{}.varint(1, 132), carrying(anyOf(kindsStep, wire{}.varint(1, 8)))...)))...))),
			want: `{"children":[{},{"type":8}]}`,
			left: []string{
				`children[1].generic.result.text "" 61`, `children[1].generic.result.payload.type "" 8401`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var left []string
			var f Findings
			got, err := p.AppendJSON(nil, kindsStep, tt.raw, &JSONOptions{
				Path: "steps[3]", Findings: &f, Project: true,
				SourceOnly: func(path, message string, value []byte) {
					left = append(left, fmt.Sprintf("%s %q %x", strings.TrimPrefix(path, "steps[3]."), message, value))
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			equalJSON(t, []byte(tt.want), got)
			if diff := cmp.Diff(tt.left, left); diff != "" {
				t.Errorf("source-only (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.wrappers, f.UnknownWrappers); diff != "" {
				t.Errorf("wrappers (-want +got):\n%s", diff)
			}
			var checked Findings
			if err := p.Check(kindsStep, tt.raw, "steps[3]", &checked); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f, checked, cmp.AllowUnexported(Findings{}), protocmp.Transform()); diff != "" {
				t.Errorf("findings (-projected +checked):\n%s", diff)
			}
			plain, err := p.AppendJSON(nil, kindsStep, tt.raw, &JSONOptions{Project: true})
			if err != nil || string(plain) != string(got) {
				t.Errorf("without findings: %v, %s", err, plain)
			}
			stored, err := p.AppendJSON(nil, kindsStep, tt.raw, nil)
			if err != nil || len(tt.left) > 0 && !strings.Contains(string(stored), `"generic"`) {
				t.Errorf("stored form: %v, %s", err, stored)
			}
		})
	}
}

// What one sibling used up, depth above all, is there again for the next.
func TestSiblingsDoNotWear(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	const many = 3 * maxDepth
	var steps, anys wire
	for range many {
		steps = steps.str(20, string(append(wire{}.varint(1, 132), carrying(anyOf(kindsStep, wire{}.varint(1, 8)))...)))
		anys = anys.str(101, anyOf(all, wire{}.str(72, string(wire{}.str(2, "\xff")))))
	}
	out, err := p.AppendJSON(nil, kindsStep, steps, &JSONOptions{Project: true})
	if want := `{"children":[` + strings.Repeat(`{"type":8},`, many-1) + `{"type":8}]}`; err != nil || string(out) != want {
		t.Errorf("wrappers: %v, %.200s", err, out)
	}
	anys = anys.str(101, anyOf(all, nested(2, wire{}.str(14, "whole"))))
	out, err = p.AppendJSON(nil, all, anys, nil)
	if err != nil || strings.Count(string(out), `"value":`) != many || !strings.Contains(string(out), `"aString":"whole"`) {
		t.Errorf("broken contents: %v, %.200s", err, out)
	}
}

// Wrappers inside wrappers cost bounded work, also when each of them is broken.
func TestProjectionIsBounded(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	for _, core := range []wire{wire{}.varint(1, 8), wire{}.str(10, "\x0a"), nested(90, nil)} {
		raw := core
		for range 200 {
			raw = append(wire{}.varint(1, 132), carrying(anyOf(kindsStep, raw))...)
			raw = wire{}.varint(1, 1).str(20, string(raw)).str(20, string(wire{}.str(12, string(core))))
			if len(raw) > 1<<16 {
				break
			}
		}
		out, err := p.AppendJSON(nil, kindsStep, raw, &JSONOptions{Project: true})
		if err != nil || len(out) > 2*len(raw) {
			t.Errorf("%d bytes become %d: %v", len(raw), len(out), err)
		}
		parse(t, out)
	}
}

// Each projected wrapper holds a copy of what is in it, so only so many are projected inside each other.
func TestWrappersInWrappersCostFewCopies(t *testing.T) {
	p := kindsProfile(t)
	for _, wrappers := range []int{1, maxWrapped, maxWrapped + 1, 200} {
		raw := wire{}.varint(1, 5).str(10, string(wire{}.str(1, strings.Repeat("x", 1<<18))))
		for range wrappers {
			raw = append(wire{}.varint(1, 132), carrying(anyOf(kindsStep, raw))...)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := p.AppendJSON(nil, kindsStep, raw, &JSONOptions{Project: true})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if projected := !strings.Contains(string(out), `"generic"`); projected != (wrappers <= maxWrapped) {
			t.Errorf("%d wrappers: projected %v", wrappers, projected)
		}
		if got := int(after.TotalAlloc - before.TotalAlloc); got > 60*len(raw) {
			t.Errorf("%d wrappers: %d bytes cost %d", wrappers, len(raw), got)
		}
		parse(t, out)
	}
}

func TestManifestMustFitItsSchema(t *testing.T) {
	t.Parallel()
	set := compileSet(t, "kinds.proto")
	tests := []struct {
		name, want string
		change     func(m *antigravity.Manifest)
	}{
		{"enum", "open enum no.Such", func(m *antigravity.Manifest) { m.OpenEnums[0].Enum = "no.Such" }},
		{"message", "wrapper no.Such", func(m *antigravity.Manifest) { m.Wrappers[0].Message = "no.Such" }},
		{"body", "body text", func(m *antigravity.Manifest) { m.Wrappers[0].Body = "text" }},
		{"outer", "outer field gone", func(m *antigravity.Manifest) { m.Wrappers[0].Outer = []string{"gone"} }},
		{"outer in a oneof", "outer field small", func(m *antigravity.Manifest) { m.Wrappers[0].Outer = []string{"small"} }},
		{"way", "payload result.gone", func(m *antigravity.Manifest) { m.Wrappers[0].Payload = []string{"result.gone"} }},
		{"way to no any", "not at a google.protobuf.Any", func(m *antigravity.Manifest) { m.Wrappers[0].Payload = []string{"result"} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := kindsManifest()
			tt.change(m)
			if _, err := newProfile(m, set); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("newProfile: %v, want an error about %q", err, tt.want)
			}
		})
	}
}
