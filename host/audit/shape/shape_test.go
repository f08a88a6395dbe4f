package shape_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit/shape"
	"agy-reader/host/corpus"
	"agy-reader/host/sidecar"
	"agy-reader/sources"
)

func linesOf(t *testing.T, documents ...string) []string {
	t.Helper()
	s := new(shape.Shape)
	for _, document := range documents {
		if err := s.Add(strings.NewReader(document)); err != nil {
			t.Fatalf("%s: %v", document, err)
		}
	}
	return s.Lines()
}

func TestLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		documents []string
		want      []string
	}{
		"every type": {
			[]string{`{"a":[],"b":true,"c":null,"d":-1.5e300,"e":{},"f":"x","g":false}`},
			[]string{"\tobject", "a\tarray", "b\tboolean", "c\tnull", "d\tnumber", "e\tobject", "f\tstring", "g\tboolean"},
		},
		"empty": {[]string{`{}`}, []string{"\tobject"}},
		"types of elements and documents are united": {
			[]string{`{"a":[1,"x",null,[true],{"b":2}]}`, `{"a":{"b":{}}}`},
			[]string{"\tobject", "a\tarray|object", "a.[]\tarray|null|number|object|string", "a.[].[]\tboolean", "a.[].b\tnumber", "a.b\tobject"},
		},
		"a wrapped trajectory": {[]string{`{"trajectory":{"steps":[],"agyReader":{"x":1}}}`}, []string{"\tobject", "steps\tarray"}},
		"a trajectory beside something": {
			[]string{`{"trajectory":{"steps":[]},"x":1}`},
			[]string{"\tobject", "trajectory\tobject", "trajectory.steps\tarray", "x\tnumber"},
		},
		"a trajectory that is none": {[]string{`{"trajectory":null}`}, []string{"\tobject", "trajectory\tnull"}},
		"names that are data": {
			[]string{`{"file:///x":1,"a/b":"x","c1ea0000-0000-4000-8000-00000000000A":[],"007":true,"0123456789abcdef":null}`},
			[]string{"\tobject", "*\tarray|boolean|null|number|string"},
		},
		"names that are none": {
			[]string{`{"":1,"12a":1,"0123456789abcde":1,"0123456789ABCDEF":1,"c1ea0000-0000-4000-8000-00000000000g":1,"File:x":1}`},
			[]string{"\tnumber|object", "0123456789ABCDEF\tnumber", "0123456789abcde\tnumber", "12a\tnumber", "File:x\tnumber", "c1ea0000-0000-4000-8000-00000000000g\tnumber"},
		},
		"parts that hold free data": {
			[]string{`{"generatorMetadata":[{"a":1}],"executorMetadatas":[1],"metadata":{"mendelExperimentIds":["1"],"x":{"mendelExperimentIds":[1]}},
			 "steps":[{"generic":{"a":1},"metadata":{"internalMetadata":{"a":1},"sourceTrajectoryStepInfo":{"a":1}},
			 "userInput":{"activeUserState":{"a":1},"userConfig":{"a":1},"x":{"generic":{"a":1}}}}]}`},
			[]string{
				"\tobject", "executorMetadatas\tarray", "generatorMetadata\tarray", "metadata\tobject", "metadata.mendelExperimentIds\tarray",
				"metadata.x\tobject", "metadata.x.mendelExperimentIds\tarray", "metadata.x.mendelExperimentIds.[]\tnumber",
				"steps\tarray", "steps.[]\tobject", "steps.[].generic\tobject", "steps.[].metadata\tobject", "steps.[].metadata.internalMetadata\tobject",
				"steps.[].metadata.sourceTrajectoryStepInfo\tobject", "steps.[].userInput\tobject", "steps.[].userInput.activeUserState\tobject",
				"steps.[].userInput.userConfig\tobject", "steps.[].userInput.x\tobject", "steps.[].userInput.x.generic\tobject", "steps.[].userInput.x.generic.a\tnumber",
			},
		},
		"one path from different names": {[]string{`{"a.b":1,"a":{"b":"x"}}`}, []string{"\tobject", "a\tobject", "a.b\tnumber|string"}},
		"a name that occurs twice":      {[]string{`{"a":1,"a":"x"}`}, []string{"\tobject", "a\tnumber|string"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, linesOf(t, test.documents...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReferenceN10IgnoresOurBlock: the fingerprint is the daemon's JSON alone.
func TestReferenceN10IgnoresOurBlock(t *testing.T) {
	t.Parallel()
	without := linesOf(t, `{"cascadeId":"x","steps":[]}`)
	for _, document := range []string{
		`{"agyReader":{"parentCascadeId":"x","completeness":{"steps":1}},"cascadeId":"x","steps":[]}`,
		`{"cascadeId":"x","steps":[],"agyReader":null}`,
	} {
		if got := linesOf(t, document); !slices.Equal(got, without) {
			t.Errorf("%s: %q, want %q", document, got, without)
		}
	}
	if got := linesOf(t, `{"steps":[{"agyReader":{"a":1}}]}`); !slices.Contains(got, "steps.[].agyReader.a\tnumber") {
		t.Errorf("one elsewhere is the daemon's: %q", got)
	}
}

// TestFingerprint: two lines and the hash that `printf '\tobject\na\tnumber' | sha256sum` gives.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	s := new(shape.Shape)
	if err := s.Add(strings.NewReader(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Fingerprint(), "sha256:27eb4a15a12b37bb1032ce7fd26733ac3c1df95b2db0b9bf8394e8c7fee72468"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestKnownShape: the inventory of agy 1.2.11, in our notation, is what upstream's fingerprint was taken of.
func TestKnownShape(t *testing.T) {
	t.Parallel()
	const known = "sha256:3acca61c897bdec898292c1646090faf1913781f0a4d11ca389bc043ba4ec92a"
	if got := shape.Fingerprint(corpus.SidecarShape(t)); got != known {
		t.Errorf("%s, want %s", got, known)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	var wide strings.Builder
	wide.WriteString(`{"x":0`)
	for i := range shape.MaxPaths/(4<<20) + 1 {
		wide.WriteString(`,"` + strings.Repeat("x", 4<<20+i) + `":0`)
	}
	wide.WriteString("}")
	for name, test := range map[string]struct {
		document string
		want     error
	}{
		"nothing":        {"", sidecar.ErrCorrupt},
		"no object":      {"[]", sidecar.ErrCorrupt},
		"null":           {"null", sidecar.ErrCorrupt},
		"cut":            {`{"steps":[{"type":"x"`, sidecar.ErrCorrupt},
		"more behind":    {`{}{}`, sidecar.ErrCorrupt},
		"wrapped, cut":   {`{"trajectory":{}`, sidecar.ErrCorrupt},
		"no value":       {`{"a":}`, sidecar.ErrCorrupt},
		"very deep":      {`{"a":` + strings.Repeat("[", 1<<20), sources.ErrLimit},
		"many names":     {wide.String(), sources.ErrLimit},
		"deep and named": {strings.Repeat(`{"`+strings.Repeat("n", 100)+`":`, 5000) + "1" + strings.Repeat("}", 5000), sources.ErrLimit},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := new(shape.Shape).Add(strings.NewReader(test.document)); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}

// TestUnion: documents are united whatever their order, and one that is broken at any byte leaves nothing behind.
func TestUnion(t *testing.T) {
	t.Parallel()
	const one, two = `{"a":{"b":{"c":1},"d":[1]},"e":1}`, `{"a":{"b":{"c":"x","f":{}},"d":["x"],"g":{"h":1}},"i":null}`
	want := linesOf(t, one, two)
	if len(want) != 11 || !slices.Contains(want, "a.b.c\tnumber|string") || !slices.Contains(want, "a.g.h\tnumber") {
		t.Fatalf("%q", want)
	}
	if diff := cmp.Diff(want, linesOf(t, two, one, two)); diff != "" {
		t.Error(diff)
	}
	s, before := new(shape.Shape), linesOf(t, one)
	if err := s.Add(strings.NewReader(one)); err != nil {
		t.Fatal(err)
	}
	for cut := range two {
		if err := s.Add(strings.NewReader(two[:cut])); err == nil {
			t.Errorf("%s is no error", two[:cut])
		}
	}
	if diff := cmp.Diff(before, s.Lines()); diff != "" {
		t.Error(diff)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two := write("one.trajectory.json", `{"a":1}`), write("two.trajectory.json", `{"b":1}`)
	write("deep/three.trajectory.json", `{"c":1}`)
	other := write("other.json", `{"d":1}`)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	found, err := shape.Of(t.Context(), dir, one, filepath.Join(dir, "deep", "..", "one.trajectory.json"), link, other)
	if err != nil || found.Read != 3 || len(found.Bad) > 0 {
		t.Fatalf("%+v %v", found, err)
	}
	if diff := cmp.Diff([]string{"\tobject", "a\tnumber", "b\tnumber", "d\tnumber"}, found.Shape.Lines()); diff != "" {
		t.Error(diff)
	}
	// Those that cannot be read are named, and the others counted: nothing of a broken one is in the shape.
	broken, missing := write("broken/b.trajectory.json", `{"a":1,"e":{"f":1},"steps":[`), filepath.Join(dir, "none")
	if found, err = shape.Of(t.Context(), missing, broken, one, filepath.Dir(broken), two); err != nil || found.Read != 2 || len(found.Bad) != 2 {
		t.Fatalf("%+v %v", found, err)
	}
	if diff := cmp.Diff([]string{"\tobject", "a\tnumber", "b\tnumber"}, found.Shape.Lines()); diff != "" {
		t.Error(diff)
	}
	for i, want := range []struct {
		path string
		err  error
	}{{missing, os.ErrNotExist}, {broken, sidecar.ErrCorrupt}} {
		if err := found.Bad[i]; !errors.Is(err, want.err) || !strings.Contains(err.Error(), want.path) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if _, err := shape.Of(t.Context(), filepath.Join(dir, "deep", "..", "deep"), t.TempDir()); err != nil {
		t.Errorf("an empty folder beside one that is not: %v", err)
	}
	for _, paths := range [][]string{{t.TempDir()}, nil} {
		if _, err := shape.Of(t.Context(), paths...); !errors.Is(err, shape.ErrNone) || !strings.Contains(err.Error(), strings.Join(paths, "")) {
			t.Errorf("%q: %v", paths, err)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := shape.Of(cancelled, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
