package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func environment(home string, vars map[string]string) store.Environment {
	return store.Environment{Home: home, Getenv: func(key string) string { return vars[key] }}
}

// write creates files below dir, each with a modification time so many seconds after a fixed moment.
func write(t *testing.T, dir string, files map[string]int) {
	t.Helper()
	base := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for name, second := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := base.Add(time.Duration(second) * time.Second)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReferenceN02Roots(t *testing.T) {
	t.Parallel()
	both := t.TempDir()
	write(t, both, map[string]int{".gemini/antigravity-cli/cli.log": 0, ".gemini/antigravity/x": 0})
	cliPath, idePath := filepath.Join(both, ".gemini/antigravity-cli"), filepath.Join(both, ".gemini/antigravity")
	none := t.TempDir()
	for _, tc := range []struct {
		name     string
		explicit []string
		env      store.Environment
		want     []store.Root
	}{
		{"both defaults, cli first", nil, environment(both, nil), []store.Root{{cliPath, "cli", false}, {idePath, "ide", false}}},
		{"none exists: the cli path alone", nil, environment(none, nil), []store.Root{{filepath.Join(none, ".gemini/antigravity-cli"), "cli", false}}},
		{"environment pins one", nil, environment(both, map[string]string{"ANTIGRAVITY_CLI_ROOT": idePath}), []store.Root{{idePath, "ide", true}}},
		{"flags beat the environment, order kept, repeats dropped", []string{"/b/", "/a", "/b"}, environment(both, map[string]string{"ANTIGRAVITY_CLI_ROOT": idePath}), []store.Root{{"/b", "cli", true}, {"/a", "cli", true}}},
		{"no home: nothing to guess", nil, environment("", nil), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, store.Roots(tc.explicit, tc.env)); diff != "" {
				t.Errorf("roots (-want +got):\n%s", diff)
			}
		})
	}
}

// The time of an empty log does not count (N48); a database and an encrypted file of one id are one conversation, the database
// (N49).
func TestReferenceN48N49EachConversationOnceNewestFirst(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]int{
		"conversations/a.db": 1, "conversations/a.db-wal": 50, "conversations/a.db-shm": 90,
		"conversations/b.pb": 20, "conversations/b.db": 10, "conversations/b.trajectory.json": 5,
		"conversations/c.pb": 30, "conversations/notes.txt": 99, "conversations/d.db/inside": 99,
		"implicit/e.pb": 40,
	})
	write(t, root, map[string]int{"conversations/f.db": 2, "conversations/f.db-wal": 80})
	if err := os.Truncate(filepath.Join(root, "conversations/f.db-wal"), 0); err != nil {
		t.Fatal(err)
	}
	list := func(implicit bool) []string {
		sessions, err := store.List(store.Roots([]string{root}, environment("", nil)), implicit)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range sessions {
			got = append(got, s.ID+s.Kind)
		}
		return got
	}
	if diff := cmp.Diff([]string{"a.db", "c.pb", "b.db", "f.db"}, list(false)); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.db", "e.pb", "c.pb", "b.db", "f.db"}, list(true)); diff != "" {
		t.Errorf("with implicit (-want +got):\n%s", diff)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]int{"conversations/aaaa1111.db": 1, "conversations/aaaa2222.db": 2, "conversations/bbbb3333.pb": 3})
	roots := store.Roots([]string{root}, environment("", nil))
	for _, tc := range []struct {
		name, arg, want string
		err             error
	}{
		{"whole id", "aaaa1111", "aaaa1111", nil},
		{"with suffix", "bbbb3333.pb", "bbbb3333", nil},
		{"upper case", "BBBB3333", "bbbb3333", nil},
		{"beginning", "bbbb", "bbbb3333", nil},
		{"path", filepath.Join(root, "conversations", "aaaa2222.db"), "aaaa2222", nil},
		{"ambiguous", "aaaa", "", sources.ErrAmbiguous},
		{"too short to guess", "bbb", "", sources.ErrNotFound},
		{"absent", "cccc", "", sources.ErrNotFound},
		{"absent path", filepath.Join(root, "x.db"), "", sources.ErrNotFound},
		{"folder", root, "", sources.ErrNotFound},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := store.NewFinder(roots).Find(tc.arg)
			if !errors.Is(err, tc.err) || s.ID != tc.want {
				t.Errorf("Find(%q) = %q, %v; want %q, %v", tc.arg, s.ID, err, tc.want, tc.err)
			}
		})
	}
}

func TestCorpusListsEveryConversation(t *testing.T) {
	t.Parallel()
	home := corpus.Home(t)
	sessions, err := store.List(store.Roots(nil, environment(home, nil)), false)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i, s := range sessions {
		kinds[s.Kind]++
		if i > 0 && s.Modified.After(sessions[i-1].Modified) {
			t.Errorf("%s is newer than the one before it", s.ID)
		}
	}
	if diff := cmp.Diff(map[string]int{".db": 11, ".pb": 8}, kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}
