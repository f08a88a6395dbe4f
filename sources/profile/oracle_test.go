package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// oracle is the official library over the same descriptor set.
type oracle struct {
	types *dynamicpb.Types
}

func newOracle(t testing.TB, set []byte) *oracle {
	t.Helper()
	return &oracle{dynamicpb.NewTypes(registryOf(t, set))}
}

// json returns what protojson makes of raw; an error means that it refuses. A panic counts as a refusal: version 1.36.12 has
// one for a map entry whose key comes a second time with another wire type.
func (o *oracle) json(message string, raw []byte) (_ []byte, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	mt, err := o.types.FindMessageByName(protoreflect.FullName(message))
	if err != nil {
		return nil, err
	}
	m := mt.New().Interface()
	if err := (proto.UnmarshalOptions{Resolver: o.types}).Unmarshal(raw, m); err != nil {
		return nil, err
	}
	return protojson.MarshalOptions{Resolver: o.types}.Marshal(m)
}

// parse reads JSON without losing digits. Names that occur twice in an object are no JSON here.
func parse(t testing.TB, text []byte) any {
	t.Helper()
	if !jsontext.Value(text).IsValid() {
		t.Fatalf("not JSON: %.2000s", text)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("not JSON: %v\n%.2000s", err, text)
	}
	if dec.More() {
		t.Fatalf("more than one JSON value: %.2000s", text)
	}
	return v
}

// equalJSON compares two texts by meaning.
func equalJSON(t testing.TB, want, got []byte) bool {
	t.Helper()
	a, b := parse(t, want), parse(t, got)
	if reflect.DeepEqual(a, b) {
		return true
	}
	t.Errorf("JSON differs (-protojson +ours):\n%s", cmp.Diff(a, b))
	return false
}
