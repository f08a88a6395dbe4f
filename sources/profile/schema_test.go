package profile

import (
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/proto/antigravity"
)

// compileSet compiles a proto file of testdata with its imports into a serialized FileDescriptorSet.
func compileSet(t testing.TB, file string) []byte {
	t.Helper()
	c := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{"testdata"}}),
	}
	return serialize(t, c, file)
}

// compileText is compileSet for a schema given as text.
func compileText(t testing.TB, text string) []byte {
	t.Helper()
	c := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			Accessor: protocompile.SourceAccessorFromMap(map[string]string{"text.proto": text}),
		}),
	}
	return serialize(t, c, "text.proto")
}

func serialize(t testing.TB, c protocompile.Compiler, file string) []byte {
	t.Helper()
	files, err := c.Compile(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	set, seen := new(descriptorpb.FileDescriptorSet), make(map[string]bool)
	var add func(f protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(f))
	}
	for _, f := range files {
		add(f)
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// registryOf is the same set as the official library sees it.
func registryOf(t testing.TB, raw []byte) *protoregistry.Files {
	t.Helper()
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(raw, set); err != nil {
		t.Fatal(err)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// kindsManifest belongs to testdata/kinds.proto.
func kindsManifest() *antigravity.Manifest {
	return &antigravity.Manifest{
		Name:      "kinds",
		OpenEnums: []antigravity.OpenEnum{{Enum: "test.kinds.Open"}},
		Wrappers: []antigravity.Wrapper{{
			Message: "test.kinds.Step", Body: "generic", Payload: []string{"result.payload", "result.data"},
			TypeURL: "type.googleapis.com/test.kinds.Step", Outer: []string{"status", "metadata", "error"},
		}},
	}
}

func kindsProfile(t testing.TB) *Profile {
	t.Helper()
	p, err := newProfile(kindsManifest(), compileSet(t, "kinds.proto"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.schema.verify(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSchemaRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"proto2", `syntax = "proto2"; message M { optional int32 a = 1; }`, `syntax is`},
		{"group", `syntax = "proto2"; message M { optional group G = 1 { optional int32 a = 1; } }`, `syntax is`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := newSchema(compileText(t, tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("newSchema: %v, want an error about %q", err, tt.want)
			}
		})
	}
}

func TestGroupInDescriptorIsRefused(t *testing.T) {
	t.Parallel()
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{{
		Name: proto.String("g.proto"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{{
			Name: proto.String("M"),
			Field: []*descriptorpb.FieldDescriptorProto{{
				Name: proto.String("g"), Number: proto.Int32(1), Type: descriptorpb.FieldDescriptorProto_TYPE_GROUP.Enum(),
				Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), TypeName: proto.String(".M"),
			}},
		}},
	}}}
	raw, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSchema(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.verify(); err == nil || !strings.Contains(err.Error(), "TYPE_GROUP is not supported") {
		t.Errorf("verify: %v, want a refusal of the group", err)
	}
}

func TestEnumPrefix(t *testing.T) {
	t.Parallel()
	set := compileText(t, `syntax = "proto3"; package p;
enum Status { CORTEX_STEP_STATUS_UNSPECIFIED = 0; CORTEX_STEP_STATUS_DONE = 3; OTHER = 4; }
enum NotSet { FOO_NOT_SET = 0; FOO_A = 1; FOO_B = 2; }
enum Bare { NONE = 0; A_B = 1; }
enum Single { SOLO_UNSPECIFIED = 0; }`)
	s, err := newSchema(set)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		enum, want string
		number     int64
	}{
		{"p.Status", "DONE", 3},
		{"p.Status", "UNSPECIFIED", 0},
		{"p.Status", "OTHER", 4},
		{"p.NotSet", "A", 1},
		{"p.NotSet", "NOT_SET", 0},
		{"p.Bare", "A_B", 1},
		{"p.Single", "UNSPECIFIED", 0},
	}
	for _, tt := range tests {
		if got, _ := s.enums[tt.enum].table().value(tt.number); got.short != tt.want {
			t.Errorf("%s %d: %q, want %q", tt.enum, tt.number, got.short, tt.want)
		}
	}
}

func kindsManifestWithout() *antigravity.Manifest { return &antigravity.Manifest{Name: "plain"} }
