package artifact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzJournal opens a set in a folder with any journal in it: nothing but files that bear our temporary names may move or
// vanish, and nothing may appear outside.
func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"files":[{"temp":".a.md.tmp-0123456789abcdef","target":"a.md","backup":".a.md.tmp-fedcba9876543210"}]}`))
	f.Add([]byte(`{"files":[{"temp":".keep","target":"a.md"}]}`))
	f.Add([]byte(`{"files":[{"temp":".a.md.tmp-0123456789abcdef","target":"../a.md"}]}`))
	f.Add([]byte(`{"files":[{"temp":"./.a.md.tmp-0123456789abcdef","target":".keep"}]}`))
	f.Add([]byte(`{"files":`))
	f.Fuzz(func(t *testing.T, journal []byte) {
		base := t.TempDir()
		dir := filepath.Join(base, "out")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		kept := []string{".keep", "keep.md"}
		for _, name := range append(kept, ".a.md.tmp-0123456789abcdef", ".a.md.tmp-fedcba9876543210") {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, journalPrefix+"x"), journal, 0o600); err != nil {
			t.Fatal(err)
		}
		age(t, dir)
		s, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Abort(); err != nil {
			t.Fatal(err)
		}
		for _, name := range kept {
			if strings.Contains(string(journal), name) && name == "keep.md" {
				continue // a target: publishing over it is what a journal is for
			}
			if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != name {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
		if entries, _ := os.ReadDir(base); len(entries) != 1 {
			t.Errorf("outside: %v", entries)
		}
	})
}
