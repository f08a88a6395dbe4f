package convert_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/corpus"
	"agy-reader/sources"
)

// corpusSteps are the steps of the real sessions, by the beginning of their id.
var corpusSteps = map[string]uint32{
	"873edfa9": 8, "18ee78b4": 11, "6b284218": 131, "916eb782": 19, "bad9944e": 7, "204dd9d2": 129,
	"cc60f7b9": 4, "280b6ed1": 82, "607c8551": 115, "e853036a": 111, "46cf95ba": 22,
}

// convertCorpus converts one real session to every format into dir.
func convertCorpus(t *testing.T, dir, db string, workers int) *convert.Result {
	t.Helper()
	registry, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	source, err := registry.Source("sqlite")
	if err != nil {
		t.Fatal(err)
	}
	out, err := artifact.Open(dir, artifact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	job := convert.Job{Source: source, Ref: sources.Ref{Path: db}, Out: out, Workers: workers}
	for _, sink := range registry.Sinks() {
		job.Targets = append(job.Targets, convert.Target{Sink: sink})
	}
	result, err := convert.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestCorpus converts every real session to every format, then again over its own output with another number of workers.
func TestCorpus(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	before := hashes(t, home)
	dir := t.TempDir()
	seen := 0
	for _, db := range corpus.Databases(t, home) {
		id := filepath.Base(db)[:8]
		result := convertCorpus(t, dir, db, 1)
		if result.Steps != corpusSteps[id] || result.Incomplete || len(result.Files) != 4 {
			t.Errorf("%s: %d steps of %d, %s, %v", id, result.Steps, corpusSteps[id], result.Footer.GetCompleteness(), result.Files)
		}
		first := map[string][]byte{}
		for _, f := range result.Files {
			data, err := os.ReadFile(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			first[f.Path] = data
			if int64(len(data)) != f.Size {
				t.Errorf("%s: %d bytes, reported %d", f.Path, len(data), f.Size)
			}
			if f.MediaType == "application/json" {
				checkSidecar(t, id, data)
			}
		}
		// The output is ours, so that no Force is needed.
		for _, f := range convertCorpus(t, dir, db, 4).Files {
			data, err := os.ReadFile(f.Path)
			if err != nil || !bytes.Equal(data, first[f.Path]) {
				t.Errorf("%s: other bytes the second time (%v)", f.Path, err)
			}
		}
		seen++
	}
	if seen != len(corpusSteps) {
		t.Errorf("%d sessions of %d", seen, len(corpusSteps))
	}
	if diff := cmp.Diff(before, hashes(t, home)); diff != "" {
		t.Errorf("the store changed: %s", diff)
	}
}

func checkSidecar(t *testing.T, id string, data []byte) {
	t.Helper()
	var doc struct {
		CascadeID string            `json:"cascadeId"`
		Steps     []json.RawMessage `json:"steps"`
		AgyReader struct {
			Offline struct {
				UnknownFields []json.RawMessage `json:"unknownFields"`
			} `json:"offline"`
		} `json:"agyReader"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Errorf("%s: %v", id, err)
	}
	if doc.CascadeID[:8] != id || len(doc.Steps) != int(corpusSteps[id]) || len(doc.AgyReader.Offline.UnknownFields) > 0 {
		t.Errorf("%s: cascade id %s, %d steps, %d unknown fields", id, doc.CascadeID, len(doc.Steps), len(doc.AgyReader.Offline.UnknownFields))
	}
}

// hashes are the contents of every file below dir.
func hashes(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	all := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = sha256.Sum256(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
