package profile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// fromJSON returns what protojson makes of a text.
func (o *oracle) fromJSON(message string, text []byte) (m proto.Message, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	mt, err := o.types.FindMessageByName(protoreflect.FullName(message))
	if err != nil {
		return nil, err
	}
	m = mt.New().Interface()
	return m, protojson.UnmarshalOptions{Resolver: o.types}.Unmarshal(text, m)
}

// sameMessage demands that wire bytes are the message that protojson reads from the text.
func (o *oracle) sameMessage(t *testing.T, message string, text, wire []byte) {
	t.Helper()
	want, err := o.fromJSON(message, text)
	if err != nil {
		t.Fatalf("protojson: %v\n%.2000s", err, text)
	}
	got := want.ProtoReflect().New().Interface()
	if err := (proto.UnmarshalOptions{Resolver: o.types}).Unmarshal(wire, got); err != nil {
		t.Fatalf("our bytes are no message: %v\n%.2000s\n%x", err, text, wire)
	}
	if proto.Equal(want, got) {
		return
	}
	// The content of an Any may be ordered otherwise.
	a, errA := protojson.MarshalOptions{Resolver: o.types}.Marshal(want)
	b, errB := protojson.MarshalOptions{Resolver: o.types}.Marshal(got)
	if errA != nil || errB != nil || !equalJSON(t, a, b) {
		t.Fatalf("another message: %v, %v\n%.2000s\n%x", errA, errB, text, wire)
	}
}

func TestWireEqualsProtojsonOnRandomMessages(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	o := newOracle(t, compileSet(t, "kinds.proto"))
	for seed := range uint64(4000) {
		g := &generator{rand.New(rand.NewPCG(seed, 7)), p.schema, 60}
		raw := g.message(p.schema.messages[all], 4)
		text, err := p.AppendJSON(nil, all, raw, nil)
		if err != nil {
			t.Fatal(err)
		}
		var left Leftovers
		got, err := p.AppendWire([]byte("before"), all, text, "m", &left)
		if err != nil || !left.Clean() {
			t.Fatalf("seed %d: %v, %+v\n%s", seed, err, left.List, text)
		}
		wire := got[len("before"):]
		var f Findings
		if err := p.Check(all, wire, "", &f); err != nil || len(f.Unknown)+len(f.UnknownWrappers) > 0 {
			t.Fatalf("seed %d: %v, %+v", seed, err, f)
		}
		o.sameMessage(t, all, text, wire)
	}
}

func TestWireRoundTripsCorpus(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	o := newOracle(t, embeddedSet(t))
	n := 0
	for _, b := range corpusBlobs(t, p) {
		text, err := p.AppendJSON(nil, b.message, b.raw, nil)
		if err != nil {
			t.Fatalf("%s: %v", b.label, err)
		}
		var left Leftovers
		wire, err := p.AppendWire(nil, b.message, text, "", &left)
		if err != nil || !left.Clean() {
			t.Fatalf("%s: %v, %+v", b.label, err, left.List)
		}
		back, err := p.AppendJSON(nil, b.message, wire, nil)
		if err != nil || string(back) != string(text) {
			t.Fatalf("%s: %v: another text comes back", b.label, err)
		}
		n++
		if n%7 == 0 && b.label != scrambledFile {
			o.sameMessage(t, b.message, text, wire)
		}
	}
	if n < 1000 {
		t.Errorf("only %d messages", n)
	}
}

func TestWireLeftovers(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	for _, test := range wireCases {
		var left Leftovers
		wire, err := p.AppendWire(nil, all, []byte(test.text), "m", &left)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		var got []string
		for _, l := range left.List {
			got = append(got, fmt.Sprintf("%s: %s: %s", l.Path, l.Reason, l.JSON))
		}
		if strings.Join(got, "\n") != test.left {
			t.Errorf("%s: left over\n%s\nwant\n%s", test.text, strings.Join(got, "\n"), test.left)
		}
		back, err := p.AppendJSON(nil, all, wire, nil)
		if err != nil || string(back) != test.kept {
			t.Errorf("%s: kept %s, %v; want %s", test.text, back, err, test.kept)
		}
	}
	for _, bad := range []string{"", "null", "[]", "{", `{"a":1}x`, `{"a":1}{}`, `{"a":tru}`, "\xff", strings.Repeat(`{"anAll":`, 20000)} {
		if _, err := p.AppendWire(nil, all, []byte(bad), "m", nil); err == nil || !strings.HasPrefix(err.Error(), "m: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	deep := strings.Repeat(`{"anAll":`, 5000) + "{}" + strings.Repeat(`}`, 5000)
	var left Leftovers
	wire, err := p.AppendWire(nil, all, []byte(deep), "", &left)
	if err != nil || len(left.List) != 1 || left.List[0].Reason != "nested too deep" || len(left.List[0].JSON) != (5000-maxDepth)*len(`{"anAll":}`)+2 {
		t.Errorf("deep nesting: %v, %d left over", err, len(left.List))
	}
	if _, err := p.AppendJSON(nil, all, wire, nil); err != nil {
		t.Errorf("deep nesting: %v", err)
	}
	if _, err := p.AppendWire(nil, "no.Such", []byte("{}"), "", nil); err == nil {
		t.Error("an unknown message is accepted")
	}
}

// FuzzWire demands that whatever protojson accepts becomes the same message with nothing left over, and that the bytes are
// a message always.
func FuzzWire(f *testing.F) {
	p := kindsProfile(f)
	o := newOracle(f, compileSet(f, "kinds.proto"))
	for seed := range uint64(30) {
		g := &generator{rand.New(rand.NewPCG(seed, 8)), p.schema, 20}
		text, err := p.AppendJSON(nil, all, g.message(p.schema.messages[all], 3), nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	for _, test := range wireCases {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var left Leftovers
		wire, err := p.AppendWire(nil, all, text, "", &left)
		if err == nil {
			if err := p.Check(all, wire, "", &Findings{}); err != nil {
				t.Fatalf("%q: our bytes are no message: %v", text, err)
			}
		}
		if _, refused := o.fromJSON(all, text); refused != nil {
			return
		}
		if err != nil {
			t.Fatalf("%q: protojson accepts what we refuse: %v", text, err)
		}
		for _, l := range left.List {
			if !l.Kept {
				t.Fatalf("%q: protojson accepts what we leave over: %s: %s: %s", text, l.Path, l.Reason, l.JSON)
			}
		}
		if left.Clean() {
			o.sameMessage(t, all, text, wire)
		}
	})
}
