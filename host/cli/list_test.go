package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"agy-reader/host/demo/build"
	"agy-reader/host/diag"
)

func row(id string, change func(*listed)) listed {
	updated := "2026-06-03T10:00:00Z"
	steps := uint32(12)
	l := listed{ID: id, Surface: "ide2", Updated: &updated, Steps: &steps, Bytes: 1 << 20, Title: new("A title"), Readable: true}
	if change != nil {
		change(&l)
	}
	return l
}

const (
	listID  = "aaaaaaaa-0000-4000-8000-000000000001"
	otherID = "aaaaaaaa-0000-4000-9000-000000000002"
)

// The table shows the project, fits into the terminal, and ids are as short as they can be.
func TestCaseN03TableShowsProjects(t *testing.T) {
	t.Parallel()
	long := "優秀な長い題名 " + strings.Repeat("👩‍💻 修 ", 40)
	rows := []listed{
		row(listID, func(l *listed) { l.ProjectName, l.Title = new("my app"), &long }),
		row(otherID, func(l *listed) { l.Project = new(strings.Repeat("/a-very-long-folder-name", 3)) }),
		row("cccccccc-0000-4000-8000-000000000003", func(l *listed) { l.Error = strings.Repeat("some reason ", 20) }),
	}
	for _, width := range []int{80, 99, 100, 120, 136, 200} {
		var out bytes.Buffer
		writeTable(&out, rows, width)
		for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			if uniseg.StringWidth(line) > width {
				t.Errorf("%d: %d columns: %s", width, uniseg.StringWidth(line), line)
			}
		}
		lines := strings.Split(out.String(), "\n")
		for i, want := range []string{"PROJECT", "my app", "a-very-long", "unknown project", "not readable: some reason"} {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%d: no %q in %q", width, want, lines[i])
			}
		}
		if full := strings.HasPrefix(lines[1], listID); full != (width >= fullIDs) {
			t.Errorf("%d: %s", width, lines[1])
		}
	}
	var pipe bytes.Buffer
	writeTable(&pipe, rows, 0)
	if !strings.Contains(pipe.String(), listID) || !strings.Contains(pipe.String(), strings.Repeat("some reason ", 19)) {
		t.Error(pipe.String())
	}
	if diff := cmp.Diff([]string{"aaaaaaaa-0000-4000-8", "aaaaaaaa-0000-4000-9"}, shortIDs([]string{listID, otherID})); diff != "" {
		t.Error(diff)
	}
}

// Conversations without a project are shown as that, not left out.
func TestCaseN08UnknownProject(t *testing.T) {
	t.Parallel()
	var rows []listed
	for i := range 117 {
		rows = append(rows, row(fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), func(l *listed) {
			switch {
			case i < 48:
				l.ProjectOrigin = "not recorded"
			case i == 48:
				l.ProjectOrigin = "none (print mode): only the product's own scratch folder is recorded"
			default:
				l.Project, l.ProjectName = new("/w/p"), new("p")
			}
		}))
	}
	var out bytes.Buffer
	writeTable(&out, rows, 120)
	if n, m := strings.Count(out.String(), "unknown project"), strings.Count(out.String(), "none (print mode)"); n != 48 || m != 1 || strings.Count(out.String(), "\n") != 118 {
		t.Errorf("%d unknown, %d none, of %d lines", n, m, strings.Count(out.String(), "\n"))
	}
	unknown := 0
	for i := range rows {
		if rows[i].belongsTo("unknown") {
			unknown++
		}
	}
	if unknown != 49 {
		t.Errorf("%d are unknown", unknown)
	}
}

// Text of a conversation cannot do anything to a terminal.
func TestCaseD04InertTable(t *testing.T) {
	t.Parallel()
	evil := "x\x1b[2J\x1b]0;t\x07\x08\r\u202ey\u2066\u00ad\x9b1m"
	var out bytes.Buffer
	writeTable(&out, []listed{row(evil, func(l *listed) { l.Title, l.ProjectName, l.Error = &evil, &evil, evil })}, 0)
	if strings.ContainsFunc(strings.ReplaceAll(out.String(), "\n", ""), unsafeRune) || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("%q", out.String())
	}
	if !strings.Contains(out.String(), "␛[2J") || !strings.Contains(out.String(), "<U+202E>") {
		t.Errorf("not shown: %q", out.String())
	}
}

func TestBelongsTo(t *testing.T) {
	t.Parallel()
	windows := listed{Project: new(`C:\Work\App`), ProjectName: new("App"), Workspaces: []string{`C:\Work\App`, `D:\More`}}
	unix := listed{Project: new("/home/me/App"), ProjectName: new("Shop"), Workspaces: []string{"/home/me/App"}}
	for _, tc := range []struct {
		project       string
		windows, unix bool
	}{
		{"app", true, true}, // the folder's name
		{"SHOP", false, true},
		{`c:\work\app\`, true, false},
		{"c:/work", true, false},
		{"C:/Wor", false, false},
		{"d:/more", true, false},
		{"file:///C:/Work/App", true, false},
		{"/home/me/App", false, true},
		{"/home/me/app", false, false},
		{"/home/me/", false, true},
		{"/", false, true},
		{"unknown", false, false},
		{"me", false, false},
	} {
		if windows.belongsTo(tc.project) != tc.windows || unix.belongsTo(tc.project) != tc.unix {
			t.Errorf("%s: %v, %v", tc.project, windows.belongsTo(tc.project), unix.belongsTo(tc.project))
		}
	}
}

func TestParseSince(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"": {}, "2026-11-01": time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), "2026-11-01T10:00:00+02:00": time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC),
		"2026-11-01 10:30": time.Date(2026, 11, 1, 10, 30, 0, 0, time.UTC), "90m": now.Add(-90 * time.Minute), "7d": now.Add(-7 * 24 * time.Hour), "2w": now.Add(-14 * 24 * time.Hour),
	} {
		if got, err := parseSince(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"yesterday", "-1h", "1.5d", "-3d", "2026-13-01", "99999999w", "d"} {
		if got, err := parseSince(text, now); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// storeWith makes a store with n conversations; size is how much each has in a step that no list needs.
func storeWith(t *testing.T, n, size int) string {
	t.Helper()
	root := t.TempDir()
	folder := filepath.Join(root, "conversations")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(folder, "00000000-0000-4000-8000-000000000000.db")
	if err := writeListed(first, size); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < n; i++ {
		path := filepath.Join(folder, fmt.Sprintf("%08x-0000-4000-8000-000000000000.db", i))
		if err := os.Link(first, path); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func writeListed(path string, size int) error {
	var payloads [][]byte
	for _, step := range []string{
		`{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`,
		`{"type": 15, "status": 3, "plannerResponse": {"response": "` + strings.Repeat("x", size) + `"}}`,
	} {
		payload, err := build.Encode(build.StepMessage, step)
		if err != nil {
			return err
		}
		payloads = append(payloads, payload)
	}
	c, err := build.NewConversation("id", "tr", payloads...)
	if err != nil {
		return err
	}
	return build.Database(path, c)
}

// Listing many big conversations takes little memory and no reading of them: 500 of 3 MB each here, 5,000 in the benchmark.
func TestCaseE03ListIsCheap(t *testing.T) {
	const conversations, each = 500, 400 << 10
	root := storeWith(t, conversations, 3<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	code, out, stderr := run(t, "list", "--json", "--root", root)
	runtime.ReadMemStats(&after)
	var rows []listed
	if err := json.Unmarshal([]byte(out), &rows); err != nil || code != 0 || len(rows) != conversations {
		t.Fatalf("code %d, %d rows, %v, %s", code, len(rows), err, stderr)
	}
	for _, row := range rows {
		if row.Steps == nil || *row.Steps != 2 || row.Title == nil || *row.Title != "Say hello" || row.TitleOrigin != "first prompt" {
			t.Fatalf("%+v", row)
		}
	}
	if n := (after.TotalAlloc - before.TotalAlloc) / conversations; n > each {
		t.Errorf("%d bytes allocated for each conversation, at most %d are all right", n, each)
	}
}

// A conversation no index knows is listed with the first prompt as its title, its project said to be unknown.
func TestCaseA07AbsentFromEveryIndex(t *testing.T) {
	t.Parallel()
	root := storeWith(t, 3, 10)
	if err := os.Mkdir(filepath.Join(root, "cache"), 0o755); err != nil {
		t.Fatal(err)
	}
	cache := `{"00000001-0000-4000-8000-000000000000": {"Title": "Known", "WorkspaceURIs": ["file:///w/known"]},
		"99999999-0000-4000-8000-000000000000": {"Title": "Deleted long ago"}}`
	if err := os.WriteFile(filepath.Join(root, "cache", "conversation_metadata.json"), []byte(cache), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ := run(t, "list", "--root", root)
	for line, want := range map[string]string{"00000000": "unknown project .*Say hello", "00000001": "known .*Known", "00000002": "unknown project .*Say hello"} {
		if !matches(out, "(?m)^"+line+"-.* "+want+"$") {
			t.Errorf("%s in\n%s", want, out)
		}
	}
	if strings.Contains(out, "99999999") {
		t.Errorf("an index is no list of conversations:\n%s", out)
	}
}

// A store that a newer product fills with files of another kind is not an empty one.
func TestCaseC01UnknownFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for i := range 12 {
		path := filepath.Join(root, "conversations", fmt.Sprintf("%08x-0000-4000-8000-000000000000.xyz", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text of an unknown kind"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, stderr := run(t, "list", "--root", root)
	if code != diag.Unsupported || out != "" || !strings.Contains(stderr, "0 recognised, 12 unknown files (.xyz)") {
		t.Errorf("code %d: %s%s", code, out, stderr)
	}
	if err := writeListed(filepath.Join(root, "conversations", "known.db"), 10); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = run(t, "list", "--root", root)
	if code != diag.Complete || stderr != "1 recognised, 12 unknown files (.xyz)\n" {
		t.Errorf("code %d: %s", code, stderr)
	}
	// An export says the same, and is refused where unknown things are.
	for _, tc := range []struct {
		flags []string
		code  int
		files int
	}{{nil, diag.Complete, 1}, {[]string{"--unknown", "fail"}, diag.Unsupported, 1}} {
		dir := filepath.Join(t.TempDir(), "out")
		code, _, stderr = run(t, append([]string{"convert", "--all", "--root", root, "--out", dir}, tc.flags...)...)
		files, err := filepath.Glob(filepath.Join(dir, "*known*.md"))
		if code != tc.code || !strings.Contains(stderr, "1 recognised, 12 unknown files (.xyz)") || len(files) != tc.files || err != nil {
			t.Errorf("%v: code %d, files %v: %s", tc.flags, code, files, stderr)
		}
	}
	if err := os.Remove(filepath.Join(root, "conversations", "known.db")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	code, _, stderr = run(t, "convert", "--all", "--root", root, "--out", dir)
	if _, err := os.Stat(dir); code != diag.Unsupported || err == nil || !strings.Contains(stderr, "0 recognised, 12 unknown files (.xyz)") {
		t.Errorf("nothing known: code %d, folder %v: %s", code, err, stderr)
	}
}

// The conversation of a print run is the newest one, or among the latest.
func TestCaseN02NewestAndSince(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for i := range 3 {
		path := filepath.Join(root, "conversations", fmt.Sprintf("%08x-0000-4000-8000-000000000000.db", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := writeListed(path, 10); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-time.Duration(i) * 24 * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for want, args := range map[string][]string{
		"0":   {"--newest", "1"},
		"01":  {"--since", "36h"},
		"012": {"--since", "7d", "--newest", "9"},
		"0 ":  {"--newest", "1", "--project", "unknown"},
	} {
		_, out, _ := run(t, append([]string{"list", "--root", root, "--json"}, args...)...)
		var rows []listed
		if err := json.Unmarshal([]byte(out), &rows); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, row := range rows {
			got += row.ID[7:8]
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("%v: %s, want %s", args, got, want)
		}
	}
}

func matches(text, pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) }

// A store that cannot be listed is named, and takes nothing from the others: neither from the list nor from an export, which
// then does not think that anything is gone.
func TestCaseB07UnreadableStore(t *testing.T) {
	t.Parallel()
	good, bad := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(good, "conversations", "good.db"), filepath.Join(bad, "conversations", "bad.db")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), writeListed(name, 10)); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := run(t, "convert", "--all", "--root", bad, "--root", good, "--out", dir); code != diag.Complete {
		t.Fatalf("code %d: %s", code, stderr)
	}
	folder := filepath.Join(bad, "conversations")
	if err := errors.Join(os.RemoveAll(folder), os.WriteFile(folder, nil, 0o600)); err != nil { // permissions bind no root
		t.Fatal(err)
	}
	roots := []string{"--root", bad, "--root", good}
	for _, args := range [][]string{append([]string{"list"}, roots...), append([]string{"convert", "--all", "--verbose", "--out", dir}, roots...)} {
		code, out, stderr := run(t, args...)
		if code != diag.Unreadable || strings.Count(stderr, "list "+folder) != 1 || !strings.Contains(out+stderr, "good") || strings.Contains(stderr, "no longer in the stores") {
			t.Errorf("%v: code %d: %s%s", args, code, out, stderr)
		}
	}
	// What is found is found; what is not may lie in what cannot be listed.
	for id, want := range map[string]int{"good": diag.Complete, "nowhere": diag.Unreadable} {
		args := append(append([]string{"convert", "--out", t.TempDir()}, roots...), id)
		if code, _, stderr := run(t, args...); code != want || strings.Contains(stderr, folder) != (want != diag.Complete) {
			t.Errorf("%v: code %d: %s", args, code, stderr)
		}
	}
}
