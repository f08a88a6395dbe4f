package facts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/proto/agyreader/fileuri"
	"agy-reader/sources/interpret"
)

// A line of five megabytes costs itself only.
func TestCaseE08LongHistoryLine(t *testing.T) {
	t.Parallel()
	line := func(n string) string { return `{"workspace": "/w/` + n + `", "conversationId": "c-` + n + `"}` + "\n" }
	history := line("1") + line("2") + `{"display": "` + strings.Repeat("x", 5<<20) + `", "conversationId": "c-long"}` + "\n" + "no json\r\n"
	for _, n := range strings.Fields("5 6 7 8 9 10 11 12 13") {
		history += line(n)
	}
	history += strings.TrimSuffix(line("14"), "\n")
	x := storeOf(t, map[string]string{historyFile: history})
	for _, n := range strings.Fields("1 2 5 6 7 8 9 10 11 12 13 14") {
		if p := x.Project(header("c-" + n)); p.Path != "/w/"+n || p.Origin != historyFile {
			t.Errorf("line %s: %+v", n, p)
		}
	}
	want := []string{
		"history.jsonl: limit exceeded: line 3 has more than 1048576 bytes and is left out",
		"history.jsonl: the conversation is not whole: line 4 is no JSON",
	}
	if diff := cmp.Diff(want, x.Notes()); diff != "" {
		t.Error(diff)
	}
}

// Nobody guesses a project from the files a conversation touched: what is not recorded is unknown.
func TestCaseH03NoCommonAncestor(t *testing.T) {
	t.Parallel()
	x := storeOf(t, nil)
	h := header(one)
	h.Project.Value = "outside-of-project"
	x.Describe(h)
	if h.GetProject().GetValue() != "" || h.GetProject().GetOrigin() != "outside of any project" {
		t.Errorf("project %v", h.GetProject())
	}
	h = header(one)
	h.Project.Value = "default-cli-project"
	x.Describe(h)
	if h.GetProject().GetValue() != "" || h.GetProject().GetOrigin() != "not recorded" {
		t.Errorf("project %v", h.GetProject())
	}
}

// The scratch folder of print mode is never shown as a project; a real workspace in the database is.
func TestCaseH04PrintMode(t *testing.T) {
	t.Parallel()
	x := storeOf(t, nil)
	for _, tc := range []struct{ uri, project, origin string }{
		{"file:///home/u/.gemini/antigravity-cli/scratch", "", originScratch},
		{"file:///home/u/.gemini/antigravity-cli/brain/" + one + "/scratch", "", originScratch},
		{"file:///C:/Users/u/.gemini/antigravity%20CLI/scratch/x", "", originScratch},
		{"file://" + x.files.path + "/scratch", "", originScratch},
		{"file:///home/u/work", "/home/u/work", "database"},
		{"file:///home/u/.gemini/antigravityish-notes", "/home/u/.gemini/antigravityish-notes", "database"},
	} {
		h := header(one, tc.uri)
		x.Describe(h)
		if h.GetProject().GetValue() != tc.project || h.GetProject().GetOrigin() != tc.origin {
			t.Errorf("%s: %v", tc.uri, h.GetProject())
		}
	}
	h := header(one, "file:///home/u/.gemini/antigravity/playground/x")
	h.Surface = "ide"
	if x.Describe(h); h.GetProject().GetValue() != "" || h.GetProject().GetOrigin() != originOwn {
		t.Errorf("of another product: %v", h.GetProject())
	}
	h = header(one, "file:///home/u/.gemini/antigravity-cli/scratch", "file:///home/u/work")
	if x.Describe(h); h.GetProject().GetValue() != "/home/u/work" {
		t.Errorf("beside a scratch folder: %v", h.GetProject())
	}
}

// A URI is decoded once; what is on another machine stays as it is written.
func TestCaseH05URIs(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"file:///C:/x%20y":                        "C:/x y",
		"file:///c%3A/Users/me":                   "c:/Users/me",
		"file:///home/me/100%2525":                "/home/me/100%25",
		"file:///home/me/%zz":                     "/home/me/%zz",
		"file:///home/me/%ff":                     "/home/me/%ff",
		"file://localhost/srv":                    "/srv",
		"file://wsl.localhost/Ubuntu/home/u":      "//wsl.localhost/Ubuntu/home/u",
		"vscode-remote://wsl+Ubuntu/home/u/x%20y": "vscode-remote://wsl+Ubuntu/home/u/x%20y",
		`C:\Users\me`:                             `C:\Users\me`,
		"/already/a%20path":                       "/already/a%20path",
		"":                                        "",
		"file://":                                 "file://",
		"file:///":                                "/",
		"file:///home/%E4%BF%AE%F0%9F%91%A9%E2%80%8D": "/home/修👩\u200d",
	} {
		if got := fileuri.Path(uri); got != want {
			t.Errorf("%s is %q, want %q", uri, got, want)
		}
	}
	h := header(one, "vscode-remote://wsl+Ubuntu/home/u/x%20y")
	storeOf(t, nil).Describe(h)
	if h.GetProject().GetValue() != "vscode-remote://wsl+Ubuntu/home/u/x%20y" || h.GetResumeCommand() != "agy --conversation "+one {
		t.Errorf("%v, %s", h.GetProject(), h.GetResumeCommand())
	}
}

// A title is what the person typed, without the blocks the product puts around it.
func TestCaseN04PromptWithoutWrapper(t *testing.T) {
	t.Parallel()
	const meta = "<ADDITIONAL_METADATA>\nThe current local time is: 2026\n</ADDITIONAL_METADATA>"
	for prompt, want := range map[string]string{
		"<USER_REQUEST>\nfix it\n</USER_REQUEST>\n" + meta:                         "fix it",
		"fix it\n" + meta + "\n<USER_SETTINGS_CHANGE>\nm\n</USER_SETTINGS_CHANGE>": "fix it",
		meta + "\nfix it": "fix it",
		"<USER_REQUEST>\nwhat does </USER_REQUEST> mean?\n</USER_REQUEST>\n" + meta: "what does </USER_REQUEST> mean?",
		"what does </USER_REQUEST> mean?":                                           "what does </USER_REQUEST> mean?",
		"what is <ADDITIONAL_METADATA> for?":                                        "what is <ADDITIONAL_METADATA> for?",
		"<USER_REQUEST>\nnever ends":                                                "never ends",
		"say <ADDITIONAL_METADATA>a</ADDITIONAL_METADATA> b":                        "say <ADDITIONAL_METADATA>a</ADDITIONAL_METADATA> b",
	} {
		if got := text(interpret.PromptText(prompt)); got != want {
			t.Errorf("%q is %q, want %q", prompt, got, want)
		}
	}
	x := storeOf(t, map[string]string{metadataFile: `{"` + one + `": {"Preview": "<USER_REQUEST>\nfix it\n</USER_REQUEST>\n<ADDITIONAL_METADATA>"}}`})
	h := header(one)
	h.Title = nil
	if x.Describe(h); h.GetTitle().GetValue() != "fix it" {
		t.Errorf("title %v", h.GetTitle())
	}
}
