package facts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/store"
)

func TestProjectOrder(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"../config/projects/p-own.json":   `{"id": "p-own", "name": "Own Name", "projectResources": {"resources": [{"gitFolder": {"folderUri": "file:///p/own"}}, {"folderUri": "file:///p/second"}]}}`,
		"../config/projects/p-third.json": `{"name": "Third", "projectResources": {"resources": [{"folderUri": "file:///c%3A/third"}]}}`,
		"../config/projects/p-empty.json": `{"name": "No folder", "projectResources": {}}`,
		"../config/projects/p-bad.json":   `{"name": [`,
		projectsFile:                      `{"/named": "p-empty", "/x": 3}`,
		historyFile:                       `{"workspace": "/from/history", "conversationId": "` + one + `"}` + "\n" + `{"workspace": "/second", "conversationId": "` + one + `"}`,
		lastFile:                          `{"/from/last": "` + two + `", "/a/number": 7}`,
		"conversations/acp.meta":          `{"cwd": "/from/acp"}`,
		metadataFile:                      `{"meta": {"WorkspaceURIs": ["file:///from/metadata"], "ProjectID": "p-third"}, "id-only": {"ProjectID": "p-empty"}}`,
	}
	x := storeOf(t, files)
	for _, tc := range []struct {
		name, id, own string
		workspaces    []string
		want          Project
	}{
		{"the database", one, "p-own", []string{"file:///w/a", "file:///w/b", "file:///w/a/"}, Project{"/w/a", "Own Name", "database", []string{"/w/a", "/w/b"}}},
		{"the project's own folder", one, "p-own", nil, Project{"/p/own", "Own Name", "project id (database)", []string{"/p/own", "/p/second"}}},
		{"the project an index has", "meta", "", nil, Project{"c:/third", "Third", "project id (" + metadataFile + ")", []string{"c:/third"}}},
		{"an ACP server's folder", "acp", "", nil, Project{"/from/acp", "acp", "session file (.meta)", []string{"/from/acp"}}},
		{"history", one, "default-cli-project", nil, Project{"/from/history", "history", historyFile, []string{"/from/history", "/second"}}},
		{"the last conversation of a folder", two, "", nil, Project{"/from/last", "last", lastFile, []string{"/from/last"}}},
		{"only a name", "id-only", "", nil, Project{"", "No folder", "name of the project's id", nil}},
		{"a folder with a known name", "x", "", []string{"file:///named"}, Project{"/named", "No folder", "database", []string{"/named"}}},
		{"a broken project file", "x", "p-bad", nil, Project{Origin: "not recorded"}},
		{"a project id that is a path", "x", "../../etc", nil, Project{Origin: "not recorded"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := header(tc.id, tc.workspaces...)
			h.Project.Value = tc.own
			if diff := cmp.Diff(tc.want, x.Project(h)); diff != "" {
				t.Error(diff)
			}
			if x.Describe(h); h.GetProject().GetValue() == "" && h.GetProject().GetOrigin() == "" {
				t.Errorf("unknown without saying so: %v", h.GetProject())
			}
		})
	}
	if notes := x.Notes(); len(notes) != 1 {
		t.Errorf("notes %q", notes)
	}
}

func TestResumeCommand(t *testing.T) {
	t.Parallel()
	x := storeOf(t, nil)
	for _, tc := range []struct{ name, id, workspace, surface, source, want string }{
		{"plain", one, "file:///home/me/work", "cli", "sqlite", "cd /home/me/work && agy --conversation " + one},
		{"blanks and quotes", one, "file:///home/it's%20me", "cli", "sqlite", `cd '/home/it'\''s me' && agy --conversation ` + one},
		{"command substitution", one, "file:///$(rm%20-rf%20~)", "cli", "sqlite", "cd '/$(rm -rf ~)' && agy --conversation " + one},
		{"Windows", one, "file:///c%3A/Users/a%20b", "cli", "sqlite", `cd /d "c:\Users\a b" && agy --conversation ` + one},
		{"a share", one, "file://srv/x%20y", "cli", "sqlite", `pushd "\\srv\x y" && agy --conversation ` + one},
		{"cmd cannot quote it", one, "file:///c:/%25PATH%25", "cli", "sqlite", "agy --conversation " + one},
		{"a line break", one, "file:///a%0Arm", "cli", "sqlite", "agy --conversation " + one},
		{"no folder", one, "", "cli", "sqlite", "agy --conversation " + one},
		{"a strange id", "a b;c", "file:///w", "cli", "sqlite", "cd /w && agy --conversation 'a b;c'"},
		{"an id like a flag", "--help", "file:///w", "cli", "sqlite", ""},
		{"another product", one, "file:///w", "ide", "sqlite", ""},
		{"logs only", one, "file:///w", "cli", "mirror", ""},
	} {
		h := header(tc.id, tc.workspace)
		h.Surface, h.Provenance.Source = tc.surface, tc.source
		if x.Describe(h); h.GetResumeCommand() != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, h.GetResumeCommand(), tc.want)
		}
	}
}

func TestComparable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{`C:\Users\Me\`, "c:/users/me", true},
		{"/home/me/", "/home/me", true},
		{"/home/Me", "/home/me", false},
		{`\\srv\Share`, "//SRV/share/", true},
		{"/", "", false},
	} {
		if (Comparable(tc.a) == Comparable(tc.b)) != tc.same {
			t.Errorf("%s, %s", tc.a, tc.b)
		}
	}
	for path, want := range map[string]string{`C:\Users\Me\`: "Me", "/home/me/x y": "x y", "/": "/", "vscode-remote://wsl+U/home/p": "p"} {
		if got := Base(path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// The store knows a conversation by its file; what cannot be gone on with has no command for that.
func TestDescriber(t *testing.T) {
	t.Parallel()
	x := storeOf(t, map[string]string{metadataFile: `{"` + one + `": {"Title": "by the file"}, "` + two + `": {"Title": "by the database"}}`})
	for _, tc := range []struct {
		bucket, path, want string
	}{
		{store.Conversations, "x.db", "agy --conversation " + one},
		{store.Implicit, "x.pb", ""},
		{"brain", "", ""},
	} {
		h := header(two)
		x.Describer(store.Session{ID: one, Root: store.Root{Path: x.files.path}, Bucket: tc.bucket, Path: tc.path})(h)
		if h.GetTitle().GetValue() != "by the file" || h.GetResumeCommand() != tc.want {
			t.Errorf("%s: %v, %s", tc.bucket, h.GetTitle(), h.GetResumeCommand())
		}
	}
}

// A project file with very many folders costs no more than its size.
func TestProjectOfManyFolders(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	file.WriteString(`{"name":"p","projectResources":{"resources":[{}`)
	for i := range 200_000 {
		fmt.Fprintf(&file, `,{"folderUri":"file:///w/%d"}`, i)
	}
	file.WriteString(`]}}`)
	start := time.Now()
	p, err := parseProject([]byte(file.String()))
	if err != nil || len(p.Workspaces) != maxFolders || p.Workspaces[0] != "/w/0" {
		t.Fatalf("%d folders, %v", len(p.Workspaces), err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
