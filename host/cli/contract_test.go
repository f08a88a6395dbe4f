package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agy-reader/host/audit/contract"
	"agy-reader/host/cli"
	"agy-reader/host/corpus"
	"agy-reader/host/demo"
	"agy-reader/host/diag"
)

// What the JSON sink makes of the demo, which holds unknown fields, notes and a subagent, keeps the contract.
func TestDemoKeepsTheContract(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := filepath.Join(dir, demo.ConversationID+".db")
	if err := os.WriteFile(db, demo.Database(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, wrappers := range []string{"project", "keep"} {
		out := filepath.Join(dir, wrappers)
		if code, _, said := cli.Command(t, "convert", "--to", "json", "--assets", "--wrappers", wrappers, "--out", out+"/", db); code != diag.Incomplete && code != diag.Complete {
			t.Fatalf("exit code %d: %s", code, said)
		}
		keepsContract(t, out, 1)
	}
}

// What the JSON sink makes of every real conversation keeps the contract, and its shape is known or explained.
func TestCorpusKeepsTheContract(t *testing.T) {
	home := corpus.Copy(t)
	known := corpus.SidecarShape(t)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("ANTIGRAVITY_CLI_ROOT", "")
	dir := t.TempDir()
	if code, _, said := cli.Command(t, "convert", "--all", "--to", "json", "--subagents", "inline", "--include-implicit", "--assets", "--out", dir); code != diag.Complete && code != diag.Incomplete {
		t.Fatalf("exit code %d: %s", code, said)
	}
	keepsContract(t, dir, 31)
	explained := explanations(t)
	sidecars, err := filepath.Glob(filepath.Join(dir, "*.trajectory.json"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, file := range sidecars { // one by one: united types would need united explanations
		lines = append(lines, shapeOf(t, file)...)
	}
	explained.check(t, known, lines)
	explained.stale(t)
}

// keepsContract runs verify-contract and looks at the names in our own block. A folder has at least so many sidecars.
func keepsContract(t *testing.T, path string, least int) {
	t.Helper()
	code, out, said := cli.Command(t, "verify-contract", path)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != diag.Complete || len(lines) < least {
		t.Fatalf("exit code %d, %d files: %s\n%s", code, len(lines), said, out)
	}
	var schema map[string]any
	if err := json.Unmarshal(contract.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		file, ok := strings.CutSuffix(line, ": ok")
		data, err := os.ReadFile(file)
		var document map[string]any
		if !ok || err != nil || json.Unmarshal(data, &document) != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, at := range undescribed(schema, map[string]any{"$ref": "#/$defs/agyReader"}, document["agyReader"], "agyReader") {
			t.Errorf("%s: the schema does not describe %s", file, at)
		}
	}
}

// undescribed are the members of a value that a schema says nothing about. What is the daemon's own may have any.
func undescribed(root, schema map[string]any, value any, at string) []string {
	if ref, is := schema["$ref"].(string); is {
		name := strings.TrimPrefix(ref, "#/$defs/")
		if name == "step" || name == "trajectory" {
			return nil
		}
		schema = root["$defs"].(map[string]any)[name].(map[string]any)
	}
	var all []string
	switch value := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for name, member := range value {
			if below, is := properties[name].(map[string]any); is {
				all = append(all, undescribed(root, below, member, at+"."+name)...)
			} else {
				all = append(all, at+"."+name)
			}
		}
	case []any:
		below, _ := schema["items"].(map[string]any)
		for _, element := range value {
			all = append(all, undescribed(root, below, element, at+"[]")...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func shapeOf(t *testing.T, paths ...string) []string {
	t.Helper()
	code, out, said := cli.Command(t, append([]string{"shape-fingerprint", "--paths"}, paths...)...)
	if code != diag.Complete {
		t.Fatalf("exit code %d: %s", code, said)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// explanation is a line of testdata/shape-explained.tsv.
type explanation struct {
	path  []string
	types string
	used  bool
}

type explained []*explanation

func explanations(t *testing.T) explained {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "shape-explained.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var all explained
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 || parts[2] == "" {
			t.Fatalf("no path, types and reason: %q", line)
		}
		all = append(all, &explanation{path: strings.Split(parts[0], "."), types: parts[1]})
	}
	return all
}

// check fails for facts that are neither known nor explained.
func (all explained) check(t *testing.T, known, lines []string) {
	t.Helper()
	facts := map[string]bool{}
	for _, line := range known {
		facts[line] = true
	}
	strange := map[string]bool{}
	for _, line := range lines {
		path, types, _ := strings.Cut(line, "\t")
		for one := range strings.SplitSeq(types, "|") {
			if !facts[path+"\t"+one] && !all.explains(strings.Split(path, "."), one) {
				strange[path+" "+one] = true
			}
		}
	}
	for _, fact := range slices.Sorted(maps.Keys(strange)) {
		t.Errorf("the inventory has no %s, and testdata/shape-explained.tsv does not say why we do", fact)
	}
}

func (all explained) explains(path []string, types string) bool {
	found := false
	for _, e := range all {
		if (e.types == "*" || e.types == types) && matches(e.path, path) {
			e.used, found = true, true
		}
	}
	return found
}

func matches(pattern, path []string) bool {
	for i, part := range pattern {
		switch {
		case part == "**":
			return true
		case i >= len(path) || part != "*" && part != path[i]:
			return false
		}
	}
	return len(pattern) == len(path)
}

// stale fails for explanations that nothing needs any more.
func (all explained) stale(t *testing.T) {
	t.Helper()
	for _, e := range all {
		if !e.used {
			t.Errorf("testdata/shape-explained.tsv: nothing needs the line of %s any more", strings.Join(e.path, "."))
		}
	}
}
