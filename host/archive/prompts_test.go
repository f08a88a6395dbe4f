package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/archive"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/store"
)

// A conversation of which no step is left shows the store's list of prompts: a change of the list alone makes a new document.
// One with steps does not depend on it.
func TestCaseA05ChangedPromptsAreExported(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	brain := filepath.Join(s.root, "brain", id(2), ".system_generated", "messages")
	if err := os.MkdirAll(brain, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(brain, "m.json"), `{"sender":"a","content":"hi"}`)
	history := filepath.Join(s.root, "history.jsonl")
	line := `{"display":"first words","timestamp":1760000000000,"conversationId":"` + id(2) + `"}` + "\n"
	write(history, line)
	dir := t.TempDir()
	opt := func() (summary string) {
		o := s.options(dir, "markdown")
		auto(t, &o)
		got, _ := export(t, o)
		if got.Failed > 0 {
			t.Fatalf("%+v", got)
		}
		return strings.Repeat("w", got.Written) + strings.Repeat("u", got.Unchanged)
	}
	if got := opt(); got != "ww" {
		t.Fatalf("first run: %s", got)
	}
	if got := opt(); got != "uu" {
		t.Errorf("second run: %s", got)
	}
	write(history, line+strings.Replace(line, "first words", "second words", 1))
	if got := opt(); got != "wu" {
		t.Errorf("after a prompt: %s", got)
	}
	found := false
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		found = found || strings.HasSuffix(e.Name(), ".md") && strings.Contains(read(t, dir, e.Name()), "second words")
	}
	if !found {
		t.Error("the new prompt is in no document")
	}
	if got := opt(); got != "uu" {
		t.Errorf("last run: %s", got)
	}
}

// auto reads whatever there is of a conversation.
func auto(t *testing.T, opt *archive.Options) {
	t.Helper()
	backends, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	source, err := backends.Source("auto")
	if err != nil {
		t.Fatal(err)
	}
	opt.Job = func(store.Session) (convert.Job, error) { return convert.Job{Source: source}, nil }
}
