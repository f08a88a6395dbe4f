package schema_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protodesc"

	"agy-reader/proto/antigravity/schema"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestCompileIsCompleteAndInOrder(t *testing.T) {
	t.Parallel()
	folder := fstest.MapFS{
		"a/first.proto":  file("syntax = \"proto3\";\npackage a;\nimport \"z/last.proto\";\nmessage A { z.Z z = 1; }\n"),
		"z/last.proto":   file("syntax = \"proto3\";\npackage z;\nimport \"google/protobuf/any.proto\";\nmessage Z { google.protobuf.Any any = 1; }\n"),
		"profile.json":   file("{}"),
		"z/ignored.text": file("message"),
	}
	set, err := schema.Compile(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, described := range set.GetFile() {
		names = append(names, described.GetName())
		if described.GetSourceCodeInfo() != nil {
			t.Errorf("%s has source positions", described.GetName())
		}
	}
	if diff := cmp.Diff([]string{"google/protobuf/any.proto", "z/last.proto", "a/first.proto"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if _, err := protodesc.NewFiles(set); err != nil {
		t.Errorf("the set does not stand alone: %v", err)
	}
}

func TestCompileIsDeterministic(t *testing.T) {
	t.Parallel()
	var results [][]byte
	for range 3 {
		set, err := schema.Compile(t.Context(), os.DirFS("../agy-1.0.4"))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := schema.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, raw)
	}
	if !bytes.Equal(results[0], results[1]) || !bytes.Equal(results[0], results[2]) {
		t.Error("the same folder gives different bytes")
	}
}

func TestCompileErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		folder fstest.MapFS
		want   string
	}{
		{"no schema", fstest.MapFS{"profile.json": file("{}")}, "no .proto file"},
		{"missing import", fstest.MapFS{"a.proto": file("syntax = \"proto3\";\nimport \"b.proto\";\n")}, "a.proto:2"},
		{"unknown type", fstest.MapFS{"a.proto": file("syntax = \"proto3\";\nmessage A {\n  B b = 1;\n}\n")}, "a.proto:3"},
		{"file that imports itself", fstest.MapFS{"a.proto": file("syntax = \"proto3\";\n\nimport \"a.proto\";\n")}, "a.proto:3:8: cycle found in imports: \"a.proto\" -> \"a.proto\""},
		{"circle of imports", fstest.MapFS{
			"a.proto": file("syntax = \"proto3\";\nimport \"b.proto\";\n"), "b.proto": file("syntax = \"proto3\";\nimport \"c.proto\";\n"),
			"c.proto": file("syntax = \"proto3\";\nimport \"b.proto\";\n"),
		}, "c.proto:2:8: cycle found in imports: \"b.proto\" -> \"c.proto\" -> \"b.proto\""},
		{"name used twice", fstest.MapFS{"a.proto": file("syntax = \"proto3\";\nmessage A {}\n"), "b.proto": file("syntax = \"proto3\";\nmessage A {}\n")}, "b.proto:2"},
		{"number used twice", fstest.MapFS{"a.proto": file("syntax = \"proto3\";\nmessage A {\n  string a = 1;\n  string b = 1;\n}\n")}, "a.proto:4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := schema.Compile(t.Context(), test.folder)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	if _, err := schema.Compile(t.Context(), fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder gives %v", err)
	}
}

// Files that come with the language need not be in the folder, but may be.
func TestCompileStandardFiles(t *testing.T) {
	t.Parallel()
	text := "syntax = \"proto3\";\npackage a;\n"
	for _, name := range []string{
		"any", "api", "descriptor", "duration", "empty", "field_mask", "go_features", "source_context", "struct", "timestamp", "type", "wrappers",
	} {
		text += "import \"google/protobuf/" + name + ".proto\";\n"
	}
	for _, folder := range []fstest.MapFS{
		{"a.proto": file(text)},
		{"a.proto": file(text), "google/protobuf/empty.proto": file("syntax = \"proto3\";\npackage google.protobuf;\nmessage Empty {}\n")},
	} {
		if _, err := schema.Compile(t.Context(), folder); err != nil {
			t.Error(err)
		}
	}
}

// A schema may not leave the rules that readers rely on: proto3 everywhere, no file without a package.
func TestProfilesAreProto3(t *testing.T) {
	t.Parallel()
	set, err := schema.Compile(t.Context(), os.DirFS("../agy-1.0.4"))
	if err != nil {
		t.Fatal(err)
	}
	for _, described := range set.GetFile() {
		if described.GetSyntax() != "proto3" || described.GetPackage() == "" {
			t.Errorf("%s: syntax %q, package %q", described.GetName(), described.GetSyntax(), described.GetPackage())
		}
		if !strings.HasPrefix(described.GetName(), strings.ReplaceAll(described.GetPackage(), ".", "/")+"/") {
			t.Errorf("%s does not lie in the folder of its package %s", described.GetName(), described.GetPackage())
		}
	}
}
