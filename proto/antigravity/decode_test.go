package antigravity_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/proto/antigravity"
)

// decoder reads with the reference implementation, dynamicpb, independent of sources/profile.
type decoder struct {
	manifest antigravity.Manifest
	files    *protoregistry.Files
	open     map[string]bool
}

func loadProfile(t *testing.T, name string) *decoder {
	t.Helper()
	d := &decoder{open: map[string]bool{}}
	manifest, err := antigravity.ReadManifest(antigravity.Profiles(), name)
	if err != nil {
		t.Fatal(err)
	}
	d.manifest = *manifest
	raw, err := antigravity.ReadSchema(antigravity.Profiles(), name)
	if err != nil {
		t.Fatal(err)
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		t.Fatal(err)
	}
	d.files = files
	for _, open := range d.manifest.OpenEnums {
		d.open[open.Enum] = true
	}
	return d
}

func (d *decoder) table(name string) antigravity.Table {
	for _, table := range d.manifest.Tables {
		if table.Name == name {
			return table
		}
	}
	return antigravity.Table{}
}

func (d *decoder) message(t *testing.T, name string) protoreflect.MessageDescriptor {
	t.Helper()
	found, err := d.files.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		t.Fatalf("message %s: %v", name, err)
	}
	return found.(protoreflect.MessageDescriptor)
}

// report fails the test for everything in raw that the schema does not know.
func (d *decoder) report(t *testing.T, where, message string, raw []byte) {
	t.Helper()
	m := dynamicpb.NewMessage(d.message(t, message))
	if err := proto.Unmarshal(raw, m); err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	d.walk(where, m, func(problem string) { t.Error(problem) })
}

func (d *decoder) walk(where string, m protoreflect.Message, report func(string)) {
	if unknown := m.GetUnknown(); len(unknown) > 0 {
		number, wire, _ := protowire.ConsumeTag(unknown)
		report(fmt.Sprintf("%s: %s has unknown field %d of wire type %d", where, m.Descriptor().FullName(), number, wire))
	}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		at := where + "." + string(field.Name())
		switch {
		case field.IsMap():
			value.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				d.value(at, field.MapValue(), v, report)
				return true
			})
		case field.IsList():
			for i := range value.List().Len() {
				d.value(at, field, value.List().Get(i), report)
			}
		default:
			d.value(at, field, value, report)
		}
		return true
	})
}

func (d *decoder) value(where string, field protoreflect.FieldDescriptor, v protoreflect.Value, report func(string)) {
	if field.Message() != nil {
		d.walk(where, v.Message(), report)
	}
	enum := field.Enum()
	if enum != nil && enum.Values().ByNumber(v.Enum()) == nil && !d.open[string(enum.FullName())] {
		report(fmt.Sprintf("%s: %s has no value %d", where, enum.FullName(), v.Enum()))
	}
}

// field returns the wire bytes of the last occurrence of a dotted path of length-delimited fields.
func (d *decoder) field(t *testing.T, message string, raw []byte, path string) ([]byte, bool) {
	t.Helper()
	name, rest, deeper := strings.Cut(path, ".")
	field := d.message(t, message).Fields().ByName(protoreflect.Name(name))
	if field == nil {
		t.Fatalf("%s has no field %s", message, name)
	}
	var found []byte
	ok := false
	for len(raw) > 0 {
		number, wire, n := protowire.ConsumeTag(raw)
		size := protowire.ConsumeFieldValue(number, wire, raw[n:])
		if n < 0 || size < 0 {
			t.Fatalf("%s: damaged wire bytes", message)
		}
		if number == field.Number() && wire == protowire.BytesType {
			found, _ = protowire.ConsumeBytes(raw[n:])
			ok = true
		}
		raw = raw[n+size:]
	}
	if !ok || !deeper {
		return found, ok
	}
	return d.field(t, string(field.Message().FullName()), found, rest)
}
