package scrub

import (
	"bytes"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// named replaces a text field as its name demands.
func (s *Scrubber) named(fd protoreflect.FieldDescriptor, value []byte) {
	switch name := fd.FullName(); {
	case kept[name][string(value)]:
	case arguments[name]:
		s.arguments(value)
	default:
		s.Text(value)
	}
}

// arguments replaces everything in a JSON text but its syntax, its literals and the known names of parameters.
func (s *Scrubber) arguments(value []byte) {
	outside := 0
	for at := 0; at < len(value); at++ {
		if value[at] != '"' {
			continue
		}
		s.replace(value[outside:at])
		end := stringEnd(value, at+1)
		if text := value[at+1 : end]; !isKey(value[end:]) || !parameters[string(text)] {
			s.replace(text)
		}
		at = end
		outside = min(end+1, len(value))
	}
	s.replace(value[outside:])
	s.Texts++
}

// stringEnd is the index of the quote that ends a JSON string starting at from, or the length of the text.
func stringEnd(value []byte, from int) int {
	for at := from; at < len(value); at++ {
		switch value[at] {
		case '"':
			return at
		case '\\':
			at++
		}
	}
	return len(value)
}

// isKey reports whether a colon follows the quote at the start of rest.
func isKey(rest []byte) bool {
	if len(rest) == 0 {
		return false
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// any replaces the content of a google.protobuf.Any by the type it names. The name stays when the schema has it.
func (s *Scrubber) any(raw []byte, depth int) error {
	var content protoreflect.MessageDescriptor
	values := [][]byte{}
	err := eachField(raw, func(number protowire.Number, kind protowire.Type, value []byte) error {
		switch {
		case kind != protowire.BytesType:
			return s.nameless(kind, value, depth)
		case number == 1:
			if content = s.messageOf(string(value)); content == nil {
				s.Text(value)
			}
		case number == 2:
			values = append(values, value)
		default:
			s.unknown(value, depth)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, value := range values {
		if content == nil {
			s.unknown(value, depth)
		} else if err := s.message(content, value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// messageOf finds the message a type URL names, or nil.
func (s *Scrubber) messageOf(url string) protoreflect.MessageDescriptor {
	name, ok := strings.CutPrefix(url, anyPrefix)
	if !ok {
		return nil
	}
	found, _ := s.files.FindDescriptorByName(protoreflect.FullName(name)) // nil when unknown
	message, _ := found.(protoreflect.MessageDescriptor)
	return message
}
