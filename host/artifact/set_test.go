package artifact

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func background() context.Context { return context.Background() }

// age makes every hidden file of a folder two days old.
func age(t *testing.T, dir string) {
	t.Helper()
	_, hidden := read(t, dir)
	past := time.Now().Add(-48 * time.Hour)
	for _, name := range hidden {
		if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
}

const ourMarkdown = "# Title" + markMarkdown + "id`\n"

func write(t *testing.T, out Output, name, mediaType string, part uint32, content string) {
	t.Helper()
	w, err := out.Create(name, mediaType, part)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestPartsInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		parts []uint32
		runs  int
	}{
		{"in order: written once", []uint32{0, 1, 2, 3}, 1},
		{"backwards", []uint32{3, 2, 1, 0}, 4},
		{"head last", []uint32{1, 2, 3, 0}, 2},
		{"with holes", []uint32{0, 7, 1 << 31, 1<<32 - 1}, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, err := Open(dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			byNumber := map[uint32]string{}
			for i, p := range tc.parts {
				content := strings.Repeat(string(rune('a'+i)), 100_000)
				byNumber[p] = content
				write(t, s, "x.md", "text/markdown", p, content)
			}
			if got := len(s.pieces[0].runs); got != tc.runs {
				t.Errorf("want %d temporary files, got %d", tc.runs, got)
			}
			files, err := s.Commit(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			for _, p := range []uint32{0, 1, 2, 3, 7, 1 << 31, 1<<32 - 1} {
				want.WriteString(byNumber[p])
			}
			got, hidden := read(t, dir)
			if got["x.md"] != want.String() || len(hidden) > 0 {
				t.Errorf("content differs, or %v are left", hidden)
			}
			if diff := cmp.Diff([]File{{"x.md", filepath.Join(dir, "x.md"), "text/markdown", int64(want.Len())}}, files); diff != "" {
				t.Error(diff)
			}
			if info, err := os.Stat(filepath.Join(dir, "x.md")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestRefusedCreates(t *testing.T) {
	t.Parallel()
	type call struct {
		name, mediaType string
		part            uint32
	}
	for _, tc := range []struct {
		name   string
		before []call
		call   call
	}{
		{"two folders", nil, call{"a/b/c.md", "x/y", 0}},
		{"out of the folder", nil, call{"a/../b.md", "x/y", 0}},
		{"backslash", nil, call{`a\b.md`, "x/y", 0}},
		{"hidden folder", nil, call{".git/config", "x/y", 0}},
		{"reserved folder", nil, call{"con/a.png", "x/y", 0}},
		{"nothing in a folder", nil, call{"a/", "x/y", 0}},
		{"second part in a folder", []call{{"a/b.png", "x/y", 0}}, call{"a/b.png", "x/y", 1}},
		{"above", nil, call{"..", "x/y", 0}},
		{"absolute", nil, call{"/etc/passwd", "x/y", 0}},
		{"same part twice", []call{{"a.md", "x/y", 0}}, call{"a.md", "x/y", 0}},
		{"part within a run", []call{{"a.md", "x/y", 0}, {"a.md", "x/y", 1}}, call{"a.md", "x/y", 1}},
		{"other case", []call{{"a.md", "x/y", 0}}, call{"A.MD", "x/y", 1}},
		{"other composition", []call{{"é.md", "x/y", 0}}, call{"e\u0301.md", "x/y", 0}},
		{"other media type", []call{{"a.md", "x/y", 0}}, call{"a.md", "x/z", 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, err := Open(dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range tc.before {
				write(t, s, c.name, c.mediaType, c.part, "text")
			}
			if _, err := s.Create(tc.call.name, tc.call.mediaType, tc.call.part); err == nil {
				t.Error("accepted")
			}
			if _, err := s.Commit(t.Context()); err == nil {
				t.Error("a set that refused something was published")
			}
			if files, hidden := read(t, dir); len(files)+len(hidden) > 0 {
				t.Errorf("left %v %v", files, hidden)
			}
		})
	}
}

func TestOpenPartIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create("a.md", "x/y", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(t.Context()); err == nil {
		t.Error("published with an open part")
	}
	if files, hidden := read(t, dir); len(files)+len(hidden) > 0 {
		t.Errorf("left %v %v", files, hidden)
	}
	if _, err := s.Create("b.md", "x/y", 0); err == nil {
		t.Error("created after the end")
	}
	if _, err := s.Commit(t.Context()); err == nil {
		t.Error("committed twice")
	}
}

func TestCancelledCommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "a.md", "x/y", 0, "text")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Commit(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if files, hidden := read(t, dir); len(files)+len(hidden) > 0 {
		t.Errorf("left %v %v", files, hidden)
	}
}

// late is a folder in which somebody else makes the file just before it is published.
func TestManyWritersAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for part := range uint32(4) {
				write(t, s, string(rune('a'+i))+".md", "x/y", part, strings.Repeat(string(rune('0'+part)), 70_000))
			}
		})
	}
	group.Wait()
	files, err := s.Commit(t.Context())
	if err != nil || len(files) != 8 {
		t.Fatal(err, files)
	}
	got, _ := read(t, dir)
	for name, content := range got {
		if len(content) != 280_000 || content[0] != '0' || content[279_999] != '3' {
			t.Errorf("%s is %d bytes", name, len(content))
		}
	}
}

func TestForeignHiddenFilesStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := []string{".bashrc", ".x.tmp-1", ".agy-reader.commit-zz", ".a.tmp-0123456789abcdef.bak", ".tmp-0123456789abcdef"}
	for _, name := range names {
		content := "x"
		if strings.HasPrefix(name, journalPrefix) {
			content = `{"files":[{"temp":".bashrc","target":"stolen.md"}]}`
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	age(t, dir)
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Abort(); err != nil {
		t.Fatal(err)
	}
	files, hidden := read(t, dir)
	if len(hidden) != len(names) || len(files) > 0 {
		t.Errorf("left %v %v", files, hidden)
	}
}

// BenchmarkPublishSmall publishes a small set into a folder that holds many files already.
