package profile

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"google.golang.org/protobuf/types/descriptorpb"
)

// schema is an index over a serialized google.protobuf.FileDescriptorSet. It knows where each message and enum lies and
// decodes a descriptor when its table is first used. Safe for concurrent use.
type schema struct {
	messages map[string]*message
	enums    map[string]*enum
}

// message is a named message of a schema.
type message struct {
	name       string
	descriptor []byte
	schema     *schema
	compiled   atomic.Pointer[table]
	form       form
	// wrapper says how the message projects; nil for nearly all.
	wrapper *wrapper
}

// enum is a named enum of a schema.
type enum struct {
	name       string
	descriptor []byte
	// open accepts numbers without a name.
	open     bool
	compiled atomic.Pointer[enumTable]
	// byText holds numbers by name once somebody asked.
	byText atomic.Pointer[map[string]int32]
}

var errSet = errors.New("not a serialized FileDescriptorSet")

// newSchema indexes a descriptor set, which must hold all imports and only proto3 files. It refers to set.
func newSchema(set []byte) (*schema, error) {
	s := &schema{messages: make(map[string]*message, 1024), enums: make(map[string]*enum, 256)}
	err := eachBytes(set, func(number uint64, file []byte) error {
		if number != 1 {
			return nil
		}
		return s.addFile(file)
	})
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return s, nil
}

func (s *schema) addFile(file []byte) error {
	var name, pkg, syntax string
	err := eachBytes(file, func(number uint64, b []byte) error {
		switch number {
		case 1:
			name = string(b)
		case 2:
			pkg = string(b)
		case 12:
			syntax = string(b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if syntax != "proto3" {
		return fmt.Errorf("file %s: syntax is %q, only proto3 is supported", name, syntax)
	}
	return eachBytes(file, func(number uint64, b []byte) error {
		switch number {
		case 4:
			return s.addMessage(pkg, b)
		case 5:
			return s.addEnum(pkg, b)
		}
		return nil
	})
}

func (s *schema) addMessage(scope string, b []byte) error {
	name, err := descriptorName(scope, b)
	if err != nil {
		return err
	}
	if s.messages[name] != nil || s.enums[name] != nil {
		return fmt.Errorf("%s is declared twice", name)
	}
	s.messages[name] = &message{name: name, descriptor: b, schema: s, form: forms[name]}
	return eachBytes(b, func(number uint64, inner []byte) error {
		switch number {
		case 3:
			return s.addMessage(name, inner)
		case 4:
			return s.addEnum(name, inner)
		}
		return nil
	})
}

func (s *schema) addEnum(scope string, b []byte) error {
	name, err := descriptorName(scope, b)
	if err != nil {
		return err
	}
	if s.messages[name] != nil || s.enums[name] != nil {
		return fmt.Errorf("%s is declared twice", name)
	}
	s.enums[name] = &enum{name: name, descriptor: b}
	return nil
}

// verify compiles every message and enum and reports what a lazy reader would only find later.
func (s *schema) verify() error {
	var all []error
	for _, m := range s.messages {
		if t := m.table(); t.err != nil {
			all = append(all, t.err)
		}
	}
	for _, e := range s.enums {
		if t := e.table(); t.err != nil {
			all = append(all, t.err)
		}
	}
	return errors.Join(all...)
}

// byTypeName resolves the type_name of a field descriptor.
func (s *schema) byTypeName(f *descriptorpb.FieldDescriptorProto) (*message, *enum) {
	name := strings.TrimPrefix(f.GetTypeName(), ".")
	return s.messages[name], s.enums[name]
}

// byTypeURL resolves the type URL of an Any, nil when the schema does not hold the message.
func (s *schema) byTypeURL(url string) *message {
	return s.messages[url[strings.LastIndexByte(url, '/')+1:]]
}

func descriptorName(scope string, b []byte) (string, error) {
	name := ""
	err := eachBytes(b, func(number uint64, v []byte) error {
		if number == 1 {
			name = string(v)
		}
		return nil
	})
	switch {
	case err != nil:
		return "", err
	case name == "":
		return "", errSet
	case scope == "":
		return name, nil
	}
	return scope + "." + name, nil
}

// eachBytes calls fn for the length-delimited fields of a descriptor.
func eachBytes(b []byte, fn func(number uint64, v []byte) error) error {
	for i := 0; i < len(b); {
		tag, _, start, end := next(b, i)
		if end < 0 {
			return errSet
		}
		if tag&7 == wireBytes {
			if err := fn(tag>>3, b[start:end]); err != nil {
				return err
			}
		}
		i = end
	}
	return nil
}
