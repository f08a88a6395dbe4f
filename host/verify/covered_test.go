package verify_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agy-reader/host/demo/build"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// What no schema can compare is listed, and only that: everything around it still counts.
func TestNotCovered(t *testing.T) {
	t.Parallel()
	stored := `{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","metadata":{"toolSource":1,"executionId":"e"},"userInput":{"userResponse":"x"}}`
	c, err := build.NewConversation(mixedID, mixedTrajectory, build.Step(t, stored), build.Step(t, stored))
	if err != nil {
		t.Fatal(err)
	}
	// planConfig.toolConfig is a message that the profile keeps closed: field 1 is a varint.
	c.Executors = [][]byte{build.MustEncode(t, "exa.cortex_pb.ExecutorMetadata",
		`{"executionId":"e","cascadeConfig":{"plannerConfig":{"toolConfig":"CAE="}}}`)}
	session := write(t, c)
	s := take(t, session)
	full := daemon.Full{Proto: assemble(t, session.Path)}
	ordinary := func(toolSource, config, run string) []byte {
		step := strings.Replace(stored, `"toolSource":1`, `"toolSource":`+toolSource, 1)
		return []byte(`{"trajectoryId":"` + mixedTrajectory + `","cascadeId":"` + mixedID + `","trajectoryType":"CORTEX_TRAJECTORY_TYPE_CASCADE",` +
			`"source":"CORTEX_TRAJECTORY_SOURCE_CLI","steps":[` + step + `,` + step + `],` +
			`"executorMetadatas":[{"executionId":"` + run + `","cascadeConfig":{"plannerConfig":{"toolConfig":` + config + `}}}]}`)
	}
	for _, test := range []struct {
		name, toolSource, config, run string
		kind                          error
		want                          string
	}{
		{"as stored", "1", `"CAE="`, "e", nil, ""},
		{"a name that is not public", `"TOOL_SOURCE_BUILT_IN"`, `"CAE="`, "e", nil, "steps[].metadata.toolSource"},
		{"another number", "2", `"CAE="`, "e", verify.ErrStale, "step 0 metadata.toolSource: stored 1, answered 2"},
		{"a message opened", "1", `{"flag":true}`, "e", nil, "executorMetadatas[].cascadeConfig.plannerConfig.toolConfig"},
		{"another message", "1", `"CAI="`, "e", verify.ErrStale, "executorMetadatas[0].cascadeConfig.plannerConfig.toolConfig"},
		{"beside an opened message", "1", `{"flag":true}`, "f", verify.ErrStale, `executorMetadatas[0].executionId: stored "e", answered "f"`},
		{"no message at all", "1", `7`, "e", verify.ErrAnswer, "not base64"},
	} {
		e, err := s.Check(t.Context(), full, ordinary(test.toolSource, test.config, test.run))
		if !errors.Is(err, test.kind) || (err == nil) != (test.kind == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if err == nil && strings.Join(e.NotCovered, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.name, e.NotCovered, test.want)
		}
	}
}

// Evidence names a hundred paths at most.
func TestNotCoveredIsBounded(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	top := value(t, m.ordinary)
	for i := range 300 {
		top[fmt.Sprintf("x%03d", i)] = true
	}
	e, err := take(t, m.session).Check(t.Context(), m.answer(), text(t, top))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(e.NotCovered); n != 101 || e.NotCovered[100] != "…" {
		t.Errorf("%d paths", n)
	}
}

// A hundred differences or one: the one named is always the first.
func TestFirstDifferenceIsNamed(t *testing.T) {
	t.Parallel()
	var payloads [][]byte
	for range 3000 {
		payloads = append(payloads, build.Prompt(t, "hello"))
	}
	c, err := build.NewConversation(mixedID, mixedTrajectory, payloads...)
	if err != nil {
		t.Fatal(err)
	}
	session := write(t, c)
	s := take(t, session)
	answer := asJSON(t, assemble(t, session.Path))
	top := value(t, answer)
	for i, step := range top["steps"].([]any) {
		if i >= 1234 {
			step.(map[string]any)["userInput"].(map[string]any)["userResponse"] = "bye"
		}
	}
	for range 5 {
		_, err := s.Check(t.Context(), daemon.Full{JSON: answer}, text(t, top))
		var mismatch *verify.MismatchError
		if !errors.As(err, &mismatch) || mismatch.Step != 1234 || mismatch.Form != "ordinary" {
			t.Fatal(err)
		}
	}
}
