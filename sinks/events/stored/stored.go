// Package stored reads the event streams that tests of sinks share.
package stored

import (
	"os"
	"path/filepath"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/events"
)

// Events returns a stream of sinks/events/testdata for a test of a package beside sinks/events: "sample", or "whole", a
// conversation with subagents two deep and everything that lies beside its steps.
func Events(t testing.TB, name string) []*transcriptv1.Event {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "events", "testdata", name+events.Suffix))
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
