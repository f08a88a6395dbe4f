package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChooseRows(t *testing.T) {
	t.Parallel()
	rows := []row{{id: "1a", gate: true}, {id: "1b"}, {id: "10"}, {id: "P5a", gate: true}}
	for _, test := range []struct {
		name, only string
		gates      bool
		want       []string
	}{
		{"all", "", false, []string{"1a", "1b", "10", "P5a"}},
		{"gates", "", true, []string{"1a", "P5a"}},
		{"by number", "1,P5", false, []string{"1a", "1b", "P5a"}},
		{"by letter", "1b", false, []string{"1b"}},
		{"none", "9", false, nil},
		{"none among gates", "10", true, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			chosen, err := choose(rows, test.gates, test.only)
			var got []string
			for _, r := range chosen {
				got = append(got, r.id)
			}
			if diff := cmp.Diff(test.want, got); diff != "" || (err != nil) != (test.want == nil) {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

// Every target of the design has its row, with a floor that is not stricter than its goal.
func TestRowsAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range allRows() {
		if seen[r.id] || r.what == "" || r.measure == nil || r.judge(r.goal) != reached || r.judge(r.floor) == failed || r.goal == r.floor {
			t.Errorf("row %q: %s: goal %v, floor %v", r.id, r.what, r.goal, r.floor)
		}
		seen[r.id], seen[strings.TrimRight(r.id, "abc")] = true, true
	}
	for _, id := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 P2 P3 P5 L W E G T") {
		if !seen[id] {
			t.Errorf("no row %s", id)
		}
	}
}

func TestMissingToolFailsItsRow(t *testing.T) {
	t.Parallel()
	r := row{id: "1", tools: []string{"go", "no-such-tool-1", "no-such-tool-2"}, measure: func(*bench) (float64, string, error) {
		t.Error("measured without its tools")
		return 0, "", nil
	}}
	got := r.run(nil)
	if got.verdict != failed || got.note != "not installed: no-such-tool-1, no-such-tool-2" {
		t.Errorf("%s: %s", got.verdict, got.note)
	}
}

// The data is what the profile knows, and every reference program does its work on it.
func TestProgramsReadGeneratedSessions(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the programs")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the suite needs a Unix")
	}
	b := &bench{ctx: t.Context(), rounds: 1, known: map[string][]pair{}, alone: map[string][]taken{}, cache: t.TempDir(), bin: t.TempDir(), scratch: t.TempDir()}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	b.root = root
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	for kind := range map[string]bool{"heavy": true, "light": true, "messages": true, "giant": true} {
		path, err := b.data(dataset{kind: kind, steps: 60, size: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		strict := b.convert("json", path)
		strict.args = append([]string{"convert", "--unknown", "fail"}, strict.args[1:]...)
		for _, c := range []command{strict, {path: b.program("scan"), args: []string{path}}} {
			if taken, err := b.take(c); err != nil || taken.Wall == 0 || taken.RSS == 0 {
				t.Errorf("%s: %v, %+v", kind, err, taken)
			}
		}
		out, err := exec.CommandContext(t.Context(), b.program("protojson"), path).Output()
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, kind, out, 60)
	}
	sealed, err := b.data(dataset{kind: "heavy", steps: 60, encrypted: true})
	if err != nil {
		t.Fatal(err)
	}
	logs, err := b.data(dataset{kind: "log", steps: 60})
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"sealed": {sealed}, "log": {"--root", logs, logID}} {
		c := command{path: b.program("agy-reader"), args: append([]string{"convert", "--force", "--to", "events", "--out", filepath.Join(b.scratch, "out")}, args...), partial: name == "log"}
		if _, err := b.take(c); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		events, err := os.ReadFile(filepath.Join(b.scratch, "out"))
		if steps := bytes.Count(events, []byte(`{"step":`)); err != nil || steps != 60 {
			t.Errorf("%s: %d steps, %v", name, steps, err)
		}
	}
	if _, err := b.take(command{path: b.program("scan"), args: []string{b.root}}); err == nil || !strings.Contains(err.Error(), "exit code 1") {
		t.Errorf("a program that fails: %v", err)
	}
}

// The references that need tools, where they are.
func TestReferencesAgree(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the programs")
	}
	for _, tool := range []string{"cc", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	b := &bench{ctx: t.Context(), cache: t.TempDir(), bin: t.TempDir()}
	var err error
	if b.root, err = filepath.Abs("../.."); err != nil {
		t.Fatal(err)
	}
	dump, err := b.cdump()
	if err != nil {
		t.Skip(err)
	}
	db := filepath.Join(b.root, "host", "demo", "demo.db")
	raw, err := exec.CommandContext(t.Context(), dump, db).Output()
	if err != nil {
		t.Fatal(err)
	}
	payloads, err := readPayloads(db, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, payload := range payloads {
		if !bytes.Contains(raw, payload) {
			t.Errorf("the dump lacks step %d", i)
		}
	}
	interpreter, err := python()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), interpreter, b.testdata("walk.py"), db).Output()
	if err != nil {
		t.Fatal(err)
	}
	checkLines(t, "walk.py", out, len(payloads))
}

func checkLines(t *testing.T, name string, out []byte, least int) {
	t.Helper()
	lines := 0
	scanner := bufio.NewScanner(bytes.NewReader(out))
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		if !json.Valid(scanner.Bytes()) {
			t.Fatalf("%s: line %d is not JSON", name, lines)
		}
		lines++
	}
	if lines < least {
		t.Errorf("%s: %d lines of %d", name, lines, least)
	}
}

// Data is made again when what makes it changes.
func TestVersionCoversTheGenerator(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := filepath.Join(root, "host", "bench", "testdata", "generate", "main.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	var versions []string
	for _, text := range []string{"package main\n", "package main // other\n", "package main\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		version, err := versionOf(root)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, version)
	}
	if versions[0] == versions[1] || versions[0] != versions[2] {
		t.Errorf("versions %v", versions)
	}
}
