package convert_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/corpus"
	"agy-reader/sinks/html/browsertest"
)

// TestBrowserShowsEveryStepOfEverySession opens the HTML of every real session in a browser: no request, no script error,
// every step visible. What is a step is taken from another sink's output.
func TestBrowserShowsEveryStepOfEverySession(t *testing.T) {
	t.Parallel()
	home := corpus.Home(t)
	browser := browsertest.Start(t)
	for _, db := range corpus.Databases(t, home) {
		t.Run(filepath.Base(db)[:8], func(t *testing.T) {
			dir := t.TempDir()
			var page string
			var anchors []string
			for _, file := range convertCorpus(t, dir, db, 0).Files {
				switch {
				case strings.HasSuffix(file.Name, ".html"):
					page = file.Path
				case strings.HasSuffix(file.Name, ".events.jsonl"):
					anchors = stepAnchors(t, file.Path)
				}
			}
			if page == "" || len(anchors) < int(corpusSteps[filepath.Base(db)[:8]]) {
				t.Fatalf("page %q, %d steps", page, len(anchors))
			}
			loaded := browser.Load(t, page, browsertest.Desktop)
			defer loaded.Close()
			loaded.Check(t, anchors)
		})
	}
}

func stepAnchors(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var anchors []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var event struct{ Step *struct{ Anchor string } }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		if event.Step != nil {
			anchors = append(anchors, event.Step.Anchor)
		}
	}
	return anchors
}
