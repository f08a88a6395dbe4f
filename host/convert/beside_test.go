package convert_test

import (
	"strings"
	"testing"

	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// A file that went with a step is not listed once more at the end, unless it is something else under the same name.
func TestAFileBesideTheStepsComesOnce(t *testing.T) {
	t.Parallel()
	events := []*transcriptv1.Event{
		stepEvent(0, transcriptv1.Role_ROLE_TOOL),
		attached(&transcriptv1.Attachment{Kind: "task_log", Name: "t.log", Anchor: "step-0"}),
		attached(&transcriptv1.Attachment{Kind: "task_log", Name: "t.log"}),
		attached(&transcriptv1.Attachment{Kind: "task_log", Name: "u.log"}),
		attached(&transcriptv1.Attachment{Kind: "message", Name: "t.log"}),
	}
	files, _ := converted(t, convert.Job{Source: &fakeSource{batches: split(events, 2)}})
	text := strings.ReplaceAll(files["conv.events.jsonl"], " ", "")
	for file, want := range map[string]int{`"kind":"task_log","name":"t.log"`: 1, `"kind":"task_log","name":"u.log"`: 1, `"kind":"message","name":"t.log"`: 1} {
		if got := strings.Count(text, file); got != want {
			t.Errorf("%s comes %d times, want %d in\n%s", file, got, want, text)
		}
	}
}
