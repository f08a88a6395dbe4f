package interpret

import (
	"testing"

	"agy-reader/proto/agyreader/fileuri"
)

func TestPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, uri, path, base, language string }{
		{"unix", "file:///w/a.go", "/w/a.go", "a.go", "go"},
		{"windows", "file:///C:/w/a.py", "C:/w/a.py", "a.py", "python"},
		{"windows, encoded", "file:///c%3A/my%20dir/a.ts", "c:/my dir/a.ts", "a.ts", "typescript"},
		{"broken escape", "file:///w/%zz.go", "/w/%zz.go", "%zz.go", "go"},
		{"escape that is no text", "file:///w/%ff.go", "/w/%ff.go", "%ff.go", "go"},
		{"plain path", `C:\w\Makefile`, `C:\w\Makefile`, "Makefile", "makefile"},
		{"web", "https://go.dev/x", "https://go.dev/x", "x", ""},
		{"directory", "file:///w/dir/", "/w/dir/", "dir", ""},
		{"nothing", "", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := fileuri.Path(tt.uri); got != tt.path {
				t.Errorf("path %q, want %q", got, tt.path)
			}
			if got := baseOf(tt.uri); got != tt.base {
				t.Errorf("base %q, want %q", got, tt.base)
			}
			if got := languageOf(tt.uri); got != tt.language {
				t.Errorf("language %q, want %q", got, tt.language)
			}
		})
	}
}

func TestURIOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, want string }{
		{"/w/a.go", "file:///w/a.go"},
		{"/w/my file.go", "file:///w/my%20file.go"},
		{`C:\w\a.go`, "file:///C:/w/a.go"},
		{"relative/a.go", "relative/a.go"},
		{"file:///w/a.go", "file:///w/a.go"},
		{"", ""},
	} {
		if got := uriOf(tt.path); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.path, got, tt.want)
		}
	}
}
