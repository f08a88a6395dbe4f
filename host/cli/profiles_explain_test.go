package cli_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"agy-reader/host/cli"
	"agy-reader/host/corpus"
)

// Every real session gets the profile of its storage form, verified, and no candidate of that form leaves anything unknown.
// No version is made up: none is recorded.
func TestRealSessionsAreExplained(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	files := corpus.Databases(t, home)
	want := map[string]string{}
	for _, file := range files {
		want[file] = "agy-1.0.4"
	}
	for _, folder := range []string{"conversations", "implicit"} {
		found, err := filepath.Glob(filepath.Join(home, ".gemini", "antigravity", folder, "*.pb"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", folder, found, err)
		}
		for _, file := range found {
			want[file] = "legacy-pb"
		}
	}
	if len(want) != 11+13 {
		t.Fatalf("%d sessions, want 24", len(want))
	}
	for file, name := range want {
		code, out, problem := cli.Command(t, "profiles", "explain", "--json", file)
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", filepath.Base(file), code, problem)
			continue
		}
		var e struct {
			Profile    string `json:"profile"`
			Verified   bool   `json:"verified"`
			Version    string `json:"version"`
			Candidates []struct {
				Name   string `json:"name"`
				Chosen bool   `json:"chosen"`
				Places int    `json:"unknownPlaces"`
				Error  string `json:"error"`
			} `json:"candidates"`
		}
		if err := json.Unmarshal([]byte(out), &e); err != nil {
			t.Fatal(err)
		}
		if e.Profile != name || !e.Verified || e.Version != "" || len(e.Candidates) != 3 {
			t.Errorf("%s: %+v, want %s, verified, no version", filepath.Base(file), e, name)
		}
		for _, c := range e.Candidates {
			if c.Chosen != (c.Name == name) || c.Chosen && (c.Places > 0 || c.Error != "") {
				t.Errorf("%s: candidate %+v", filepath.Base(file), c)
			}
		}
	}
}
