package contract_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit/contract"
	"agy-reader/host/sidecar"
	"agy-reader/sources"
)

const (
	id     = "c1ea0000-0000-4000-8000-00000000000A"
	digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	// evidence is a whole completeness member.
	evidence = `{"formatVersion":1,"profile":"agy-1.2.11","profileDigest":"` + digest + `","storage":"sqlite","sourceDigest":"` + digest +
		`","payloadDigest":"` + digest + `","steps":2,"modelCalls":1,"executorRuns":0,"fullForm":"json"}`
)

// check returns the findings as lines.
func check(t *testing.T, document string) []string {
	t.Helper()
	found, err := contract.Check(strings.NewReader(document))
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	var lines []string
	for _, p := range found.Problems {
		lines = append(lines, p.Pointer+": "+p.Reason)
	}
	if found.More > 0 {
		lines = append(lines, fmt.Sprintf("%d more", found.More))
	}
	return lines
}

func TestValid(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"nothing in it":        `{}`,
		"an empty session":     `{"cascadeId":"` + id + `","steps":[]}`,
		"a parent":             `{"agyReader":{"parentCascadeId":"` + id + `"},"steps":[]}`,
		"an empty block":       `{"agyReader":{}}`,
		"evidence":             `{"agyReader":{"completeness":` + evidence + `}}`,
		"unknown members":      `{"x":1,"steps":[{"type":"X","x":[1],"metadata":{"x":null}}],"metadata":{"x":{}},"agyReader":{"x":1,"completeness":` + strings.Replace(evidence, "{", `{"x":[],`, 1) + `}}`,
		"an unknown type":      `{"steps":[{"type":"CORTEX_STEP_TYPE_OF_TOMORROW","status":"X","ofTomorrow":{"a":1}}]}`,
		"an enum's number":     `{"steps":[{"type":999,"status":-1}]}`,
		"big numbers":          `{"metadata":{"nestingDepth":123456789012345678901234567890},"x":1e999999999,"steps":[{"type":9007199254740993}]}`,
		"a whole fraction":     `{"steps":[{"type":1.50e1}]}`,
		"no step at all":       `{"steps":[{}]}`,
		"times":                `{"metadata":{"createdAt":"2026-01-02T03:04:05.000000001Z"},"steps":[{"metadata":{"createdAt":"2026-01-02T03:04:05+01:00"}}]}`,
		"whitespace":           " \n{ \"steps\" : [ ] }\r\n\t",
		"names only elsewhere": `{"x":{"agyReader":{"parentCascadeId":""}}}`,
	} {
		if found := check(t, document); found != nil {
			t.Errorf("%s: %q", name, found)
		}
	}
}

func TestInvalid(t *testing.T) {
	t.Parallel()
	without := func(member string) string {
		before, after, _ := strings.Cut(evidence, `"`+member+`":`)
		_, after, found := strings.Cut(after, ",")
		if !found {
			return strings.TrimSuffix(before, ",") + "}"
		}
		return before + after
	}
	for name, test := range map[string]struct {
		document string
		want     []string
	}{
		"no JSON":             {``, []string{": unexpected EOF"}},
		"no object":           {`[1]`, []string{": got array, want object"}},
		"null":                {`null`, []string{": got null, want object"}},
		"cut":                 {`{"steps":[{"type":"X`, []string{"/steps/0/type: no valid JSON at byte 20: unexpected EOF"}},
		"more behind":         {`{}1`, []string{": there is more behind the object"}},
		"a name twice":        {`{"a":{"b":1,"b":2}}`, []string{`/a/b: no valid JSON at byte 12: duplicate object member name`}},
		"a known name twice":  {`{"steps":[],"steps":[]}`, []string{`/steps: no valid JSON at byte 12: duplicate object member name`}},
		"not UTF-8":           {"{\"a\":\"\xff\"}", []string{"/a: no valid JSON at byte 6: invalid UTF-8"}},
		"steps are no list":   {`{"steps":{}}`, []string{"/steps: got object, want array"}},
		"a step is no object": {`{"steps":[{},1,null]}`, []string{"/steps/1: got number, want object", "/steps/2: got null, want object"}},
		"a type":              {`{"steps":[{},{"type":null}]}`, []string{"/steps/1/type: got null, want integer or string"}},
		"a fraction":          {`{"steps":[{"type":1.5e0}]}`, []string{"/steps/0/type: got number, want integer or string"}},
		"a payload":           {`{"steps":[{"userInput":"x"}]}`, []string{"/steps/0/userInput: got string, want object"}},
		"deep in a step": {
			`{"steps":[{"subtrajectory":{"steps":[{"invokeSubagent":{"results":[{},{"conversationId":1}]}}]}}]}`,
			[]string{"/steps/0/subtrajectory/steps/0/invokeSubagent/results/1/conversationId: got number, want string"},
		},
		"a time": {
			`{"metadata":{"createdAt":"yesterday"}}`,
			[]string{`/metadata/createdAt: "yesterday" does not have the form ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$`},
		},
		"the block":             {`{"agyReader":null}`, []string{"/agyReader: got null, want object"}},
		"an empty parent":       {`{"agyReader":{"parentCascadeId":""}}`, []string{parentReason(``)}},
		"a qualified parent":    {`{"agyReader":{"parentCascadeId":"antigravity-cli:` + id + `"}}`, []string{parentReason("antigravity-cli:" + id)}},
		"no parent but null":    {`{"agyReader":{"parentCascadeId":null}}`, []string{"/agyReader/parentCascadeId: got null, want string"}},
		"a very long parent":    {`{"agyReader":{"parentCascadeId":"` + id + strings.Repeat("x", 1<<20) + `"}}`, []string{parentReason(id + strings.Repeat("x", 80-36) + "…")}},
		"a parent with a line":  {`{"agyReader":{"parentCascadeId":"` + id + `\n"}}`, []string{parentReason(id + `\n`)}},
		"evidence without much": {`{"agyReader":{"completeness":` + without("sourceDigest") + `}}`, []string{"/agyReader/completeness: missing property 'sourceDigest'"}},
		"evidence of a form":    {`{"agyReader":{"completeness":` + without("fullForm") + `}}`, []string{"/agyReader/completeness: missing property 'fullForm'"}},
		"a negative count":      {`{"agyReader":{"completeness":` + strings.Replace(evidence, `"steps":2`, `"steps":-1e-0`, 1) + `}}`, []string{"/agyReader/completeness/steps: minimum: got -1e-0, want 0"}},
		"another storage":       {`{"agyReader":{"completeness":` + strings.Replace(evidence, "sqlite", "mysql", 1) + `}}`, []string{"/agyReader/completeness/storage: value must be one of 'sqlite', 'legacy-pb'"}},
		"a digest": {
			`{"agyReader":{"completeness":` + strings.Replace(evidence, "sha256:", "md5:", 1) + `}}`,
			[]string{`/agyReader/completeness/profileDigest: "md5:` + strings.TrimPrefix(digest, "sha256:") + `" does not have the form ^sha256:[0-9a-f]{64}$`},
		},
		"two of a kind": {
			`{"cascadeId":1,"agyReader":{"generator":"","offline":{"sourceOnly":[{"location":"x"}],"wrappers":"projected"}}}`,
			[]string{
				"/cascadeId: got number, want string", "/agyReader/generator: minLength: got 0, want 1",
				"/agyReader/offline/sourceOnly/0: missing properties 'sha256', 'base64'", "/agyReader/offline: missing property 'formatVersion'",
			},
		},
		"numbers as they stand": {
			`{"agyReader":{"offline":{"formatVersion":-1.5e0,"wrappers":"stored","usage":{"calls":-12e30}}}}`,
			[]string{
				"/agyReader/offline/formatVersion: got number, want integer", "/agyReader/offline/formatVersion: minimum: got -1.5e0, want 1",
				"/agyReader/offline/usage/calls: minimum: got -12e30, want 0",
			},
		},
		"very many": {`{"steps":[` + strings.Repeat("1,", 1000) + `1]}`, append(manySteps(contract.MaxProblems), "981 more")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := check(t, test.document)
			if diff := cmp.Diff(test.want, found); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func parentReason(got string) string {
	return `/agyReader/parentCascadeId: "` + got + `" does not have the form ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`
}

func manySteps(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("/steps/%d: got number, want object", i))
	}
	return lines
}

// TestHostile: whatever comes, an answer comes too, soon and without much memory.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"deep lists":     `{"x":` + strings.Repeat("[", 1<<20),
		"deep objects":   `{"x":` + strings.Repeat(`{"a":`, 1<<20),
		"deep steps":     strings.Repeat(`{"steps":[{"subtrajectory":`, 1<<18),
		"a long pointer": `{"` + strings.Repeat("n", 1<<20) + `":`,
		"a long number":  `{"metadata":{"nestingDepth":1.` + strings.Repeat("7", 1<<20) + `}}`,
		"a big exponent": `{"metadata":{"nestingDepth":1e-` + strings.Repeat("7", 1<<20) + `}}`,
	} {
		found, err := contract.Check(strings.NewReader(document))
		if err != nil || len(found.Problems) != 1 || len(found.Problems[0].Reason)+len(found.Problems[0].Pointer) > 1000 {
			t.Errorf("%s: %.2000v %v", name, found, err)
		}
	}
	var names strings.Builder
	names.WriteString(`{"":0`)
	for i := range sidecar.MaxNames / (4 << 20) {
		names.WriteString(`,"` + strings.Repeat("x", 4<<20+i) + `":0`)
	}
	if _, err := contract.Check(strings.NewReader(names.String())); !errors.Is(err, sources.ErrLimit) {
		t.Errorf("very many names: %v", err)
	}
	broken := errors.New("broken")
	if _, err := contract.Check(io.MultiReader(strings.NewReader(`{"steps":[`), failing{broken})); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
