package contract

import (
	"bytes"
	"errors"
	"math/big"
	"regexp"
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
	oracle := library(f)
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
		if bigExponent.MatchString(document) {
			return // no whole number to the library
		}
		tree, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
		if err != nil {
			t.Fatalf("%q: %v", document, err)
		}
		var got, want []string
		for _, p := range found.Problems {
			got = append(got, p.Pointer)
		}
		var invalid *jsonschema.ValidationError
		if errors.As(oracle.Validate(tree), &invalid) {
			want = leaves(invalid)
		}
		if found.More > 0 || len(want) > MaxProblems {
			return
		}
		for _, list := range []*[]string{&got, &want} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, the library says %q", document, got, want)
		}
	})
}

var bigExponent = regexp.MustCompile(`[0-9.][eE][-+]?[0-9]{5}`)

// library is the schema as a validator that others wrote.
func library(t testing.TB) *jsonschema.Schema {
	t.Helper()
	const id = "urn:agy-reader:sidecar:1" // the schema's own name
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(id, document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// leaves are the places of the errors that say something, not of those that lead to them.
func leaves(err *jsonschema.ValidationError) []string {
	if len(err.Causes) == 0 {
		return []string{pointer(err.InstanceLocation)}
	}
	var all []string
	for _, cause := range err.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
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
