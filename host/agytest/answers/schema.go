// Package answers makes what a daemon answers out of the files of a session store. It reads databases with SQL, decodes
// with the official protobuf library and writes with protojson, and shares no code with the readers of this repository: what it
// knows of the display form is written from the facts (behaviour.md e.3, format.md §5), for the readers to be compared with.
package answers

import (
	"fmt"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/proto/antigravity"
)

// Names of messages.
const (
	trajectoryName = "gemini_coder.Trajectory"
	stepName       = "gemini_coder.Step"
	anyName        = "google.protobuf.Any"
)

// Schema decodes and writes the messages of one set of descriptors.
type Schema struct {
	types      *dynamicpb.Types
	trajectory protoreflect.MessageDescriptor
	step       protoreflect.MessageDescriptor
}

var (
	current = sync.OnceValues(func() (*Schema, error) { return load("agy-1.1.14") })
	legacy  = sync.OnceValues(func() (*Schema, error) { return load("legacy-pb") })
)

func load(name string) (*Schema, error) {
	raw, err := antigravity.ReadSchema(antigravity.Profiles(), name)
	if err != nil {
		return nil, err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(raw, &set); err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	s := &Schema{types: dynamicpb.NewTypes(files)}
	for name, into := range map[protoreflect.FullName]*protoreflect.MessageDescriptor{trajectoryName: &s.trajectory, stepName: &s.step} {
		found, err := files.FindDescriptorByName(name)
		if err != nil {
			return nil, fmt.Errorf("message %s: %w", name, err)
		}
		*into = found.(protoreflect.MessageDescriptor)
	}
	return s, nil
}

// decode reads a message.
func (s *Schema) decode(d protoreflect.MessageDescriptor, raw []byte) (protoreflect.Message, error) {
	m := dynamicpb.NewMessage(d)
	if err := (proto.UnmarshalOptions{Resolver: s.types}).Unmarshal(raw, m); err != nil {
		return nil, fmt.Errorf("decode %s: %w", d.FullName(), err)
	}
	return m, nil
}

// JSON writes a message by the rules of protojson.
func (s *Schema) JSON(m protoreflect.Message) ([]byte, error) {
	text, err := protojson.MarshalOptions{Resolver: s.types}.Marshal(m.Interface())
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", m.Descriptor().FullName(), err)
	}
	return text, nil
}

// Wire writes a message in wire form. Maps have another order each time, as the product's have.
func (s *Schema) Wire(m protoreflect.Message) ([]byte, error) {
	return proto.Marshal(m.Interface())
}
