package builtin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/corpus"
	"agy-reader/host/store"
)

// corpusSteps are the steps of every real conversation, by the beginning of its id, and whether logs are all that is left.
var corpusSteps = map[string]struct {
	steps uint32
	logs  bool
}{
	"873edfa9": {8, false}, "18ee78b4": {11, false}, "6b284218": {131, false}, "916eb782": {19, false}, "bad9944e": {7, false},
	"204dd9d2": {129, false}, "cc60f7b9": {4, false}, "280b6ed1": {82, false}, "607c8551": {115, false}, "e853036a": {111, false},
	"46cf95ba": {22, false},
	"b46546cb": {19, false}, "30c7e800": {30, false}, "ddd43aaa": {4, false}, "3f00f0a8": {168, false}, "f145e582": {16, false},
	"818b3363": {8, false}, "3e787052": {33, false}, "0b4dd1cc": {14, false},
	"ce504c83": {346, true}, "5b8f3a50": {312, true}, "cfae134d": {121, true}, "12160000": {4, true}, "12160001": {5, true},
	"12160002": {3, true}, "c09ae6a1": {6, true},
}

// TestCorpus converts every real conversation to every format by the source that chooses by itself.
func TestCorpus(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	registry, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	source, err := registry.Source("auto")
	if err != nil {
		t.Fatal(err)
	}
	var roots []store.Root
	for _, name := range []string{"antigravity", "antigravity-cli"} {
		roots = append(roots, store.Root{Path: filepath.Join(home, ".gemini", name)})
	}
	sessions, err := store.All(roots, false)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	seen := 0
	for _, session := range sessions {
		want, known := corpusSteps[session.ID[:8]]
		if !known {
			t.Errorf("%s is not expected", session.ID)
			continue
		}
		seen++
		out, err := artifact.Open(dir, artifact.Options{})
		if err != nil {
			t.Fatal(err)
		}
		job := convert.Job{Source: source, Ref: session.Ref(), Out: out}
		for _, sink := range registry.Sinks() {
			job.Targets = append(job.Targets, convert.Target{Sink: sink})
		}
		result, err := convert.Run(t.Context(), job)
		if err != nil {
			t.Errorf("%s: %v", session.ID, err)
			continue
		}
		if result.Steps != want.steps || result.Incomplete != want.logs {
			t.Errorf("%s: %s", session.ID, result.Footer.GetCompleteness())
		}
		for _, f := range result.Files {
			data, err := os.ReadFile(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(data), home) {
				t.Errorf("%s says where the store lies", f.Path)
			}
		}
	}
	if seen != len(corpusSteps) {
		t.Errorf("%d conversations of %d", seen, len(corpusSteps))
	}
}
