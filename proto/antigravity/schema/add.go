package schema

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/proto/antigravity"
)

// Add applies the additions of a profile. own are its compiled files, base those of the profile it extends; the result are
// the own files and the changed ones of base. An error names the member of profile.json.
func Add(base, own *descriptorpb.FileDescriptorSet, adds antigravity.Additions) (*descriptorpb.FileDescriptorSet, error) {
	if len(adds.Fields)+len(adds.Values) == 0 {
		return own, nil
	}
	a := &adder{changed: map[string]bool{}, where: map[string]place{}}
	for _, file := range own.GetFile() {
		a.changed[file.GetName()] = true
		a.add(file)
	}
	for _, file := range base.GetFile() {
		if !a.changed[file.GetName()] {
			a.add(proto.CloneOf(file))
		}
	}
	for i, f := range adds.Fields {
		if err := a.field(f); err != nil {
			return nil, fmt.Errorf("adds.fields[%d]: %w", i, err)
		}
	}
	for i, v := range adds.Values {
		if err := a.value(v); err != nil {
			return nil, fmt.Errorf("adds.values[%d]: %w", i, err)
		}
	}
	if _, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: a.files}); err != nil {
		return nil, fmt.Errorf("adds: %w", err)
	}
	set := &descriptorpb.FileDescriptorSet{}
	for _, file := range a.files {
		if a.changed[file.GetName()] {
			set.File = append(set.File, file)
		}
	}
	return set, nil
}

// adder changes descriptors.
type adder struct {
	files   []*descriptorpb.FileDescriptorProto
	changed map[string]bool
	where   map[string]place
}

// place is where a message or enum is declared.
type place struct {
	file    *descriptorpb.FileDescriptorProto
	message *descriptorpb.DescriptorProto
	enum    *descriptorpb.EnumDescriptorProto
}

func (a *adder) add(file *descriptorpb.FileDescriptorProto) {
	a.files = append(a.files, file)
	a.scope(file, file.GetPackage(), file.GetMessageType(), file.GetEnumType())
}

func (a *adder) scope(file *descriptorpb.FileDescriptorProto, scope string, messages []*descriptorpb.DescriptorProto, enums []*descriptorpb.EnumDescriptorProto) {
	for _, m := range messages {
		name := strings.TrimPrefix(scope+"."+m.GetName(), ".")
		a.where[name] = place{file: file, message: m}
		a.scope(file, name, m.GetNestedType(), m.GetEnumType())
	}
	for _, e := range enums {
		a.where[strings.TrimPrefix(scope+"."+e.GetName(), ".")] = place{file: file, enum: e}
	}
}

func (a *adder) field(f antigravity.AddedField) error {
	at := a.where[f.Message]
	if at.message == nil {
		return fmt.Errorf("message %s is not in the schema", f.Message)
	}
	for _, have := range at.message.GetField() {
		if have.GetNumber() == f.Number || have.GetName() == f.Name {
			return fmt.Errorf("%s has %s = %d already", f.Message, have.GetName(), have.GetNumber())
		}
	}
	d := &descriptorpb.FieldDescriptorProto{
		Name: &f.Name, Number: &f.Number, Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
	}
	if f.Repeated {
		d.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	}
	if err := a.setType(at.file, d, f.Type); err != nil {
		return err
	}
	if f.Oneof != "" {
		i := slices.IndexFunc(at.message.GetOneofDecl(), func(o *descriptorpb.OneofDescriptorProto) bool { return o.GetName() == f.Oneof })
		if i < 0 {
			return fmt.Errorf("%s has no oneof %s", f.Message, f.Oneof)
		}
		d.OneofIndex = proto.Int32(int32(i))
	}
	// Fields of one oneof stand together.
	behind := len(at.message.GetField())
	for i, have := range at.message.GetField() {
		if d.OneofIndex != nil && have.OneofIndex != nil && have.GetOneofIndex() == d.GetOneofIndex() {
			behind = i + 1
		}
	}
	at.message.Field = slices.Insert(at.message.Field, behind, d)
	a.changed[at.file.GetName()] = true
	return nil
}

func (a *adder) setType(file *descriptorpb.FileDescriptorProto, d *descriptorpb.FieldDescriptorProto, name string) error {
	if number, ok := descriptorpb.FieldDescriptorProto_Type_value["TYPE_"+strings.ToUpper(name)]; ok && strings.ToLower(name) == name &&
		!slices.Contains([]string{"message", "enum", "group"}, name) {
		d.Type = descriptorpb.FieldDescriptorProto_Type(number).Enum()
		return nil
	}
	at := a.where[name]
	switch {
	case at.message != nil:
		d.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
	case at.enum != nil:
		d.Type = descriptorpb.FieldDescriptorProto_TYPE_ENUM.Enum()
	default:
		return fmt.Errorf("type %q is neither a scalar nor in the schema", name)
	}
	d.TypeName = proto.String("." + name)
	if from := at.file.GetName(); from != file.GetName() && !slices.Contains(file.GetDependency(), from) {
		file.Dependency = append(file.Dependency, from)
	}
	return nil
}

func (a *adder) value(v antigravity.AddedValue) error {
	at := a.where[v.Enum]
	if at.enum == nil {
		return fmt.Errorf("enum %s is not in the schema", v.Enum)
	}
	for _, have := range at.enum.GetValue() {
		if have.GetNumber() == v.Number || have.GetName() == v.Name {
			return fmt.Errorf("%s has %s = %d already", v.Enum, have.GetName(), have.GetNumber())
		}
	}
	at.enum.Value = append(at.enum.Value, &descriptorpb.EnumValueDescriptorProto{Name: &v.Name, Number: &v.Number})
	a.changed[at.file.GetName()] = true
	return nil
}
