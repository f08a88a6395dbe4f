package shape_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit/shape"
)

// FuzzAdd: whatever JSON it is, the lines are those of a walk through the decoded tree.
func FuzzAdd(f *testing.F) {
	for _, seed := range []string{
		`{"steps":[{"type":"X","generic":{"a":1},"metadata":{"internalMetadata":{"a":1}}}],"agyReader":{}}`,
		`{"trajectory":{"a":[[1],null],"b":{"file:x":true}}}`, `{"trajectory":1}`, `{"a.b":1,"a":{"b":[]}}`, `[]`, `{"a":`,
		`{"steps.[]":{"generic":{"a":1}}}`, `{"00":{"0123456789abcdef":1},"":{"":2}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, document string) {
		s := new(shape.Shape)
		if s.Add(strings.NewReader(document)) != nil || !jsontext.Value(document).IsValid() {
			return
		}
		var tree map[string]any
		if err := json.Unmarshal([]byte(document), &tree); err != nil {
			t.Fatalf("%q: %v", document, err)
		}
		if inner, is := tree["trajectory"].(map[string]any); is && len(tree) == 1 {
			tree = inner
		}
		delete(tree, "agyReader")
		facts := map[string]map[string]bool{}
		walk(facts, "", true, tree)
		var want []string
		for path, types := range facts {
			want = append(want, path+"\t"+strings.Join(slices.Sorted(maps.Keys(types)), "|"))
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, s.Lines()); diff != "" {
			t.Fatalf("%q: %s", document, diff)
		}
	})
}

var (
	free   = regexp.MustCompile(`^((executorMetadatas|generatorMetadata|metadata\.mendelExperimentIds)|steps\.\[\]\.(generic|metadata\.(internalMetadata|sourceTrajectoryStepInfo)|userInput\.(activeUserState|userConfig)))$`)
	isData = regexp.MustCompile(`^file:|/|^[0-9]+$|^[0-9a-f]{16,}$|^(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`)
)

func walk(facts map[string]map[string]bool, path string, root bool, value any) {
	if facts[path] == nil {
		facts[path] = map[string]bool{}
	}
	below := func(name string, value any) {
		if !root {
			name = path + "." + name
		}
		walk(facts, name, false, value)
	}
	stop := free.MatchString(path)
	switch value := value.(type) {
	case map[string]any:
		facts[path]["object"] = true
		for name, member := range value {
			if stop {
				break
			}
			if isData.MatchString(name) {
				name = "*"
			}
			below(name, member)
		}
	case []any:
		facts[path]["array"] = true
		for _, element := range value {
			if stop {
				break
			}
			below("[]", element)
		}
	case string:
		facts[path]["string"] = true
	case float64:
		facts[path]["number"] = true
	case bool:
		facts[path]["boolean"] = true
	case nil:
		facts[path]["null"] = true
	}
}
