package artifact

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestFilesInAFolder(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		arrange func(dir string) error
		opt     Options
		want    error
	}{
		{name: "nothing there", arrange: func(string) error { return nil }},
		{name: "the same bytes there", arrange: func(dir string) error { return place(dir, "x.assets/p.png", "picture") }},
		{name: "other bytes there", arrange: func(dir string) error { return place(dir, "x.assets/p.png", "PICTURE") }, want: ErrExists},
		{name: "other bytes, forced", arrange: func(dir string) error { return place(dir, "x.assets/p.png", "PICTURE") }, opt: Options{Force: true}},
		{name: "the same bytes, exclusive", arrange: func(dir string) error { return place(dir, "x.assets/p.png", "picture") }, opt: Options{Exclusive: true}, want: ErrExists},
		{name: "a file in place of the folder", arrange: func(dir string) error { return place(dir, "x.assets", "") }, opt: Options{Force: true}, want: ErrExists},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := tc.arrange(dir); err != nil {
				t.Fatal(err)
			}
			before, _ := read(t, dir)
			s, err := Open(dir, tc.opt)
			if err != nil {
				t.Fatal(err)
			}
			write(t, s, "x.md", "text/markdown", 0, ourMarkdown)
			write(t, s, "x.assets/p.png", "image/png", 0, "picture")
			_, err = s.Commit(t.Context())
			if !errors.Is(err, tc.want) || tc.want != nil && !errors.Is(err, ErrExists) {
				t.Fatalf("got %v, want %v", err, tc.want)
			}
			files, hidden := read(t, dir)
			if len(hidden) > 0 {
				t.Errorf("left %v", hidden)
			}
			if tc.want == nil && (files["x.md"] != ourMarkdown || files["x.assets/p.png"] != "picture") {
				t.Errorf("published %v", files)
			}
			if tc.want != nil && fmt.Sprint(files) != fmt.Sprint(before) {
				t.Errorf("the folder changed from %v to %v", before, files)
			}
			if _, err := os.Lstat(filepath.Join(dir, "x.assets")); tc.want != nil && len(before) == 0 && err == nil {
				t.Error("the folder is left")
			}
		})
	}
}

func TestALinkIsNoFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := place(dir, "elsewhere/a", ""); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", filepath.Join(dir, "x.assets")); err != nil {
		t.Skip(err)
	}
	s, err := Open(dir, Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "x.assets/p.png", "image/png", 0, "picture")
	if _, err = s.Commit(t.Context()); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	if files, hidden := read(t, filepath.Join(dir, "elsewhere")); len(files) != 1 || len(hidden) > 0 {
		t.Errorf("written through the link: %v %v", files, hidden)
	}
}

// A set of thousands of files in a folder keeps none of them open.
func TestManyFilesInAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		write(t, s, fmt.Sprintf("x.assets/%d.txt", i), "text/plain", 0, fmt.Sprint(i))
	}
	for _, p := range s.pieces {
		for _, r := range p.runs {
			if r.file != nil {
				t.Fatalf("%s is open", p.name)
			}
		}
	}
	if files, err := s.Commit(t.Context()); err != nil || len(files) != 300 {
		t.Fatal(len(files), err)
	}
}

func place(dir, name, content string) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o600)
}
