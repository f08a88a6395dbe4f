package scrub

import (
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxDepth bounds how deep messages may nest.
const maxDepth = 100

// Message replaces every text and every opaque byte of a message in place. An unknown name is no error: the bytes are then
// taken for a message where they look like one. Bytes that are no message are replaced as a whole.
func (s *Scrubber) Message(name string, raw []byte) {
	found, _ := s.files.FindDescriptorByName(protoreflect.FullName(name)) // nil when unknown
	descriptor, ok := found.(protoreflect.MessageDescriptor)
	if !ok {
		_ = s.unknown(raw, 0) // it checks what it takes for a message
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
		if kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(raw)
			if err := s.value(field(descriptor, number), value, depth); err != nil {
				return err
			}
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

// value replaces one length-delimited value.
func (s *Scrubber) value(fd protoreflect.FieldDescriptor, value []byte, depth int) error {
	switch {
	case fd == nil:
		return s.unknown(value, depth)
	case fd.Kind() == protoreflect.MessageKind:
		return s.message(fd.Message(), value, depth+1)
	case fd.Kind() == protoreflect.StringKind:
		s.named(fd, value)
	case fd.Kind() == protoreflect.BytesKind:
		return s.unknown(value, depth)
	}
	return nil // packed numbers stay
}

// unknown replaces bytes without a schema: a message inside, else text, else bytes.
func (s *Scrubber) unknown(value []byte, depth int) error {
	switch {
	case depth < maxDepth && looksLikeMessage(value):
		return s.message(nil, value, depth+1)
	case utf8.Valid(value):
		s.Text(value)
	default:
		s.Bytes(value)
	}
	return nil
}

// looksLikeMessage: parses to the end, and is not plain text by the look of its first tag.
func looksLikeMessage(value []byte) bool {
	if len(value) == 0 || (utf8.Valid(value) && value[0] >= ' ') {
		return false
	}
	for len(value) > 0 {
		_, _, n := protowire.ConsumeField(value)
		if n < 0 {
			return false
		}
		value = value[n:]
	}
	return true
}

func isAny(descriptor protoreflect.MessageDescriptor) bool {
	return descriptor != nil && descriptor.FullName() == "google.protobuf.Any"
}
