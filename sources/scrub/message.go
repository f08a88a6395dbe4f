package scrub

import (
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxDepth bounds how deep messages may nest.
const maxDepth = 100

// Message replaces every text and every opaque byte of a message in place, and makes the numbers of fields zero that the
// schema does not know. An unknown name is no error: the bytes are then taken for a message where they look like one.
// Bytes that are no message are replaced as a whole.
func (s *Scrubber) Message(name string, raw []byte) {
	found, _ := s.files.FindDescriptorByName(protoreflect.FullName(name)) // nil when unknown
	descriptor, ok := found.(protoreflect.MessageDescriptor)
	if !ok {
		s.unknown(raw, 0)
		return
	}
	if err := s.message(descriptor, raw, 0); err != nil {
		s.Bytes(raw)
	}
}

func (s *Scrubber) message(descriptor protoreflect.MessageDescriptor, raw []byte, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("messages nest deeper than %d", maxDepth)
	}
	if isAny(descriptor) {
		return s.any(raw, depth)
	}
	return eachField(raw, func(number protowire.Number, kind protowire.Type, value []byte) error {
		fd := field(descriptor, number)
		switch {
		case fd == nil || !stores(fd, kind):
			return s.nameless(kind, value, depth)
		case fd.Kind() == protoreflect.MessageKind || fd.Kind() == protoreflect.GroupKind:
			return s.message(fd.Message(), value, depth+1)
		case fd.Kind() == protoreflect.StringKind:
			s.named(fd, value)
		case fd.Kind() == protoreflect.BytesKind:
			s.unknown(value, depth)
		}
		return nil // numbers stay, packed ones too
	})
}

// eachField calls fn with every field of a message; value is the content of the field without its tag, length or end.
func eachField(raw []byte, fn func(number protowire.Number, kind protowire.Type, value []byte) error) error {
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return protowire.ParseError(n)
		}
		raw = raw[n:]
		size := protowire.ConsumeFieldValue(number, kind, raw)
		if size < 0 {
			return protowire.ParseError(size)
		}
		value := raw[:size]
		switch kind {
		case protowire.BytesType:
			value, _ = protowire.ConsumeBytes(value)
		case protowire.StartGroupType:
			value, _ = protowire.ConsumeGroup(number, value)
		}
		if err := fn(number, kind, value); err != nil {
			return err
		}
		raw = raw[size:]
	}
	return nil
}

func field(descriptor protoreflect.MessageDescriptor, number protowire.Number) protoreflect.FieldDescriptor {
	if descriptor == nil {
		return nil
	}
	return descriptor.Fields().ByNumber(number)
}

// stores reports whether a field is encoded with a wire type. Lists of numbers may be packed.
func stores(fd protoreflect.FieldDescriptor, kind protowire.Type) bool {
	want := protowire.VarintType
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.StringKind, protoreflect.BytesKind:
		return kind == protowire.BytesType
	case protoreflect.GroupKind:
		return kind == protowire.StartGroupType
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		want = protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		want = protowire.Fixed64Type
	}
	return kind == want || kind == protowire.BytesType && fd.IsList()
}

// nameless replaces the value of a field the schema does not know.
func (s *Scrubber) nameless(kind protowire.Type, value []byte, depth int) error {
	switch kind {
	case protowire.BytesType:
		s.unknown(value, depth)
	case protowire.StartGroupType:
		return s.message(nil, value, depth+1)
	case protowire.VarintType:
		for i := range value {
			value[i] &= 0x80 // a zero of the same length
		}
	default:
		clear(value)
	}
	return nil
}

// unknown replaces bytes without a schema: a message inside, else text, else bytes.
func (s *Scrubber) unknown(value []byte, depth int) {
	switch {
	case depth < maxDepth && looksLikeMessage(value) && s.message(nil, value, depth+1) == nil:
	case utf8.Valid(value):
		s.Text(value)
	default:
		s.Bytes(value)
	}
}

// looksLikeMessage: parses to the end, and is not plain text by the look of its first tag.
func looksLikeMessage(value []byte) bool {
	if len(value) == 0 || (utf8.Valid(value) && value[0] >= ' ') {
		return false
	}
	return eachField(value, func(protowire.Number, protowire.Type, []byte) error { return nil }) == nil
}

func isAny(descriptor protoreflect.MessageDescriptor) bool {
	return descriptor != nil && descriptor.FullName() == "google.protobuf.Any"
}
