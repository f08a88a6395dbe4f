//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"agy-reader/host/cli"
	"agy-reader/host/diag"
)

// A FIFO may stand in the place of every file and folder of a store: nothing waits for somebody to write into it, and the
// conversation is shown.
func TestNothingWaitsForAFIFO(t *testing.T) {
	t.Parallel()
	const id = "11111111-1111-4111-8111-111111111111"
	const brain = "brain/" + id + "/"
	log := `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":"2026-05-01T10:00:00Z","content":"hello",` +
		`"media":[{"mime_type":"image/png","uri":"file:///x/brain/tempmediaStorage/media__1234567890123.png"}]}` + "\n"
	for _, place := range []string{
		brain + ".system_generated/chunks", brain + ".system_generated/logs/chunks", brain + ".system_generated/logs/chunks/transcript",
		brain + ".system_generated/logs/chunks/transcript_full", brain + ".system_generated/logs/chunks/transcript/00000000.jsonl",
		brain + ".system_generated/logs/overview.txt", brain + ".system_generated/logs/transcript_full.jsonl",
		brain + "chunks/transcript", brain + "overview.txt", brain + "task.md", brain + "task.md.metadata.json", brain + "task.md.resolved",
		brain + "media__1234567890123.png", brain + "scratch",
		brain + ".system_generated/subagents", brain + ".system_generated/subagents/22222222-1111-4111-8111-111111111111.json",
		brain + ".system_generated/tasks", brain + ".system_generated/tasks/task-0.log", brain + ".system_generated/steps",
		brain + ".system_generated/steps/0", brain + ".system_generated/steps/0/output.txt", brain + ".system_generated/messages",
		brain + ".system_generated/messages/read.json", brain + ".system_generated/messages/x.json",
		"brain/tempmediaStorage", "brain/tempmediaStorage/media__1234567890123.png",
		"annotations", "annotations/" + id + ".pbtxt", "history.jsonl", "cache", "cache/conversation_metadata.json",
		"conversation_summaries.db", "conversation_summaries.db-wal", "agyhub_summaries_proto.pb", "jetbox_summaries_proto.pb",
		"conversations/" + id + ".db", "conversations/" + id + ".pb", "conversations/" + id + ".meta", "conversations/" + id,
		"cli.log", "antigravity_state.pbtxt",
	} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			root, out := t.TempDir(), t.TempDir()
			path := filepath.Join(root, filepath.FromSlash(place))
			logs := filepath.Join(root, brain, ".system_generated", "logs")
			for _, err := range []error{
				os.MkdirAll(logs, 0o700), os.MkdirAll(filepath.Dir(path), 0o700),
				os.WriteFile(filepath.Join(logs, "transcript.jsonl"), []byte(log), 0o600), syscall.Mkfifo(path, 0o600),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{
				{"list", "--json"}, {"convert", "--out", out + "/", id}, {"convert", "--all", "--include-implicit", "--assets", "--out", out + "/all"},
			} {
				args = append([]string{"agy-reader", args[0], "--root", root}, args[1:]...)
				var said bytes.Buffer
				done := make(chan int, 1)
				cli.Running.Lock()
				go func() { done <- cli.Run(context.Background(), args, cli.Streams{Out: &said, Err: &said}, "") }()
				select {
				case code := <-done:
					if !slices.Contains([]int{diag.Complete, diag.Incomplete}, code) {
						t.Errorf("%q: exit code %d\n%s", args[1:], code, said.String())
					}
				case <-time.After(20 * time.Second):
					cli.Running.Unlock()
					t.Fatalf("%q still waits", args[1:])
				}
				cli.Running.Unlock()
			}
			if files, err := filepath.Glob(filepath.Join(out, "all", "*.md")); err != nil || len(files) == 0 {
				t.Errorf("%v, %v", files, err)
			}
		})
	}
}
