package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
		{"separator", nil, call{"a/b.md", "x/y", 0}},
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

func TestOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.md")
	s, err := OpenFile(path, Options{Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "conversation.md", "text/markdown", 0, "text")
	files, err := s.Commit(t.Context())
	if diff := cmp.Diff([]File{{"conversation.md", path, "text/markdown", 4}}, files); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := OpenFile(path, Options{Exclusive: true}); !errors.Is(err, ErrExists) {
		t.Errorf("opened over an existing file: %v", err)
	}
	two, err := OpenFile(filepath.Join(dir, "two.md"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, two, "a.md", "text/markdown", 0, "a")
	if _, err := two.Create("b.md", "text/markdown", 0); !errors.Is(err, ErrMany) {
		t.Errorf("second artifact: %v", err)
	}
	if err := two.Abort(); err != nil {
		t.Error(err)
	}
	got, hidden := read(t, dir)
	if diff := cmp.Diff(map[string]string{"out.md": "text"}, got); diff != "" || len(hidden) > 0 {
		t.Error(diff, hidden)
	}
}

func TestExclusiveLosesTheRace(t *testing.T) {
	t.Parallel()
	for _, noLinks := range []bool{false, true} {
		dir := t.TempDir()
		disk, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		f := &faults{folder: disk, at: -1, noLinks: noLinks}
		s := newSet(dir, &late{f, dir}, Options{Exclusive: true}, nil)
		write(t, s, "a.md", "x/y", 0, "ours")
		if _, err := s.Commit(t.Context()); err == nil {
			t.Error("replaced a file that came at the last moment")
		}
		got, hidden := read(t, dir)
		if diff := cmp.Diff(map[string]string{"a.md": "theirs"}, got); diff != "" || len(hidden) > 0 {
			t.Error(diff, hidden)
		}
	}
}

// late is a folder in which somebody else makes the file just before it is published.
type late struct {
	*faults
	dir string
}

func (l *late) Link(name, second string) error {
	if err := os.WriteFile(filepath.Join(l.dir, second), []byte("theirs"), 0o600); err != nil {
		return err
	}
	return l.faults.Link(name, second)
}

func TestFoldersAreMadeAndRemoved(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join(base, "a", "b")
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "x.md", "x/y", 0, "text")
	if err := s.Abort(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(base, "a")); err == nil {
		t.Error("an aborted set leaves its folders")
	}
	s, err = Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "x.md", "x/y", 0, "text")
	if _, err := s.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, _ := read(t, dir); got["x.md"] != "text" {
		t.Error("not published")
	}
}

func TestStream(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	var out bytes.Buffer
	s, err := OpenStream(&out)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "a.md", "text/markdown", 1, " world")
	write(t, s, "a.md", "text/markdown", 0, "hello")
	if out.Len() > 0 {
		t.Error("wrote before the end")
	}
	files, err := s.Commit(t.Context())
	if diff := cmp.Diff([]File{{"a.md", "-", "text/markdown", 11}}, files); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if out.String() != "hello world" {
		t.Errorf("got %q", out.String())
	}
	s, err = OpenStream(&out)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "a.md", "text/markdown", 0, "hello")
	if _, err := s.Create("b.md", "text/markdown", 0); !errors.Is(err, ErrMany) {
		t.Errorf("second artifact: %v", err)
	}
	if _, err := s.Commit(t.Context()); err == nil {
		t.Error("committed after a refusal")
	}
	if out.String() != "hello world" {
		t.Errorf("a failed output wrote %q", out.String())
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

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

func TestNames(t *testing.T) {
	t.Parallel()
	good := []string{"a", "a.md", "6b284218-0000-4000-8000-000000000000.trajectory.json", "café.md", "con1.md", "компьютер", strings.Repeat("x", 200), "a b.md", "COM10.txt"}
	for _, name := range good {
		if err := CheckName(name); err != nil {
			t.Errorf("%q refused: %v", name, err)
		}
	}
	bad := []string{
		"", ".", "..", ".hidden", " a", "a/b", `a\b`, "/a", "C:a", "a\x00b", "a\nb", "a\u202eb", "a\u200bb", "a.", "a ", "CON", "con.md", "nul.tar.gz", "Com1.txt", "COM¹", "LPT9", "aux .md",
		"a?b", `a"b`, "a|b", "\xff", strings.Repeat("x", 201), "conin$",
	}
	for _, name := range bad {
		if CheckName(name) == nil {
			t.Errorf("%q accepted", name)
		}
	}
}

func FuzzSafeName(f *testing.F) {
	for _, seed := range []string{"", "a", "../../etc/passwd", "CON", "a\u202e", "\xff\xfe", strings.Repeat("é", 300), "con .x", "....", "a\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := SafeName(text)
		if err := CheckName(name + "-step-4294967295.trajectory.json"); err != nil {
			t.Errorf("%q gives %q: %v", text, name, err)
		}
		if CheckName(text) == nil && len(text) <= 120 && name != text {
			t.Errorf("a good name %q became %q", text, name)
		}
	})
}

func BenchmarkPublishInOrder(b *testing.B) {
	dir := b.TempDir()
	block := bytes.Repeat([]byte("0123456789abcdef"), 1<<12)
	b.SetBytes(int64(len(block)) * 256)
	for b.Loop() {
		s, err := Open(dir, Options{Force: true})
		if err != nil {
			b.Fatal(err)
		}
		w, err := s.Create("a.bin", "x/y", 0)
		if err != nil {
			b.Fatal(err)
		}
		for range 256 {
			if _, err := w.Write(block); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Commit(background()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPublishSmall publishes a small set into a folder that holds many files already.
func BenchmarkPublishSmall(b *testing.B) {
	dir := b.TempDir()
	for i := range 1500 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		s, err := Open(dir, Options{Force: true})
		if err != nil {
			b.Fatal(err)
		}
		w, err := s.Create("a.md", "text/markdown", 0)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.Write([]byte("small")); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Commit(background()); err != nil {
			b.Fatal(err)
		}
	}
}
