package contract

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestEveryConstraint: whatever the schema demands is demanded at its place, as the library does.
func TestEveryConstraint(t *testing.T) {
	t.Parallel()
	root, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	oracle, done, tried := library(t), map[*schema]bool{}, 0
	// put makes a document of a value at the place that is visited.
	var visit func(s *schema, at []string, put func(any) any)
	visit = func(s *schema, at []string, put func(any) any) {
		for _, bad := range s.broken() {
			tried++
			text, err := json.Marshal(put(bad))
			if err != nil {
				t.Fatal(err)
			}
			found, err := Check(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, p := range found.Problems {
				got = append(got, p.Pointer)
			}
			tree, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			var invalid *jsonschema.ValidationError
			if errors.As(oracle.Validate(tree), &invalid) {
				want = leaves(invalid)
			}
			slices.Sort(got)
			slices.Sort(want)
			got, want = slices.Compact(got), slices.Compact(want)
			if !slices.Contains(got, pointer(at)) || !slices.Equal(got, want) {
				t.Errorf("%s: problems at %q, the library has them at %q; one should be at %s", text, got, want, pointer(at))
			}
		}
		if s.to != nil && !done[s.to] {
			done[s.to] = true
			visit(s.to, at, put)
		}
		for name, below := range s.Properties {
			visit(below, append(slices.Clone(at), name), func(v any) any { return put(map[string]any{name: v}) })
		}
		if s.Items != nil {
			visit(s.Items, append(slices.Clone(at), "0"), func(v any) any { return put([]any{v}) })
		}
	}
	visit(root, nil, func(v any) any { return v })
	if tried < 300 {
		t.Errorf("only %d documents", tried)
	}
}

// broken are values that break one keyword each.
func (s *schema) broken() (values []any) {
	for kind, of := range map[string]any{"string": "", "integer": 0.5, "number": 0.5, "boolean": true, "array": []any{}, "object": map[string]any{}, "null": nil} {
		if len(s.Type) > 0 && !slices.Contains(s.Type, kind) || kind == "integer" && slices.Contains(s.Type, kind) {
			values = append(values, of)
		}
	}
	if s.Enum != nil {
		values = append(values, "none of them", 1)
	}
	for _, name := range s.Required {
		others := map[string]any{}
		for _, other := range s.Required {
			if other != name {
				others[other] = nil
			}
		}
		values = append(values, others)
	}
	if s.Pattern != "" {
		values = append(values, "none of that form", "\x00")
	}
	if s.MinLength != nil {
		values = append(values, strings.Repeat("é", *s.MinLength-1))
	}
	if s.Minimum != nil {
		values = append(values, *s.Minimum-1)
	}
	if s.Maximum != nil {
		values = append(values, *s.Maximum+1)
	}
	return values
}
