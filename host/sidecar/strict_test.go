package sidecar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/host/sidecar"
	"agy-reader/sources"
)

// A strict scanner sees what another lets pass, and says where.
func TestStrictScanner(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		document, at string
	}{
		"a name twice":           {`{"a":{"b":1,"c":[],"b":2}}`, "/a/b"},
		"the same after escapes": {`{"a":1,"\u0061":2}`, "/a"},
		"no UTF-8":               {"{\"a\":[\"\xff\"]}", "/a/0"},
		"no UTF-8 in a name":     {"{\"\xff\":1}", ""},
		"valid":                  {`{"a":{"b":1},"b":{"b":1}}`, "valid"},
	} {
		loose, strict := sidecar.NewScanner(strings.NewReader(test.document)), sidecar.NewStrictScanner(strings.NewReader(test.document))
		if err := loose.Skip(); err != nil {
			t.Errorf("%s: %v from a scanner that is not strict", name, err)
		}
		err := strict.Skip()
		var syntax *jsontext.SyntacticError
		switch {
		case test.at == "valid":
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case !errors.Is(err, sidecar.ErrCorrupt) || !errors.As(err, &syntax) || string(syntax.JSONPointer) != test.at:
			t.Errorf("%s: %v, want an error at %s", name, err, test.at)
		}
	}
}

// Names count as long as their object is open.
func TestStrictScannerNames(t *testing.T) {
	t.Parallel()
	var object strings.Builder
	for i := range 4 {
		object.WriteString(`"` + strings.Repeat("x", sidecar.MaxNames/16+i) + `":0,`)
	}
	members := object.String() // a quarter of what may be open, and a bit
	one := "{" + strings.TrimSuffix(members, ",") + "}"
	if err := sidecar.NewStrictScanner(strings.NewReader("[" + strings.Repeat(one+",", 5) + "0]")).Skip(); err != nil {
		t.Errorf("one after the other: %v", err)
	}
	if err := sidecar.NewStrictScanner(strings.NewReader(strings.Repeat("{"+members+`"x":`, 4))).Skip(); !errors.Is(err, sources.ErrLimit) {
		t.Errorf("one in the other: %v", err)
	}
}
