package sidecar_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/events/stored"
)

// whole is the stored conversation of that name, with steps that carry JSON.
func whole(t *testing.T) []*transcriptv1.Event {
	t.Helper()
	all := stored.Events(t, "whole")
	for _, ev := range all {
		if st := ev.GetStep(); st != nil {
			st.DisplayJson = []byte(`{"anchor":"` + st.GetAnchor() + `"}`)
			st.Blocks = nil
			if st.GetAnchor() == "step-4-1-0" {
				st.Unknown = []*transcriptv1.UnknownField{{Path: "a.b", Number: 7, WireType: 2, Value: []byte("x")}}
			}
		}
	}
	return all
}

func TestWhole(t *testing.T) {
	t.Parallel()
	got, err := write(t, &sinks.Request{BaseName: "x"}, false, whole(t)...)
	if err != nil {
		t.Fatal(err)
	}
	if ahead, err := write(t, &sinks.Request{BaseName: "x"}, true, whole(t)...); err != nil || ahead != got {
		t.Errorf("rendering ahead gives other bytes: %v", err)
	}
	path := filepath.Join("testdata", "whole.trajectory.json")
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
		t.Errorf("(-want +got):\n%s", diff)
	}
	type stepJSON struct{ Anchor string }
	var doc struct {
		Steps     []stepJSON
		AgyReader struct {
			Offline struct {
				FilledSteps []struct {
					Step   int
					Origin string
				}
				InheritedSteps []struct{ Step int }
				Attachments    []map[string]any
				Assets         []map[string]any
				MissingFiles   []map[string]any
				Parts          []map[string]any
				Children       []map[string]any
				UnknownFields  []map[string]any
				Children2      []struct {
					ConversationID string
					Depth          int
					ParentAnchor   string
					Steps          []stepJSON
				} `json:"childTrajectories"`
			}
		}
	}
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatal(err)
	}
	o := doc.AgyReader.Offline
	if len(doc.Steps) != 6 || len(o.FilledSteps) != 1 || o.FilledSteps[0].Step != 1 || o.FilledSteps[0].Origin != "transcript_full.jsonl" ||
		len(o.InheritedSteps) != 1 || len(o.Attachments) != 11 || len(o.Assets) != 2 || len(o.MissingFiles) != 1 || len(o.Parts) != 2 || len(o.Children) != 4 {
		t.Errorf("offline %+v", o)
	}
	if text, err := json.Marshal(o.Attachments); err != nil || !strings.Contains(string(text), `"blocks":[{"kind":`) {
		t.Errorf("what the files hold is not there: %s", text)
	}
	if len(o.Children2) != 3 || len(o.Children2[0].Steps) != 2 || len(o.Children2[1].Steps) != 1 || o.Children2[1].Depth != 2 ||
		o.Children2[1].ParentAnchor != "step-4-1" || len(o.Children2[2].Steps) != 0 {
		t.Errorf("subagents %+v", o.Children2)
	}
	if len(o.UnknownFields) != 1 || o.UnknownFields[0]["path"] != "a.b" || o.UnknownFields[0]["anchor"] != "step-4-1-0" || o.UnknownFields[0]["base64"] != "eA==" {
		t.Errorf("unknown fields %v", o.UnknownFields)
	}
}
