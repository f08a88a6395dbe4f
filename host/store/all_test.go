package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
	"agy-reader/host/store"
)

const (
	first  = "aaaaaaaa-0000-4000-8000-000000000001"
	second = "bbbbbbbb-0000-4000-8000-000000000002"
	third  = "cccccccc-0000-4000-8000-000000000003"
)

// names are surface and path below dir of each root.
func names(dir string, roots []store.Root) []string {
	var got []string
	for _, r := range roots {
		got = append(got, r.Surface+" "+filepath.ToSlash(strings.TrimPrefix(r.Path, dir+string(filepath.Separator))))
	}
	return got
}

// The stores of all products are found, also with capitals and blanks in their names, each labelled; an id in several of
// them is one conversation.
func TestCaseH08FourStores(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, map[string]int{
		".gemini/antigravity-cli/conversations/" + first + ".pb":  1,
		".gemini/Antigravity/conversations/" + second + ".db":     2,
		".gemini/Antigravity IDE/conversations/" + first + ".db":  3,
		".gemini/antigravity_acp/conversations/" + third + ".db":  4,
		".gemini/antigravity-backup/conversations/" + third + "x": 5,
		".gemini/antigravity-ide.txt":                             6,
	})
	roots := store.AllRoots(nil, environment(home, nil))
	if diff := cmp.Diff([]string{"cli .gemini/antigravity-cli", "ide .gemini/Antigravity", "ide2 .gemini/Antigravity IDE", "acp .gemini/antigravity_acp"}, names(home, roots)); diff != "" {
		t.Fatal(diff)
	}
	sessions, err := store.All(roots, false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sessions {
		got = append(got, s.ID[:8]+s.Kind+" "+s.Root.Surface)
		for _, other := range s.Copies {
			got = append(got, "copy "+other.ID[:8]+other.Kind+" "+other.Root.Surface)
		}
	}
	if diff := cmp.Diff([]string{"cccccccc.db acp", "aaaaaaaa.db ide2", "copy aaaaaaaa.pb cli", "bbbbbbbb.db ide"}, got); diff != "" {
		t.Error(diff)
	}
}

// GEMINI_HOME is looked at before the home directory; both of its layouts count, and one store reached twice is one.
func TestCaseH12GeminiHome(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, map[string]int{
		"moved/antigravity-cli/conversations/" + first + ".db":   1,
		"other/.gemini/antigravity/conversations/x.db":           1,
		".gemini/antigravity-acp/conversations/" + third + ".db": 1,
	})
	at := func(moved string) []string {
		return names(home, store.AllRoots(nil, environment(home, map[string]string{"GEMINI_HOME": moved})))
	}
	if diff := cmp.Diff([]string{"cli moved/antigravity-cli", "acp .gemini/antigravity-acp"}, at(filepath.Join(home, "moved"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"ide other/.gemini/antigravity", "acp .gemini/antigravity-acp"}, at(filepath.Join(home, "other"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"acp .gemini/antigravity-acp"}, at(home)); diff != "" {
		t.Errorf("the home directory itself: %s", diff)
	}
	pinned := store.AllRoots([]string{filepath.Join(home, "moved", "antigravity-cli")}, environment(home, map[string]string{"GEMINI_HOME": filepath.Join(home, "other")}))
	if diff := cmp.Diff([]string{"cli moved/antigravity-cli"}, names(home, pinned)); diff != "" {
		t.Errorf("a root that is named: %s", diff)
	}
	if none := store.AllRoots(nil, environment(filepath.Join(home, "nobody"), nil)); len(none) != 1 || none[0].Surface != "cli" {
		t.Errorf("without any store: %v", none)
	}
}

// A store on the other side of WSL is named by its path there.
func TestCaseH01OtherSideOfWSL(t *testing.T) {
	t.Parallel()
	for path, surface := range map[string]string{
		`\\wsl.localhost\Ubuntu\home\u\.gemini\antigravity`: "ide",
		"/mnt/c/Users/u/.gemini/antigravity":                "ide",
		"/mnt/c/Users/u/.gemini/antigravity-ide":            "ide2",
		"/mnt/c/Users/u/.gemini/antigravity-cli":            "cli",
		"/mnt/c/work/antigravity":                           "cli",
	} {
		roots := store.AllRoots([]string{path}, environment("/home/u", nil))
		if len(roots) != 1 || roots[0].Surface != surface || roots[0].Path != filepath.Clean(path) {
			t.Errorf("%s: %+v", path, roots)
		}
	}
	// The same files, by a path with blanks.
	root := filepath.Join(t.TempDir(), "mnt", "c", "Users", "Jo Doe", ".gemini", "antigravity-cli")
	write(t, root, map[string]int{"conversations/" + first + ".db": 1, "brain/" + second + "/.system_generated/logs/transcript.jsonl": 2})
	sessions, err := store.All(store.AllRoots([]string{root}, environment("", nil)), false)
	if err != nil || len(sessions) != 2 {
		t.Errorf("%v, %v", sessions, err)
	}
}

// What no index knows is listed: index files are not even looked at. A folder alone is enough.
func TestCaseA09FilesNotIndexes(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	files := map[string]int{
		"conversation_summaries.db": 9, "cache/conversation_metadata.json": 9,
		"brain/" + first + "/.system_generated/messages/one.json": 40, "brain/" + second + "/task.md": 41, "brain/tempmediaStorage/x.png": 42,
	}
	for i := range 66 {
		files["conversations/"+strings.Replace(third, "03", string(rune('a'+i%26))+string(rune('a'+i/26)), 1)+[]string{".db", ".pb"}[i%2]] = i
	}
	write(t, root, files)
	sessions, err := store.All(store.AllRoots([]string{root}, environment("", nil)), false)
	if err != nil || len(sessions) != 67 {
		t.Fatalf("%d conversations, %v", len(sessions), err)
	}
	found, err := store.NewFinder(store.AllRoots([]string{root}, environment("", nil))).Find(first[:8])
	if err != nil || found.Path != "" || found.Brain == "" || found.Bucket != "brain" {
		t.Errorf("%+v, %v", found, err)
	}
}

// A database is known by its content, whatever its ending; a conversation in several forms is counted once.
func TestCaseC10ByContent(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]int{
		"conversations/" + second + ".json": 1, "conversations/" + second + ".jsonl": 1, "conversations/" + third + ".PB": 1,
		"conversations/" + third + ".trajectory.json": 1, "conversations/" + first + ".db-wal": 1, "conversations/.hidden": 1,
	})
	for _, name := range []string{first + ".sqlite", first + ".sqlite3", "backup.db.bak"} {
		if err := os.WriteFile(filepath.Join(root, "conversations", name), []byte("SQLite format 3\x00…"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots := store.AllRoots([]string{root}, environment("", nil))
	sessions, err := store.All(roots, false)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, s := range sessions {
		kinds[s.ID] += s.Kind
	}
	if diff := cmp.Diff(map[string]string{first: ".db", third: ".pb"}, kinds); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{".json": 1, ".jsonl": 1, ".sqlite3": 1, ".bak": 1}, store.Unknown(roots, true)); diff != "" {
		t.Error(diff)
	}
	if s, err := store.NewFinder(roots).Find(filepath.Join(root, "conversations", "backup.db.bak")); err != nil || s.Kind != ".db" {
		t.Errorf("a file that is named: %+v, %v", s, err)
	}
}

// A folder above the store that cannot be read is an error with its path and the reason.
func TestCaseB07UnreadableAncestor(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, map[string]int{".gemini": 0}) // a file where the folder should be
	_, err := store.All(store.AllRoots(nil, environment(home, nil)), false)
	if runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), filepath.Join(home, ".gemini")) || strings.Contains(err.Error(), "\n")) {
		t.Errorf("error %v", err)
	}
	if os.Geteuid() <= 0 {
		t.Skip("permissions bind neither root nor Windows")
	}
	closed := t.TempDir()
	write(t, closed, map[string]int{".gemini/antigravity-cli/conversations/a.db": 0})
	if err := os.Chmod(filepath.Join(closed, ".gemini"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(closed, ".gemini"), 0o700)
	if _, err := store.All(store.AllRoots(nil, environment(closed, nil)), false); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), ".gemini") {
		t.Errorf("error %v", err)
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]int{
		"conversations/" + first + ".db": 1, "conversations/" + first + ".pb": 1,
		"brain/" + first + "/task.md": 1, "brain/" + first + "/.system_generated/logs/transcript.jsonl": 1, "brain/" + first + "/.system_generated/logs/transcript_full.jsonl": 1,
		"brain/" + first + "/.system_generated/messages/read.json": 1, "brain/" + first + "/.system_generated/tasks/task-3.log": 1,
		"brain/" + second + "/.system_generated/logs/overview.txt": 1, "brain/" + second + "/.system_generated/messages/x.json": 1,
		"brain/" + third + "/chunks/transcript/0.jsonl": 1, "brain/" + third + "/.system_generated/steps/2/output.txt": 1,
	})
	sessions, err := store.All(store.AllRoots([]string{root}, environment("", nil)), false)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range sessions {
		got[s.ID] = strings.Join(s.Parts(), ", ")
	}
	want := map[string]string{first: "db, pb, full log, short log, task logs, artifacts", second: "old log, messages", third: "chunks, spilled output"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCorpusListsEverything(t *testing.T) {
	t.Parallel()
	home := corpus.Home(t)
	sessions, err := store.All(store.AllRoots(nil, environment(home, nil)), true)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, s := range sessions {
		kinds[s.Bucket+s.Kind]++
	}
	if diff := cmp.Diff(map[string]int{"conversations.db": 11, "conversations.pb": 8, "implicit.pb": 5, "brain": 7}, kinds); diff != "" {
		t.Error(diff)
	}
}
