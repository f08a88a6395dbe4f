package verify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// Wrapped steps agree with display steps that were written by hand, in both forms of the full answer.
func TestMixed(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	s := take(t, m.session)
	for _, full := range []daemon.Full{{Proto: m.proto}, {JSON: m.full}} {
		e, err := s.Check(t.Context(), full, m.ordinary)
		if err != nil {
			t.Fatal(err)
		}
		if e.Steps != len(mixedSteps) || e.ModelCalls != 2 || e.ExecutorRuns != 1 || len(e.NotCovered) > 0 || e.Storage != "sqlite" {
			t.Errorf("%+v", e)
		}
		if want := map[bool]string{true: "protobuf", false: "json"}[full.Proto != nil]; e.FullForm != want {
			t.Errorf("the full form is %s", e.FullForm)
		}
	}
}

// Each way an answer can differ has its own verdict and names where.
func TestDifferences(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	s := take(t, m.session)
	type change func(top map[string]any, steps []any) []any
	at := func(steps []any, i int, path ...string) map[string]any {
		o := steps[i].(map[string]any)
		for _, name := range path {
			o = o[name].(map[string]any)
		}
		return o
	}
	for _, test := range []struct {
		name string
		do   change
		// want is a part of the message; kind what it is; both empty for no difference. covered is a path not covered.
		want    string
		kind    error
		covered string
		// fullKind is what the same change in a full answer is, when it is another.
		fullKind error
		fullSame bool
	}{
		{name: "dropped last step", do: func(_ map[string]any, s []any) []any { return s[:len(s)-1] }, want: "step 7: stored 8 steps, answered 7 steps", kind: verify.ErrStale},
		{name: "dropped first step", do: func(_ map[string]any, s []any) []any { return s[1:] }, want: "step 0 metadata", kind: verify.ErrStale},
		{name: "no steps", do: func(_ map[string]any, s []any) []any { return nil }, want: "step 0: stored 8 steps, answered 0 steps", kind: verify.ErrStale},
		{name: "one step more", do: func(_ map[string]any, s []any) []any { return append(s, s[0]) }, want: "step 8: stored 8 steps, answered 9", kind: verify.ErrStale},
		{name: "two steps swapped", do: func(_ map[string]any, s []any) []any { s[1], s[7] = s[7], s[1]; return s }, want: "step 1 ", kind: verify.ErrStale},
		{name: "one text", do: func(_ map[string]any, s []any) []any {
			at(s, 1, "plannerResponse")["response"] = "I looK."
			return s
		}, want: `step 1 plannerResponse.response: stored "I look.", answered "I looK."`, kind: verify.ErrStale},
		{name: "one number", do: func(_ map[string]any, s []any) []any {
			at(s, 1, "metadata", "modelUsage")["inputTokens"] = "9007199254740992"
			return s
		}, want: "step 1 metadata.modelUsage.inputTokens", kind: verify.ErrStale},
		{name: "a time", do: func(_ map[string]any, s []any) []any {
			at(s, 0, "metadata")["createdAt"] = "2026-11-30T10:00:00.123456788Z"
			return s
		}, want: "step 0 metadata.createdAt", kind: verify.ErrStale},
		{name: "a status", do: func(_ map[string]any, s []any) []any {
			at(s, 0)["status"] = "CORTEX_STEP_STATUS_RUNNING"
			return s
		}, want: "step 0 status", kind: verify.ErrStale},
		{name: "dropped member", do: func(_ map[string]any, s []any) []any { delete(at(s, 1, "plannerResponse"), "thinking"); return s }, want: `step 1 plannerResponse.thinking: stored "hm", answered nothing`, kind: verify.ErrStale},
		{name: "added known member", do: func(_ map[string]any, s []any) []any {
			at(s, 7, "userInput")["items"] = []any{map[string]any{"text": "stop"}}
			return s
		}, want: "step 7 userInput.items: stored nothing, answered a list of 1 elements", kind: verify.ErrStale},
		{name: "list element dropped", do: func(_ map[string]any, s []any) []any {
			p := at(s, 1, "plannerResponse")
			p["toolCalls"] = p["toolCalls"].([]any)[:1]
			return s
		}, want: "step 1 plannerResponse.toolCalls[1]: stored an object of 3 members, answered nothing", kind: verify.ErrStale},
		{name: "a step's member again in another case", do: func(_ map[string]any, s []any) []any {
			at(s, 1)["PlannerResponse"] = map[string]any{"response": "Forged."}
			return s
		}, want: "another case", kind: verify.ErrAnswer},
		{name: "the steps again in another case", do: func(top map[string]any, s []any) []any {
			top["\u017fteps"] = []any{}
			return s
		}, want: "another case", kind: verify.ErrAnswer},
		{name: "our own block in another case", do: func(top map[string]any, s []any) []any {
			top["AgyReader"] = map[string]any{"parentCascadeId": "11111111-0000-4000-8000-000000000001"}
			return s
		}, want: "another case", kind: verify.ErrAnswer},
		{name: "unknown member", do: func(_ map[string]any, s []any) []any {
			at(s, 1, "plannerResponse")["brandNew"] = json.Number("123456789012345678901234567890")
			return s
		}, covered: "steps[].plannerResponse.brandNew", fullKind: verify.ErrAnswer},
		{name: "unknown enum name", do: func(_ map[string]any, s []any) []any {
			at(s, 0)["status"] = "CORTEX_STEP_STATUS_FROBBED"
			return s
		}, want: "steps[0].status: unknown enum name", kind: verify.ErrAnswer},
		{name: "wrong type", do: func(_ map[string]any, s []any) []any {
			at(s, 1, "plannerResponse")["response"] = json.Number("7")
			return s
		}, want: "steps[1].plannerResponse.response: not a text", kind: verify.ErrAnswer},
		{name: "a step that is none", do: func(_ map[string]any, s []any) []any { s[0] = "no"; return s }, kind: verify.ErrAnswer},
		{name: "numbers spelled otherwise", do: func(_ map[string]any, s []any) []any {
			at(s, 1, "metadata", "modelUsage")["outputTokens"] = json.Number("7.0e0")
			return s
		}, fullSame: true},
		{name: "zeros and nulls", do: func(_ map[string]any, s []any) []any {
			at(s, 7, "userInput")["items"] = nil
			at(s, 1, "plannerResponse")["stopReason"] = nil
			return s
		}, fullSame: true},
		{name: "id", do: func(top map[string]any, s []any) []any { top["cascadeId"] = "other"; return s }, want: "cascadeId: stored", kind: verify.ErrStale},
		{name: "no id", do: func(top map[string]any, s []any) []any { delete(top, "trajectoryId"); return s }, want: "trajectoryId: stored", kind: verify.ErrStale},
		{name: "source", do: func(top map[string]any, s []any) []any {
			top["source"] = "CORTEX_TRAJECTORY_SOURCE_SDK"
			return s
		}, want: "source: stored", kind: verify.ErrStale},
		{name: "metadata", do: func(top map[string]any, s []any) []any {
			top["metadata"].(map[string]any)["projectId"] = "q"
			return s
		}, want: `metadata.projectId: stored "p", answered "q"`, kind: verify.ErrStale},
		{name: "live member", do: func(top map[string]any, s []any) []any {
			top["runStatusOfNow"] = "BUSY"
			return s
		}, covered: "runStatusOfNow", fullSame: true},
		{name: "fewer calls", do: func(top map[string]any, s []any) []any {
			top["generatorMetadata"] = top["generatorMetadata"].([]any)[:1]
			return s
		}, covered: "generatorMetadata", fullKind: verify.ErrStale},
		{name: "no runs", do: func(top map[string]any, s []any) []any { delete(top, "executorMetadatas"); return s }, covered: "executorMetadatas", fullKind: verify.ErrStale},
		{name: "thinner call", do: func(top map[string]any, s []any) []any {
			delete(top["generatorMetadata"].([]any)[0].(map[string]any)["chatModel"].(map[string]any), "usage")
			return s
		}, covered: "generatorMetadata[].chatModel.usage", fullKind: verify.ErrStale},
		{name: "other call", do: func(top map[string]any, s []any) []any {
			top["generatorMetadata"].([]any)[1].(map[string]any)["chatModel"].(map[string]any)["responseModel"] = "m3"
			return s
		}, want: `generatorMetadata[1].chatModel.responseModel: stored "m2", answered "m3"`, kind: verify.ErrStale},
		{name: "more calls", do: func(top map[string]any, s []any) []any {
			l := top["generatorMetadata"].([]any)
			top["generatorMetadata"] = append(l, l[0])
			return s
		}, want: "generatorMetadata: stored 2 elements, answered 3 elements", kind: verify.ErrStale},
		{name: "agyReader", do: func(top map[string]any, s []any) []any {
			top["agyReader"] = map[string]any{"parentCascadeId": "x"}
			return s
		}, fullSame: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			changed := func(raw json.RawMessage) json.RawMessage {
				top := value(t, raw)
				top["steps"] = test.do(top, top["steps"].([]any))
				return text(t, top)
			}
			e, err := s.Check(t.Context(), m.answer(), changed(m.ordinary))
			if !errors.Is(err, test.kind) || (err == nil) != (test.kind == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Fatalf("%v; want %q", err, test.want)
			}
			if err == nil && strings.Join(e.NotCovered, " ") != test.covered {
				t.Errorf("not covered: %q, want %q", e.NotCovered, test.covered)
			}
			fullKind := test.fullKind
			if fullKind == nil && !test.fullSame {
				fullKind = test.kind
			}
			if _, err = s.Check(t.Context(), daemon.Full{JSON: changed(m.full)}, m.ordinary); !errors.Is(err, fullKind) || (err == nil) != (fullKind == nil) {
				t.Errorf("full: %v; want %v", err, fullKind)
			}
		})
	}
}

// Text that is no trajectory is a fault of the answer, never of the source, and never named with its content.
func TestMalformedAnswers(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	s := take(t, m.session)
	good := string(m.ordinary)
	for name, raw := range map[string]string{
		"empty": "", "null": "null", "list": "[]", "text": `"x"`, "cut": good[:len(good)/2], "cut at the end": good[:len(good)-1],
		"more behind": good + "{}", "a name twice": strings.Replace(good, `"cascadeId"`, `"trajectoryId"`, 1),
		"a name twice inside": strings.Replace(good, `"thinking":"hm"`, `"thinking":"hm","thinking":"hm"`, 1),
		"not UTF-8":           strings.Replace(good, "I look.", "I l\xffok.", 1),
		"lone surrogate":      strings.Replace(good, "I look.", `I l\ud800ok.`, 1),
		"deep":                strings.Replace(good, `"I look."`, strings.Repeat("[", 5000)+strings.Repeat("]", 5000), 1),
		"many members":        strings.Replace(good, "{", "{"+manyMembers(2000), 1),
		"many records":        strings.Replace(good, "{", `{"executorMetadatas":[`+strings.Repeat("0,", 1<<20)+`0],`, 1),
		"large":               strings.Replace(good, `"I look."`, "["+strings.Repeat(`"",`, 25<<20)+`""]`, 1),
		"secret":              strings.Replace(good, `"I look."`, `sesame`, 1),
	} {
		for _, form := range []string{"ordinary", "full"} {
			full, ordinary := m.answer(), json.RawMessage(raw)
			if form == "full" {
				full, ordinary = daemon.Full{JSON: json.RawMessage(raw)}, m.ordinary
			}
			_, err := s.Check(t.Context(), full, ordinary)
			if !errors.Is(err, verify.ErrAnswer) || errors.Is(err, verify.ErrStale) || errors.Is(err, verify.ErrSource) {
				t.Errorf("%s, %s: %v", name, form, err)
			} else if name == "large" && !strings.Contains(err.Error(), "too large") {
				t.Errorf("%s: %v", form, err)
			} else if strings.Contains(err.Error(), "sesame") {
				t.Errorf("%s, %s shows content: %v", name, form, err)
			}
		}
	}
	for name, raw := range map[string][]byte{
		"cut": m.proto[:len(m.proto)-1], "noise": {0xff, 0xff}, "unknown field of a step": append(append([]byte{}, m.proto...), 0x12, 0x03, 0xf8, 0x7f, 0x01),
	} {
		if _, err := s.Check(t.Context(), daemon.Full{Proto: raw}, m.ordinary); !errors.Is(err, verify.ErrAnswer) {
			t.Errorf("protobuf, %s: %v", name, err)
		}
	}
	for name, raw := range map[string][]byte{"nothing": {}, "half": m.proto[:0]} {
		if _, err := s.Check(t.Context(), daemon.Full{Proto: raw}, m.ordinary); !errors.Is(err, verify.ErrStale) {
			t.Errorf("protobuf, %s: %v", name, err)
		}
	}
	// What the daemon says beyond what any table feeds does not count.
	live := append(append([]byte{}, m.proto...), 0xf8, 0x7f, 0x01)
	if e, err := s.Check(t.Context(), daemon.Full{Proto: live}, m.ordinary); err != nil || strings.Join(e.NotCovered, " ") != "(field 2047)" {
		t.Errorf("live field: %v, %+v", err, e)
	}
}

// manyMembers are the first members of an object.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":0,`, i)
	}
	return b.String()
}
