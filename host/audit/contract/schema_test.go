package contract_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit/contract"
	"agy-reader/host/verify"
)

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func schema(t testing.TB) map[string]any {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal(contract.Schema(), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestSchemaIsKnown: the schema has no keyword that Check does not know.
func TestSchemaIsKnown(t *testing.T) {
	t.Parallel()
	keywords := strings.Fields("$schema $id $ref $defs title description type enum required properties items format pattern minLength minimum maximum contentEncoding")
	var visit func(at string, node any)
	visit = func(at string, node any) {
		members := node.(map[string]any)
		for name, value := range members {
			switch {
			case !slices.Contains(keywords, name):
				t.Errorf("%s/%s: not among the keywords that are checked", at, name)
			case name == "properties" || name == "$defs":
				for below, value := range value.(map[string]any) {
					if strings.ContainsAny(below, "~/") {
						t.Errorf("%s: %q needs an escape in pointers", at, below)
					}
					visit(at+"/"+name+"/"+below, value)
				}
			case name == "required":
				properties, _ := members["properties"].(map[string]any)
				for _, required := range value.([]any) {
					if _, found := properties[required.(string)]; !found {
						t.Errorf("%s: %q is required, and nothing is said of it", at, required)
					}
				}
			case name == "items":
				visit(at+"/items", value)
			case name == "maximum" && value.(float64) >= 1e24, name == "minimum" && value.(float64) < -1e23:
				t.Errorf("%s: %v is beyond the numbers that are looked at", at, value)
			}
		}
	}
	visit("", schema(t))
	if text := contract.Schema(); !bytes.HasSuffix(text, []byte("}\n")) || !bytes.Contains(text, []byte(`"$schema": "https://json-schema.org/draft/2020-12/schema"`)) {
		t.Error("the schema does not say its draft, or does not end its line")
	}
}

// TestEvidenceIsInTheContract: what verification writes is what the schema says, member by member.
func TestEvidenceIsInTheContract(t *testing.T) {
	t.Parallel()
	defs := schema(t)["$defs"].(map[string]any)
	completeness := defs["completeness"].(map[string]any)
	var all, required []string
	fields := reflect.TypeFor[verify.Evidence]()
	for i := range fields.NumField() {
		name, option, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		all = append(all, name)
		if option == "" {
			required = append(required, name)
		}
	}
	if diff := cmp.Diff(sorted(all), slices.Sorted(maps.Keys(completeness["properties"].(map[string]any)))); diff != "" {
		t.Error(diff)
	}
	var got []string
	for _, name := range completeness["required"].([]any) {
		got = append(got, name.(string))
	}
	if diff := cmp.Diff(required, got); diff != "" {
		t.Error(diff)
	}
}
