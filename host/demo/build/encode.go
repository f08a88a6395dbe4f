// Package build makes conversation databases out of protobuf JSON: for the demo, for tests and for the benchmark's data.
// It writes with the reference implementation (protojson, dynamicpb) and the schema of the newest embedded profile, so
// that what it makes is independent of how agy-reader reads. It is not part of the running program.
package build

import (
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/proto/antigravity"
)

// Profile is the decoder profile whose schema everything here is written with.
const Profile = "agy-1.0.4"

// StepMessage is the message of a step payload.
const StepMessage = "gemini_coder.Step"

var schema = sync.OnceValues(func() (*protoregistry.Files, error) {
	raw, err := fs.ReadFile(antigravity.Profiles(), Profile+"/schema.binpb")
	if err != nil {
		return nil, err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(raw, &set); err != nil {
		return nil, err
	}
	return protodesc.NewFiles(&set)
})

// Schema returns the descriptors of Profile, for tests that decode with dynamicpb. It is the same value every time.
func Schema() (*protoregistry.Files, error) { return schema() }

// NewMessage returns an empty message of a fully qualified name.
func NewMessage(message string) (*dynamicpb.Message, error) {
	files, err := schema()
	if err != nil {
		return nil, fmt.Errorf("load schema %s: %w", Profile, err)
	}
	found, err := files.FindDescriptorByName(protoreflect.FullName(message))
	if err != nil {
		return nil, fmt.Errorf("message %s: %w", message, err)
	}
	descriptor, ok := found.(protoreflect.MessageDescriptor)
	if !ok {
		return nil, fmt.Errorf("message %s: is a %T", message, found)
	}
	return dynamicpb.NewMessage(descriptor), nil
}

// Encode returns the wire bytes of a message given as protobuf JSON. Equal JSON gives equal bytes. Any members inside are
// resolved in the same schema.
func Encode(message, json string) ([]byte, error) {
	m, err := NewMessage(message)
	if err != nil {
		return nil, err
	}
	files, err := schema()
	if err != nil {
		return nil, err
	}
	read := protojson.UnmarshalOptions{Resolver: dynamicpb.NewTypes(files)}
	if err := read.Unmarshal([]byte(json), m); err != nil {
		return nil, fmt.Errorf("encode %s: %w", message, err)
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// MustEncode is Encode for tests.
func MustEncode(t testing.TB, message, json string) []byte {
	t.Helper()
	raw, err := Encode(message, json)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Step is MustEncode of a gemini_coder.Step.
func Step(t testing.TB, json string) []byte {
	t.Helper()
	return MustEncode(t, StepMessage, json)
}

// AppendUnknown appends a length-delimited field, for bytes that the schema does not declare.
func AppendUnknown(raw []byte, number int32, value []byte) []byte {
	raw = protowire.AppendTag(raw, protowire.Number(number), protowire.BytesType)
	return protowire.AppendBytes(raw, value)
}
