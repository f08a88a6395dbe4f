package archive_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/demo/build"
)

// A conversation of Windows, with its paths, gives the bytes that are committed here, whatever system this runs on, and all
// of it can be read.
func TestCaseA11WindowsPaths(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.write(1, [][]byte{
		s.step(`{"type": 14, "status": 3, "userInput": {"userResponse": "Look at C:\\Users\\Jane Doe\\app\\main.go"}}`),
		s.step(`{"type": 8, "status": 3, "viewFile": {"absolutePathUri": "file:///c:/Users/Jane%20Doe/app/main.go", "startLine": 0, "endLine": 1, "content": "package main\r\n\r\nfunc main() {}\r\n", "numLines": 3}}`),
		s.step(`{"type": 21, "status": 3, "runCommand": {"commandLine": "dir C:\\Users", "cwd": "C:\\Users\\Jane Doe\\app", "exitCode": 0, "combinedOutput": {"full": "Volume in drive C has no label.\r\n"}}}`),
		s.step(`{"type": 15, "status": 3, "plannerResponse": {"response": "It is in \\\\server\\share\\app, too."}}`),
	}, func(c *build.Conversation) {
		var err error
		if c.Metadata, err = build.Encode("exa.cortex_pb.CortexTrajectoryMetadata", `{"createdAt": "2026-05-02T10:00:00Z", "workspaceUris": ["file:///c%3A/Users/Jane%20Doe/app"]}`); err != nil {
			t.Fatal(err)
		}
	})
	dir := t.TempDir()
	export(t, s.options(dir, "markdown", "html", "json"))
	const base = "2026-05-02-look-at-c-users-jane-doe-app-main-go-00000001"
	for _, suffix := range []string{".md", ".html", ".trajectory.json"} {
		text := read(t, dir, base+suffix)
		for _, want := range []string{"Jane Doe", "func main() {}", "Volume in drive C", "server"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", suffix, want)
			}
		}
	}
	golden := filepath.Join("testdata", "windows.md")
	got := read(t, dir, base+".md")
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, golden); got != want {
		t.Errorf("it differs from %s; run with -update and review:\n%s", golden, got)
	}
}
