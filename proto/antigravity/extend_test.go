package antigravity_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"agy-reader/proto/antigravity"
)

func TestInherit(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"base/profile.json": {Data: []byte(`{"name": "base", "title": "b", "product": "prod", "rank": 1, "storage": ["db"], "limits": ["old"],
			"releases": {"from": "1.0"}, "marks": [{"path": "m"}], "sqlSchemas": [{"fingerprint": "f"}], "tables": [{"name": "t"}],
			"wrappers": [{"message": "w"}], "openEnums": [{"enum": "a", "reason": "1"}, {"enum": "b", "reason": "2"}],
			"reviewed": [{"path": "p", "reason": "all"}, {"path": "p", "when": "x=1", "reason": "some"}], "steps": [{"body": "s"}]}`)},
		"more/profile.json": {Data: []byte(`{"name": "more", "extends": "base", "title": "m", "rank": 2, "sqlSchemas": [],
			"openEnums": [{"enum": "b", "reason": "3"}, {"enum": "c", "reason": "4"}], "reviewed": [{"path": "p", "reason": "mine"}]}`)},
	}
	got, err := antigravity.ReadManifest(files, "more")
	if err != nil {
		t.Fatal(err)
	}
	want := &antigravity.Manifest{
		Name: "more", Extends: "base", Title: "m", Product: "prod", Rank: 2, Storage: []string{"db"},
		SQLSchemas: []antigravity.SQLSchema{}, Tables: []antigravity.Table{{Name: "t"}}, Wrappers: []antigravity.Wrapper{{Message: "w"}},
		OpenEnums: []antigravity.OpenEnum{{Enum: "a", Reason: "1"}, {Enum: "b", Reason: "3"}, {Enum: "c", Reason: "4"}},
		Reviewed:  []antigravity.Reviewed{{Path: "p", Reason: "mine"}, {Path: "p", When: "x=1", Reason: "some"}},
		Steps:     []antigravity.StepForm{{Body: "s"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

func TestExtendsHasAnEnd(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"a/profile.json": {Data: []byte(`{"name": "a", "extends": "b"}`)},
		"b/profile.json": {Data: []byte(`{"name": "b", "extends": "a"}`)},
		"c/profile.json": {Data: []byte(`{"name": "c", "extends": "gone"}`)},
	}
	if _, err := antigravity.ReadManifest(files, "a"); !errors.Is(err, antigravity.ErrBadProfile) {
		t.Errorf("a circle: %v", err)
	}
	if _, err := antigravity.ReadSchema(files, "a"); !errors.Is(err, antigravity.ErrBadProfile) {
		t.Errorf("the schema of a circle: %v", err)
	}
	if _, err := antigravity.ReadManifest(files, "c"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "c extends gone") {
		t.Errorf("a base that is not there: %v", err)
	}
}

func TestMergeSets(t *testing.T) {
	t.Parallel()
	file := func(name, pkg string) []byte {
		inner := "\x0a" + string(rune(len(name))) + name + "\x12" + string(rune(len(pkg))) + pkg
		return []byte("\x0a" + string(rune(len(inner))) + inner)
	}
	join := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	base := join(file("a", "x"), file("b", "x"))
	for _, test := range []struct {
		name      string
		own, want []byte
	}{
		{"nothing", nil, base},
		{"one replaced", file("a", "y"), join(file("b", "x"), file("a", "y"))},
		{"one new", file("c", "y"), join(base, file("c", "y"))},
	} {
		if got, err := antigravity.MergeSets(base, test.own); err != nil || string(got) != string(test.want) {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
		}
	}
	for _, damaged := range []string{"\x0a\x7f", "\x12\x00", "\xff"} {
		if _, err := antigravity.MergeSets(base, []byte(damaged)); !errors.Is(err, antigravity.ErrBadProfile) {
			t.Errorf("%q: %v", damaged, err)
		}
	}
}
