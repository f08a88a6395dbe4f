package verify_test

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// FuzzOrdinary: an answer that is accepted says what is stored, by the official library.
func FuzzOrdinary(f *testing.F) {
	m := newMixed(f)
	s := take(f, seal(f, m.proto)) // instrumented, a database takes seconds
	files := schema(f)
	types := dynamicpb.NewTypes(files)
	lenient := protojson.UnmarshalOptions{Resolver: types, DiscardUnknown: true}
	empty := decodeAs(f, files, trajectoryMessage, nil)
	parse := func(raw []byte) (proto.Message, error) {
		v := dynamicpb.NewMessage(empty.Descriptor())
		err := lenient.Unmarshal(raw, v)
		for _, name := range []string{"generator_metadata", "executor_metadatas", "parent_references", "battle_mode_infos"} {
			v.Clear(empty.Descriptor().Fields().ByName(protoreflect.Name(name))) // an ordinary answer may leave parts out
		}
		return v, err
	}
	want, err := parse(m.ordinary)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(m.ordinary))
	f.Add([]byte(m.full))
	f.Add([]byte(`{"steps":[]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := s.Check(t.Context(), m.answer(), raw)
		if err != nil {
			if !errors.Is(err, verify.ErrStale) && !errors.Is(err, verify.ErrAnswer) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		got, err := parse(raw)
		if err != nil || !proto.Equal(got, want) {
			t.Fatalf("accepted, with %q not covered: %q, %v", e.NotCovered, raw, err)
		}
	})
}

// FuzzFull does the same with full answers in wire form.
func FuzzFull(f *testing.F) {
	m := newMixed(f)
	s := take(f, seal(f, m.proto)) // instrumented, a database takes seconds
	files := schema(f)
	want := decodeAs(f, files, trajectoryMessage, m.proto)
	f.Add(m.proto)
	f.Add([]byte{0x12, 0x00})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if raw == nil {
			raw = []byte{}
		}
		_, err := s.Check(t.Context(), daemon.Full{Proto: raw}, m.ordinary)
		if err != nil {
			if !errors.Is(err, verify.ErrStale) && !errors.Is(err, verify.ErrAnswer) {
				t.Fatalf("%x: %v", raw, err)
			}
			return
		}
		if !says(t, files, want, raw) {
			t.Fatalf("accepted: %x", raw)
		}
	})
}
