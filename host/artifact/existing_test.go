package artifact

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	tail := strings.Repeat("x", 10_000)
	for _, tc := range []struct {
		name      string
		file      string
		mediaType string
		content   string
		opt       Options
		replaced  bool
	}{
		{"foreign markdown", "a", "text/markdown", "# notes", Options{}, false},
		{"foreign markdown, forced", "a", "text/markdown", "# notes", Options{Force: true}, true},
		{"our markdown", "a", "text/markdown; charset=utf-8", ourMarkdown + tail, Options{}, true},
		{"our markdown, exclusive", "a", "text/markdown", ourMarkdown, Options{Exclusive: true, Force: true}, false},
		{"the mark deep inside", "a", "text/markdown", "# " + tail + markMarkdown + tail, Options{}, false},
		{"our html", "a", "text/html", "<!doctype html>" + markHTML + `">` + tail, Options{}, true},
		{"no title", "a", "text/markdown", markMarkdown, Options{}, false},
		{"html mark in markdown", "a", "text/markdown", markHTML, Options{}, false},
		{"our json", "a", "application/json", `{"x":"` + tail + `","agyReader":{` + markJSON + "}}\n", Options{}, true},
		{"foreign sidecar", "a", "application/json", `{"agyReader":{"parentCascadeId":"x"}}`, Options{}, false},
		{"our events", "a", "application/jsonl; charset=utf-8", markEvents + `"conversationId":"x"}}` + "\n", Options{}, true},
		{"empty", "a", "text/markdown", "", Options{}, false},
		{"unknown type", "a", "application/pdf", ourMarkdown, Options{}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, tc.file), []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(dir, tc.opt)
			if err != nil {
				t.Fatal(err)
			}
			write(t, s, tc.file, tc.mediaType, 0, "new")
			_, err = s.Commit(t.Context())
			files, hidden := read(t, dir)
			want := tc.content
			if tc.replaced {
				want = "new"
			}
			if files[tc.file] != want || len(hidden) > 0 || (err == nil) != tc.replaced {
				t.Errorf("replaced %v (%v), left %v", files[tc.file] == "new", err, hidden)
			}
			if err != nil && !errors.Is(err, ErrExists) {
				t.Errorf("kind of %v", err)
			}
		})
	}
}

func TestSymlinksAndFolders(t *testing.T) {
	t.Parallel()
	for _, opt := range []Options{{}, {Force: true}, {Exclusive: true}} {
		dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside.md")
		if err := os.WriteFile(outside, []byte(ourMarkdown), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(dir, "link.md")); err != nil {
			t.Skip("no symbolic links here")
		}
		if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling.md")); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "folder.md"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"link.md", "dangling.md", "folder.md"} {
			s, err := Open(dir, opt)
			if err != nil {
				t.Fatal(err)
			}
			write(t, s, "before.md", "text/markdown", 0, "new")
			write(t, s, name, "text/markdown", 0, "new")
			if _, err := s.Commit(t.Context()); !errors.Is(err, ErrExists) {
				t.Errorf("%s, %+v: %v", name, opt, err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "before.md")); err == nil {
				t.Error("half a set")
			}
		}
		if data, _ := os.ReadFile(outside); string(data) != ourMarkdown {
			t.Error("wrote through a symbolic link")
		}
	}
}
