package contract

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// FuzzCheck: whatever JSON it is, the verdict and the places are those of the library about the whole document.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"cascadeId":1,"steps":[{"type":"X","metadata":{"createdAt":"x","argumentsOrder":[1]}},2],"agyReader":{"parentCascadeId":""}}`,
		`{"agyReader":{"offline":{"formatVersion":0.5,"childTrajectories":[{"depth":1,"steps":[{"userInput":1}],"members":{"steps":3}}],"gaps":[null]}}}`,
		`{"agyReader":{"completeness":{"formatVersion":1e400,"storage":"sqlite","steps":-3e-1}},"metadata":{"nestingDepth":1e-400}}`,
		`{"steps":[{"subtrajectory":{"steps":[[]],"trajectoryId":null}}]}`, `[]`, `{"steps":`, `{"a":1,"a":2}`,
		`{"agyReader":{"offline":{"unknownFields":[{"wireType":8,"number":70000000000000000000000000}],"usage":{"calls":12345678901234567890123456789}}}}`,
	} {
		f.Add(seed)
	}
	schema, err := compiled()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, document string) {
		found, err := Check(strings.NewReader(document))
		if err != nil {
			t.Fatalf("%q: %v", document, err)
		}
		if !jsontext.Value(document).IsValid() {
			if len(found.Problems) == 0 {
				t.Fatalf("%q is no JSON and has no problem", document)
			}
			return
		}
		tree, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
		if err != nil {
			t.Fatalf("%q: %v", document, err)
		}
		whole := checker{}
		whole.validate(schema, tree)
		if found.More > 0 || whole.found.More > 0 {
			return
		}
		if got, want := places(found), places(whole.found); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, the whole has %q", document, got, want)
		}
	})
}

func places(found Findings) []string {
	var all []string
	for _, p := range found.Problems {
		all = append(all, p.Pointer)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// FuzzNumber: a stand-in answers as the number itself does.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"0", "-0", "0.0e5", "1e2", "-1.50e1", "1.05e1", "100e-2", "1e-3", "7", "8", "7.0", "0.7e1", "123456789012345678901234567890", "1e23", "1e24", "1e25", "-12e30", "1200e-3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 60 || !jsontext.Value(text).IsValid() || jsontext.Value(text).Kind() != '0' {
			return
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			return // too big for the oracle
		}
		got, ok := new(big.Rat).SetString(number(text).String())
		if !ok || got.IsInt() != want.IsInt() || got.Sign() != want.Sign() {
			t.Fatalf("%s is %s", text, number(text))
		}
		for bound := int64(0); want.IsInt() && bound <= 10; bound++ {
			if b := big.NewRat(bound, 1); got.Cmp(b) != want.Cmp(b) {
				t.Fatalf("%s is %s: compared with %d", text, number(text), bound)
			}
		}
	})
}
