package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/demo/build"
)

// TestSubagents: a session that is named has its subagents in it unless told otherwise; export-offline leaves them out.
func TestSubagents(t *testing.T) {
	t.Parallel()
	const parent, child = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"
	root := build.Family(t,
		build.Member{ID: parent, Steps: [][]byte{build.Prompt(t, "go"), build.Invoke(t, "1", child), build.Message(t, child, parent, "done")}},
		build.Member{ID: child, Parent: parent, Steps: [][]byte{build.Prompt(t, "help me, subagent"), build.Answer(t, "a helpful answer", "")}},
	)
	for _, tc := range []struct {
		mode      []string
		has, lack string
	}{
		{nil, "a helpful answer", "left out"},
		{[]string{"--subagents", "inline"}, "a helpful answer", "left out"},
		{[]string{"--subagents", "separate"}, "not in this document; its own was not made", "a helpful answer"},
		{[]string{"--subagents", "none"}, "left out of this document", "a helpful answer"},
	} {
		out := t.TempDir()
		code, _, problem := run(t, append(append([]string{"convert", "--root", root, "--out", out + "/"}, tc.mode...), parent)...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, %s", tc.mode, code, problem)
		}
		document, err := os.ReadFile(filepath.Join(out, parent+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if text := string(document); !strings.Contains(text, tc.has) || strings.Contains(text, tc.lack) {
			t.Errorf("%v: %s", tc.mode, text)
		}
	}
	if code, _, problem := run(t, "convert", "--root", root, "--subagents", "all", "--out", t.TempDir()+"/", parent); code != 2 || !strings.Contains(problem, "--subagents") {
		t.Errorf("exit code %d, %s", code, problem)
	}
	out := filepath.Join(t.TempDir(), "x.md")
	if code, _, problem := run(t, "export-offline", "--out", out, filepath.Join(root, "conversations", parent+".db")); code != 0 {
		t.Fatalf("export-offline: exit code %d, %s", code, problem)
	}
	if raw, err := os.ReadFile(out); err != nil || strings.Contains(string(raw), "a helpful answer") {
		t.Errorf("export-offline has the subagent: %v", err)
	}
}
