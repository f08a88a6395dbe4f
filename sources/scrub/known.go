package scrub

import (
	"bytes"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// kept are fields whose text is the product's own vocabulary and decides how a step is read. In a map entry the key is
// meant.
var kept = map[protoreflect.FullName]bool{
	"exa.codeium_common_pb.ChatToolCall.name":           true,
	"exa.codeium_common_pb.ChatToolCall.original_name":  true,
	"exa.codeium_common_pb.Media.mime_type":             true,
	"exa.codeium_common_pb.ImageData.mime_type":         true,
	"exa.cortex_pb.CortexStepGeneric.ArgsEntry.key":     true,
	"exa.cortex_pb.GenericStepResult.MetadataEntry.key": true,
	"exa.cortex_pb.CortexStepSystemMessage.event_type":  true,
	"exa.cortex_pb.PreToolHookResult.decision":          true,
	"exa.cortex_pb.AccumulatedSection.key":              true,
}

// arguments are fields that hold a JSON object whose keys are a tool's parameters.
var arguments = map[protoreflect.FullName]bool{
	"exa.codeium_common_pb.ChatToolCall.arguments_json":          true,
	"exa.codeium_common_pb.ChatToolCall.original_arguments_json": true,
}

// named replaces a text field as its name demands. A kept word that is no plain identifier is a user's text after all.
func (s *Scrubber) named(fd protoreflect.FieldDescriptor, value []byte) {
	switch name := fd.FullName(); {
	case kept[name] && identifier(value):
	case arguments[name]:
		s.arguments(value)
	default:
		s.Text(value)
	}
}

func identifier(value []byte) bool {
	return len(value) <= 64 && bytes.IndexFunc(value, func(r rune) bool {
		return !strings.ContainsRune("_-/.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", r)
	}) < 0
}

// nested are parameter names below the first level of a tool's arguments.
var nested = map[string]bool{
	"TargetContent": true, "ReplacementContent": true, "AllowMultiple": true, "StartLine": true, "EndLine": true,
	"TypeName": true, "Role": true, "Prompt": true, "question": true, "options": true, "is_multi_select": true,
}

// arguments replaces everything in a JSON text but its syntax, its literals and the names of parameters. Deeper keys are
// data: a tool may pass any object on.
func (s *Scrubber) arguments(value []byte) {
	s.Texts++
	level := 0
	for at := 0; at < len(value); at++ {
		switch value[at] {
		case '{':
			level++
		case '}':
			level--
		case '"':
			end := stringEnd(value, at+1)
			text := value[at+1 : end]
			parameter := isKey(value[end:]) && identifier(text) && (level == 1 || nested[string(text)])
			if !parameter {
				s.Text(text)
			}
			at = end
		}
	}
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

// any replaces the content of a google.protobuf.Any by the type it names, which stays.
func (s *Scrubber) any(raw []byte, depth int) error {
	var content protoreflect.MessageDescriptor
	values := [][]byte{}
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeField(raw)
		if n < 0 {
			return protowire.ParseError(n)
		}
		if _, _, tag := protowire.ConsumeTag(raw); kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(raw[tag:])
			if number == 1 {
				content = s.messageOf(string(value))
			} else {
				values = append(values, value)
			}
		}
		raw = raw[n:]
	}
	for _, value := range values {
		if content == nil {
			if err := s.unknown(value, depth); err != nil {
				return err
			}
		} else if err := s.message(content, value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// messageOf finds the message a type URL names, or nil.
func (s *Scrubber) messageOf(url string) protoreflect.MessageDescriptor {
	found, err := s.files.FindDescriptorByName(protoreflect.FullName(url[strings.LastIndexByte(url, '/')+1:]))
	if err != nil {
		return nil
	}
	message, _ := found.(protoreflect.MessageDescriptor)
	return message
}
