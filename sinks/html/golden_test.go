package html_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/events/stored"
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

func whole(t *testing.T) []*transcriptv1.Event { return stored.Events(t, "whole") }
