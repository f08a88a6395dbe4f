package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agy-reader/host/cli"
	"agy-reader/host/diag"
)

// clean writes a session that is whole.
func clean(t *testing.T, path string) {
	t.Helper()
	err := writeSession(path, `{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`,
		`{"type": 15, "status": 3, "plannerResponse": {"response": "Hello."}}`)
	if err != nil {
		t.Fatal(err)
	}
}

// Folders and files with blanks, absolute and relative, new and there before: --out means what it says.
func TestCaseH07OutNames(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "My Dir")
	session := filepath.Join(dir, "a session.db")
	clean(t, session)
	there := filepath.Join(dir, "is there")
	if err := os.MkdirAll(there, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ out, want string }{
		{there, filepath.Join(there, "c1ea0000-0000-4000-8000-000000000001.md")},
		{filepath.Join(dir, "is new") + string(filepath.Separator), filepath.Join(dir, "is new", "c1ea0000-0000-4000-8000-000000000001.md")},
		{filepath.Join(dir, "one file.md"), filepath.Join(dir, "one file.md")},
		{filepath.Join(dir, "deep er", "one file.md"), filepath.Join(dir, "deep er", "one file.md")},
	} {
		code, out, said := cli.Command(t, "convert", "--out", tc.out, session)
		if code != diag.Complete || out != tc.want+"\n" {
			t.Errorf("%s: exit code %d, %q\n%s", tc.out, code, out, said)
		}
		if text, err := os.ReadFile(tc.want); err != nil || !strings.Contains(string(text), "Say hello") {
			t.Errorf("%s: %v", tc.want, err)
		}
	}
	foreign := filepath.Join(dir, "my own.md")
	if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := cli.Command(t, "convert", "--out", foreign, session); code != diag.Output {
		t.Errorf("exit code %d for a file that is not ours", code)
	}
	archive := filepath.Join(dir, "an archive")
	store := filepath.Join(dir, "a store")
	clean(t, filepath.Join(store, "conversations", "c1ea0000-0000-4000-8000-000000000001.db"))
	if code, out, said := cli.Command(t, "convert", "--all", "--root", store, "--out", archive); code != diag.Complete || !strings.Contains(out, filepath.Join(archive, "index.html")) {
		t.Errorf("exit code %d, %q\n%s", code, out, said)
	}
}

// Every store is exported, whatever case and blanks its name has; each conversation once, with the label of its store.
func TestCaseH08EveryStoreOnce(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("GEMINI_HOME", "")
	t.Setenv("ANTIGRAVITY_CLI_ROOT", "")
	names := []string{"antigravity", "Antigravity-IDE", "Antigravity CLI", "antigravity-acp"}
	for i, name := range names {
		own := fmt.Sprintf("0000000%d-0000-4000-8000-000000000000", i+1)
		for _, id := range []string{own, "ffffffff-0000-4000-8000-000000000000"} {
			clean(t, filepath.Join(home, ".gemini", name, "conversations", id+".db"))
		}
	}
	dir := t.TempDir()
	code, _, said := cli.Command(t, "convert", "--all", "--out", dir)
	if code != diag.Complete {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var index struct {
		Conversations []struct{ ID, Surface string }
	}
	if err := json.Unmarshal(text, &index); err != nil {
		t.Fatal(err)
	}
	var surfaces []string
	for _, c := range index.Conversations[:len(index.Conversations)-1] {
		surfaces = append(surfaces, c.Surface)
	}
	if len(index.Conversations) != 5 || !slices.Equal(surfaces, []string{"ide", "ide2", "cli", "acp"}) {
		t.Errorf("%+v", index.Conversations)
	}
}

// interrupting cancels at the first line that is written.
type interrupting struct {
	bytes.Buffer
	cancel context.CancelFunc
}

func (w *interrupting) Write(p []byte) (int, error) {
	w.cancel()
	return w.Buffer.Write(p)
}

// An export that is interrupted says so, keeps what is done and goes on with it the next time.
func TestInterruptedExport(t *testing.T) {
	t.Parallel()
	store, dir := filepath.Join(t.TempDir(), "store"), filepath.Join(t.TempDir(), "archive")
	for i := range 40 {
		clean(t, filepath.Join(store, "conversations", fmt.Sprintf("%08d-0000-4000-8000-000000000000.db", i)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stderr := &interrupting{cancel: cancel}
	streams := cli.Streams{Out: &bytes.Buffer{}, Err: stderr}
	if code := cli.RunWith(ctx, streams, "convert", "--all", "--jobs", "1", "--root", store, "--out", dir); code != diag.Cancelled {
		t.Errorf("exit code %d\n%s", code, stderr.String())
	}
	if !strings.Contains(stderr.String(), "interrupted; ") {
		t.Errorf("said %s", stderr.String())
	}
	code, _, said := cli.Command(t, "convert", "--all", "--root", store, "--out", dir)
	if code != diag.Complete || !strings.Contains(said, " unchanged\n") || strings.Contains(said, "40 written") {
		t.Errorf("exit code %d\n%s", code, said)
	}
}
