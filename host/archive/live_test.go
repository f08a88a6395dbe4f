package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/convert"
	"agy-reader/host/store"
)

// A log that agy still writes when its hook starts an export: the half record is said and no step, and the next run takes what
// came, whether it came before the log was read or after.
func TestCaseO01ExportWhileTheTurnIsWritten(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	logs := filepath.Join(s.root, "brain", id(1), ".system_generated", "logs")
	if err := os.MkdirAll(logs, 0o755); err != nil {
		t.Fatal(err)
	}
	const (
		prompt = `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":"2026-05-01T10:00:00Z","content":"<USER_REQUEST>\nhello\n</USER_REQUEST>"}` + "\n"
		answer = `{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-05-01T10:00:01Z","content":"first answer"}` + "\n"
		last   = `{"step_index":2,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-05-01T10:00:02Z","content":"last answer"}` + "\n"
	)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(logs, "transcript.jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	document := func() string {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(dir, "*"+id(1)[:8]+".md"))
		if err != nil || len(names) != 1 {
			t.Fatalf("documents %q, %v", names, err)
		}
		return read(t, names[0])
	}
	// run exports; before and after are what agy does while the archive is at work: once it has looked, once it has converted.
	run := func(before, after func()) (written, unchanged int) {
		t.Helper()
		opt := s.options(dir, "markdown")
		auto(t, &opt)
		job := opt.Job
		opt.Job = func(s store.Session) (convert.Job, error) {
			if before != nil {
				before()
			}
			return job(s)
		}
		opt.Progress = func(int, int) {
			if after != nil {
				after()
			}
		}
		summary, _ := export(t, opt)
		if summary.Failed > 0 {
			t.Fatalf("%+v", summary)
		}
		return summary.Written, summary.Unchanged
	}

	write(prompt + answer[:len(answer)-30])
	run(nil, func() { write(prompt + answer) })
	if text := document(); !strings.Contains(text, "the last record is still being written") || strings.Contains(text, "first answer") {
		t.Errorf("the half record is not said:\n%s", text)
	}
	// What came after the reading is found by the next run, and so is what comes between its look and its reading.
	if written, _ := run(func() { write(prompt + answer + last[:40]) }, func() { write(prompt + answer + last) }); written != 1 {
		t.Error("what came after the first run was not exported")
	}
	if text := document(); !strings.Contains(text, "first answer") || !strings.Contains(text, "the last record is still being written") {
		t.Errorf("the second document:\n%s", text)
	}
	if written, _ := run(nil, nil); written != 1 || !strings.Contains(document(), "last answer") || strings.Contains(document(), "still being written") {
		t.Errorf("the third document:\n%s", document())
	}
	if _, unchanged := run(nil, nil); unchanged != 1 {
		t.Error("a finished turn is exported again")
	}
}
