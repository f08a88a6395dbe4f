package schema_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/proto/antigravity"
	"agy-reader/proto/antigravity/schema"
)

func baseSet(t *testing.T) *descriptorpb.FileDescriptorSet {
	t.Helper()
	set, err := schema.Compile(context.Background(), fstest.MapFS{
		"a.proto": {Data: []byte("syntax = \"proto3\";\npackage t;\nimport \"b.proto\";\nmessage A { B b = 1; oneof o { string s = 2; } string last = 3; }\n")},
		"b.proto": {Data: []byte("syntax = \"proto3\";\npackage t;\nmessage B { string s = 1; }\nenum E { NONE = 0; }\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func fileNames(set *descriptorpb.FileDescriptorSet) string {
	var names []string
	for _, file := range set.GetFile() {
		names = append(names, file.GetName())
	}
	return strings.Join(names, " ")
}

func TestCompileOver(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, files, text, want, problem string
	}{
		{"nothing", "", "", "", ""},
		{"a file more, which imports one of the base", "c.proto", "import \"b.proto\"; message C { B b = 1; }", "c.proto", ""},
		{"a file replaced", "b.proto", "message B { bytes s = 1; }", "b.proto", ""},
		{"a well-known file the base lacks", "c.proto", "import \"google/protobuf/any.proto\"; message C { google.protobuf.Any b = 1; }", "google/protobuf/any.proto c.proto", ""},
		{"a type the base needs is gone", "b.proto", "message C {}", "", "unknown type"},
		{"a name twice", "c.proto", "message A {}", "", "already"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder := fstest.MapFS{}
			if test.files != "" {
				folder[test.files] = &fstest.MapFile{Data: []byte("syntax = \"proto3\";\npackage t;\n" + test.text)}
			}
			base := baseSet(t)
			set, err := schema.CompileOver(context.Background(), folder, base)
			if test.problem != "" {
				if err == nil || !strings.Contains(err.Error(), test.problem) {
					t.Fatalf("error %v, want %q", err, test.problem)
				}
				return
			}
			if err != nil || fileNames(set) != test.want {
				t.Fatalf("files %q, %v; want %q", fileNames(set), err, test.want)
			}
			linked(t, base, set)
		})
	}
}

// linked checks that own files over base files are a whole schema.
func linked(t *testing.T, base, own *descriptorpb.FileDescriptorSet) {
	t.Helper()
	below, err := schema.Marshal(base)
	if err != nil {
		t.Fatal(err)
	}
	above, err := schema.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := antigravity.MergeSets(below, above)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := schema.Unmarshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := protodesc.NewFiles(whole); err != nil {
		t.Error(err)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	field := func(message, name string, number int32, kind, oneof string) antigravity.Additions {
		return antigravity.Additions{Fields: []antigravity.AddedField{{Message: message, Name: name, Number: number, Type: kind, Oneof: oneof}}}
	}
	for _, test := range []struct {
		name, want, problem string
		adds                antigravity.Additions
	}{
		{"nothing", "", "", antigravity.Additions{}},
		{"a scalar", "b.proto", "", field("t.B", "n", 2, "uint64", "")},
		{"a member of a oneof, of a message in another file", "a.proto", "", field("t.A", "b2", 9, "t.B", "o")},
		{"an enum", "a.proto", "", field("t.A", "e", 9, "t.E", "")},
		{"a value", "b.proto", "", antigravity.Additions{Values: []antigravity.AddedValue{{Enum: "t.E", Name: "ONE", Number: 1}}}},
		{"a message that is not there", "", "adds.fields[0]: message t.C is not", field("t.C", "n", 2, "string", "")},
		{"a type that is not there", "", "neither a scalar", field("t.B", "n", 2, "group", "")},
		{"a oneof that is not there", "", "no oneof p", field("t.A", "n", 9, "string", "p")},
		{"a number that is taken", "", "has s = 1 already", field("t.B", "n", 1, "string", "")},
		{"a name that is taken", "", "has s = 1 already", field("t.B", "s", 2, "string", "")},
		{"a number that is none", "", "adds: ", field("t.B", "n", 0, "string", "")},
		{"a name that is none", "", "adds: ", field("t.B", "n n", 2, "string", "")},
		{"imports in a circle", "", "adds: ", field("t.B", "a", 2, "t.A", "")},
		{"a value that is taken", "", "has NONE = 0 already", antigravity.Additions{Values: []antigravity.AddedValue{{Enum: "t.E", Name: "ONE", Number: 0}}}},
		{"an enum that is not there", "", "adds.values[0]: enum t.F is not", antigravity.Additions{Values: []antigravity.AddedValue{{Enum: "t.F", Name: "ONE", Number: 1}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			base := baseSet(t)
			before := proto.CloneOf(base)
			set, err := schema.Add(base, &descriptorpb.FileDescriptorSet{}, test.adds)
			if !proto.Equal(before, base) {
				t.Error("the base was changed")
			}
			if test.problem != "" {
				if err == nil || !strings.Contains(err.Error(), test.problem) {
					t.Fatalf("error %v, want %q", err, test.problem)
				}
				return
			}
			if err != nil || fileNames(set) != test.want {
				t.Fatalf("files %q, %v; want %q", fileNames(set), err, test.want)
			}
			linked(t, base, set)
		})
	}
}
