package profile

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func testLibrary(t *testing.T) *library {
	t.Helper()
	set := compileSet(t, "kinds.proto")
	file := func(name, rank, fingerprint string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"name":"` + name + `","rank":` + rank +
			`,"sqlSchemas":[{"fingerprint":"` + fingerprint + `","userVersion":1}],` +
			`"tables":[{"name":"steps","key":"idx","columns":[{"name":"idx"},{"name":"data","message":"test.kinds.Step"}]}]}`)}
	}
	return newLibrary(fstest.MapFS{
		"old/profile.json": file("old", "1", "aaaaaaaaaaaaaaaaaaaa"), "old/schema.binpb": {Data: set},
		"new/profile.json": file("new", "2", "bbbbbbbbbbbbbbbbbbbb"), "new/schema.binpb": {Data: set},
	})
}

func TestChoose(t *testing.T) {
	t.Parallel()
	l := testLibrary(t)
	tests := []struct {
		name, fingerprint, want, reason string
		verified                        bool
	}{
		{"old schema", "aaaaaaaaaaaaaaaaaaaa", "old", "database schema aaaaaaaaaaaa is the profile's", true},
		{"new schema", "bbbbbbbbbbbbbbbbbbbb", "new", "database schema bbbbbbbbbbbb is the profile's", true},
		{"unknown schema", "cc", "new", "newest profile; no profile knows database schema cc", false},
		{"no schema", "", "new", "newest profile; the source states no schema", false},
	}
	for _, tt := range tests {
		p, reason, verified, err := l.choose(Evidence{SchemaFingerprint: tt.fingerprint})
		if err != nil {
			t.Fatal(err)
		}
		if p.Info().Name != tt.want || reason != tt.reason || verified != tt.verified {
			t.Errorf("%s: %s, %q, %v", tt.name, p.Info().Name, reason, verified)
		}
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	l := testLibrary(t)
	a, err := l.load("old")
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := l.load("old"); a != b {
		t.Error("a second load gives another profile")
	}
	if _, err := l.load("gone"); !errors.Is(err, ErrNoProfile) {
		t.Errorf("unknown name: %v", err)
	}
	if got := a.Tables(); !slices.Equal(got, []string{"steps"}) {
		t.Errorf("tables %v", got)
	}
	if got := a.Columns("steps"); !slices.Equal(got, []string{"idx", "data"}) {
		t.Errorf("columns %v", got)
	}
	if a.Columns("gone") != nil || a.ColumnMessage("steps", "data") != kindsStep || a.ColumnMessage("steps", "idx") != "" {
		t.Error("columns are not told apart")
	}
}

func TestBrokenLibraries(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, json, schema, want string }{
		{"unknown member", `{"name":"p","odd":1}`, "", "unknown field"},
		{"other name", `{"name":"q"}`, "", `its name is "q"`},
		{"no schema", `{"name":"p"}`, "none", "schema.binpb"},
		{"broken schema", `{"name":"p"}`, "\xff", "not a serialized FileDescriptorSet"},
	}
	for _, tt := range tests {
		files := fstest.MapFS{"p/profile.json": {Data: []byte(tt.json)}}
		if tt.schema != "none" {
			files["p/schema.binpb"] = &fstest.MapFile{Data: []byte(tt.schema)}
		}
		if _, err := newLibrary(files).load("p"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestEmbeddedProfiles(t *testing.T) {
	t.Parallel()
	infos := List()
	if len(infos) == 0 {
		t.Fatal("no profile is embedded")
	}
	newest, _, verified, err := Choose(Evidence{})
	if err != nil || verified || newest.Info().Name != infos[0].Name {
		t.Errorf("without evidence: %v, verified %v", err, verified)
	}
	for _, info := range infos {
		p, err := Load(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Manifest().SQLSchemas {
			chosen, _, verified, err := Choose(Evidence{SchemaFingerprint: s.Fingerprint})
			if err != nil || !verified || !hasSchema(chosen.Manifest(), s.Fingerprint) || len(info.Marks) == 0 && chosen != p {
				t.Errorf("%s is not chosen for its schema: %v", info.Name, err)
			}
		}
		for _, r := range p.Reviewed() {
			if r.Path == "" || r.Reason == "" {
				t.Errorf("%s: reviewed path %q, reason %q", info.Name, r.Path, r.Reason)
			}
		}
		for _, table := range p.Tables() {
			for _, column := range p.Columns(table) {
				if m := p.ColumnMessage(table, column); m != "" && p.schema.messages[m] == nil {
					t.Errorf("%s: %s.%s holds %s, which the schema lacks", info.Name, table, column, m)
				}
			}
		}
	}
}
