package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"agy-reader/proto/antigravity"
)

// writeFiles writes a folder of files.
func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ownManifest is a manifest with what every profile must have.
func ownManifest(name, extends, more string) string {
	return fmt.Sprintf(`{"name": %q, "extends": %q, "title": "t", "versions": "v", "schemaSource": "s"%s}`, name, extends, more)
}

func embeddedCopy() *library { return newLibrary(antigravity.Profiles()) }

func TestOwnProfilesComeFirst(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"a/profile.json": ownManifest("a", "agy-1.1.14", `, "rank": 1`),
		"b/profile.json": ownManifest("b", "a", `, "rank": 2, "adds": {"fields": [{"message": "gemini_coder.Step", "name": "extra", "number": 200, "type": "string", "repeated": true}]}`),
		"c/profile.json": ownManifest("c", "legacy-pb", `, "rank": 3`),
		"notes.txt":      "no profile",
	})
	l := embeddedCopy()
	if err := l.addDir(dir); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, info := range l.list() {
		names = append(names, info.Name)
	}
	if got, want := strings.Join(names, " "), "c b a agy-1.1.14 agy-1.0.4 legacy-pb"; got != want {
		t.Errorf("profiles %s, want %s", got, want)
	}
	for _, test := range []struct {
		evidence Evidence
		want     string
	}{
		{Evidence{SchemaFingerprint: knownSchema}, "b"},
		{Evidence{FileKey: "world key"}, "c"},
		{Evidence{SchemaFingerprint: knownSchema, Samples: [][]byte{nest([]byte("x"), 200)}}, "b"},
	} {
		p, reason, verified, err := l.choose(test.evidence)
		if err != nil || p.Info().Name != test.want || !verified {
			t.Errorf("%+v: %v (%s, verified %v), %v; want %s", test.evidence, p.Info().Name, reason, verified, err, test.want)
		}
	}
	if err := l.addDir(dir); !errors.Is(err, antigravity.ErrBadProfile) {
		t.Errorf("the same names a second time: %v", err)
	}
}

// Nothing about a user's folder may hang, crash or read elsewhere.
func TestHostileProfileFolders(t *testing.T) {
	t.Parallel()
	fine := ownManifest("p", "agy-1.0.4", "")
	outside := writeFiles(t, map[string]string{"secret.proto": "syntax = \"proto3\"; package s; message Secret {}"})
	for _, test := range []struct {
		name, want string
		files      map[string]string
		spoil      func(dir string) error
	}{
		{"a link out of the folder", "no ordinary file", map[string]string{"p/profile.json": fine}, func(dir string) error {
			return os.Symlink(filepath.Join(outside, "secret.proto"), filepath.Join(dir, "p", "s.proto"))
		}},
		{"a linked manifest", "no ordinary file", map[string]string{"p/x.proto": ""}, func(dir string) error {
			return os.Symlink(filepath.Join(outside, "secret.proto"), filepath.Join(dir, "p", "profile.json"))
		}},
		{"a big file", "bigger than", map[string]string{"p/profile.json": fine, "p/a.proto": strings.Repeat(" ", maxProfileFile+1)}, nil},
		{"deep brackets", "nest more than", map[string]string{"p/profile.json": fine, "p/a.proto": strings.Repeat("message A {", 90_000)}, nil},
		{"deep options", "nest more than", map[string]string{"p/profile.json": fine, "p/a.proto": "option a = " + strings.Repeat("{a:", 300_000)}, nil},
		{"proto2", "proto3", map[string]string{"p/profile.json": fine, "p/a.proto": "syntax = \"proto2\"; package a; message A {}"}, nil},
		{"an import that is not there", "etc/passwd", map[string]string{"p/profile.json": fine, "p/a.proto": "syntax = \"proto3\"; import \"../../../etc/passwd\";"}, nil},
		{"a message twice", "gemini_coder.Step", map[string]string{"p/profile.json": fine, "p/a.proto": "syntax = \"proto3\"; package gemini_coder; message Step {}"}, nil},
		{"a type that others need is gone", "unknown type .exa.cortex_pb.", map[string]string{"p/profile.json": fine, "p/exa/cortex_pb/generic.proto": "syntax = \"proto3\"; package exa.cortex_pb;"}, nil},
		{"extends a path", "../p", map[string]string{"p/profile.json": ownManifest("p", "../p", "")}, nil},
		{"another spelling of a member", "Tables", map[string]string{"p/profile.json": ownManifest("p", "agy-1.0.4", `, "Tables": []`)}, nil},
		{"no schema at all", "no .proto file", map[string]string{"p/profile.json": `{"name": "p"}`}, nil},
		{"text behind the object", "behind the object", map[string]string{"p/profile.json": fine + "{}"}, nil},
		{"a mark that leads nowhere", "leads nowhere", map[string]string{"p/profile.json": ownManifest("p", "agy-1.0.4", `, "marks": [{"path": "a.b"}]`)}, nil},
		{"an added type that is not there", "neither a scalar", map[string]string{"p/profile.json": ownManifest("p", "agy-1.0.4", `, "adds": {"fields": [{"message": "gemini_coder.Step", "name": "x", "number": 900, "type": "Gone"}]}`)}, nil},
		{"an added number out of range", "number", map[string]string{"p/profile.json": ownManifest("p", "agy-1.0.4", `, "adds": {"fields": [{"message": "gemini_coder.Step", "name": "x", "number": -1, "type": "string"}]}`)}, nil},
		{"extends itself", "extends this one", map[string]string{"p/profile.json": ownManifest("p", "p", "")}, nil},
		{"a long chain", "8 profiles", chain(12), nil},
		{"no storage", "neither db nor pb", map[string]string{"p/profile.json": ownManifest("p", "agy-1.0.4", `, "storage": ["tape"]`)}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := writeFiles(t, test.files)
			if test.spoil != nil {
				if err := test.spoil(dir); err != nil {
					t.Skip(err)
				}
			}
			l := embeddedCopy()
			err := l.addDir(dir)
			if !errors.Is(err, antigravity.ErrBadProfile) || len(l.own) > 0 {
				t.Fatalf("error %v, %d profiles added; want a broken profile and none", err, len(l.own))
			}
			_, problems, err := l.readDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if all := fmt.Sprint(problems); !strings.Contains(all, test.want) {
				t.Errorf("problems %s, want one about %q", all, test.want)
			}
		})
	}
}

// chain is profiles that extend each other, the first one an embedded one.
func chain(length int) map[string]string {
	files := map[string]string{}
	for i := range length {
		base := "agy-1.0.4"
		if i < length-1 {
			base = fmt.Sprintf("p%02d", i+1)
		}
		files[fmt.Sprintf("p%02d/profile.json", i)] = ownManifest(fmt.Sprintf("p%02d", i), base, "")
	}
	return files
}

func TestNoSuchProfileFolder(t *testing.T) {
	t.Parallel()
	l := embeddedCopy()
	if err := l.addDir(filepath.Join(t.TempDir(), "gone")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// Every embedded profile passes the checks a user's own would have to.
func TestEmbeddedProfilesPassTheirOwnCheck(t *testing.T) {
	t.Parallel()
	for _, info := range List() {
		p, err := Load(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		verifyManifest(p.Manifest(), p.schema, func(member string, err error) { t.Errorf("%s: %s: %v", info.Name, member, err) })
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	old, err := Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	legacy, err := Load("legacy-pb")
	if err != nil {
		t.Fatal(err)
	}
	same, err := Diff(old, old)
	if err != nil || len(same) > 0 {
		t.Errorf("a profile differs from itself: %v, %v", same, err)
	}
	there, err := Diff(old, legacy)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Change{"field", "exa.cortex_pb.TaskSnapshot.7", "string log_uri", "bytes log_uri"}); there[0] != want {
		t.Errorf("first change %+v, want %+v", there[0], want)
	}
	back, err := Diff(legacy, old)
	if err != nil || len(back) != len(there) {
		t.Fatalf("%d changes one way, %d the other, %v", len(there), len(back), err)
	}
	for i := range back {
		if (Change{back[i].Kind, back[i].Name, back[i].New, back[i].Old}) != there[i] {
			t.Errorf("change %d: %+v and %+v", i, there[i], back[i])
		}
	}
}

func FuzzOwnProfile(f *testing.F) {
	f.Add(ownManifest("p", "base", `, "steps": [{"body": "a", "fields": [{"field": "b", "as": "text"}]}]`), "syntax = \"proto3\"; package a; message A { map<string, A> b = 1; }")
	f.Add(ownManifest("p", "", `, "tables": [{"name": "t", "key": "k", "columns": [{"name": "k", "copyOf": "a.b"}]}]`), "syntax = \"proto3\"; package gemini_coder; message Step { oneof step { string a = 1; } }")
	f.Add(ownManifest("p", "base", `, "adds": {"values": [{"enum": "gemini_coder.Kind", "name": "X", "number": 999}], "fields": [{"message": "gemini_coder.A", "name": "c", "number": 9, "type": "gemini_coder.Step"}]}`), "")
	const base = `syntax = "proto3"; package gemini_coder; message Step { oneof step { A a = 1; } Kind kind = 2; } message A { string b = 1; } enum Kind { NONE = 0; }`
	l := newLibrary(fstest.MapFS{
		"base/profile.json": {Data: []byte(`{"name": "base", "product": "p", "storage": ["db"], "trajectory": {"message": "gemini_coder.Step"}}`)},
		"base/schema.binpb": {Data: compileText(f, base)},
	})
	f.Fuzz(func(t *testing.T, manifest, text string) {
		files := map[string]string{"p/profile.json": manifest}
		if text != "" {
			files["p/a.proto"] = text
		}
		found, problems, err := l.readDir(writeFiles(t, files))
		if err != nil || len(problems) > 0 {
			return
		}
		// What passes the check can be used.
		for _, e := range found {
			if _, err := newProfile(e.manifest, e.set); err != nil {
				t.Errorf("nothing wrong, and yet: %v", err)
			}
		}
	})
}
