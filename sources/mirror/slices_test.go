package mirror_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sliced cuts a log into slices of 500 bytes; name gives the number of each its digits.
func sliced(text, name string) map[string]string {
	files := map[string]string{}
	for i := 0; i*500 < len(text); i++ {
		files[".system_generated/logs/chunks/transcript/"+fmt.Sprintf(name, i)+".jsonl"] = text[i*500 : min(len(text), i*500+500)]
	}
	return files
}

func longLines(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"step_index":%d,"source":"MODEL","type":"SYSTEM_MESSAGE","status":"DONE","created_at":"2026-05-01T10:00:00Z","content":%q}`, i, strings.Repeat("x", 80)))
	}
	return lines(list...)
}

// A slice that is not read costs the lines it has a part of, and none further down.
func TestRefusedSliceCostsItsOwnLinesOnly(t *testing.T) {
	t.Parallel()
	ref := store(t, sliced(longLines(40), "%08d"))
	slice := filepath.Join(ref.Brain, ".system_generated", "logs", "chunks", "transcript", "00000003.jsonl")
	if err := os.Remove(slice); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("00000002.jsonl", slice); err != nil {
		t.Skip("no symbolic links", err)
	}
	d := convert(t, ref)
	if len(d.steps) < 36 || len(d.steps) == 40 {
		t.Errorf("%d of 40 steps", len(d.steps))
	}
}

// Slices are in the order of their numbers, whether these have leading zeros or not.
func TestSlicesAreOrderedByNumber(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"%d", "%03d", "%08d"} {
		d := convert(t, store(t, sliced(longLines(40), name)))
		if len(d.steps) != 40 || d.note("damage") != nil {
			t.Errorf("%s: %d steps, %v", name, len(d.steps), d.note("damage"))
		}
	}
}
