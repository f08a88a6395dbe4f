package interpret

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reshaped are steps whose arguments appear taken apart: as diffs, questions or subagents.
var reshaped = map[string]bool{
	"tool_write": true, "tool_replace_many": true, "tool_invoke": true, "tool_ask": true,
	"tool_list_dir": true, "tool_write_waiting": true,
}

// TestKinds turns each step of testdata/steps into a document and compares it with the reviewed one beside it. Every text
// of 20 bytes or more must be in it as well.
func TestKinds(t *testing.T) {
	t.Parallel()
	s, p := loadSchema(t), load(t)
	ip := New(p)
	files, err := filepath.Glob("testdata/steps/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			json, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			raw := s.payload(t, string(json))
			events := interpret(t, ip, everything, input(3, raw))
			golden(t, "steps/"+name+".golden", readable(events...))
			if reshaped[name] {
				return
			}
			have, used := shown(events), make([]bool, len(p.Reviewed()))
			for _, l := range leaves(t, s, s.decode(t, raw), "") {
				if len(l.text) >= minLeaf && (l.bare || !isReviewed(p.Reviewed(), l, used)) && !strings.Contains(have, l.text) {
					t.Errorf("%s is lost: %q", l.path, l.text)
				}
			}
		})
	}
}
