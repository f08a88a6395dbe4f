package html_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/events"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, all := range map[string][]*transcriptv1.Event{"sample": sample(), "whole": whole(t)} {
		path := filepath.Join("testdata", name+".html")
		got := render(t, all)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("page differs from %s (-want +got):\n%s", path, diff)
		}
	}
}

// whole is a conversation with subagents two deep and everything that lies beside its steps.
func whole(t *testing.T) []*transcriptv1.Event {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "events", "testdata", "whole.events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []*transcriptv1.Event
	for ev, err := range events.Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ev)
	}
	return all
}
