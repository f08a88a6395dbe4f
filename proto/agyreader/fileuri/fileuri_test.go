package fileuri_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agy-reader/proto/agyreader/fileuri"
)

func TestPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		uri, want string
	}{
		{"file:///home/me/a.go", "/home/me/a.go"},
		{"file:///C:/x%20y", "C:/x y"},
		{"file:///c%3A/Users/me", "c:/Users/me"},
		{`file:///C:\x`, `C:\x`},
		{"file:///C:", "C:"},
		{"file://C:/x", "C:/x"},
		{`file://C:\x`, `C:\x`},
		{"file:///a:b", "/a:b"},
		{"file:///home/me/100%2525", "/home/me/100%25"},
		{"file://localhost/srv", "/srv"},
		{"file://wsl.localhost/Ubuntu/home/u", "//wsl.localhost/Ubuntu/home/u"},
		{"file://host", "//host/"},
		{"file:/x", "/x"},
		{"FILE:///x", "/x"},
		{"file:///", "/"},
		{"file://", "file://"},
		{"file:", "file:"},
		{"file:x", "file:x"},
		{"file: x", "file: x"},
		{"file:///home/me/%zz", "/home/me/%zz"},
		{"file:///home/me/%ff", "/home/me/%ff"},
		{"vscode-remote://wsl+Ubuntu/home/me/x%20y", "vscode-remote://wsl+Ubuntu/home/me/x%20y"},
		{"/home/me/x%20y", "/home/me/x%20y"},
		{"", ""},
	} {
		if got := fileuri.Path(tt.uri); got != tt.want {
			t.Errorf("Path(%q) = %q, want %q", tt.uri, got, tt.want)
		}
	}
}

func FuzzPath(f *testing.F) {
	f.Add("file:///C:/x%20y")
	f.Add("file://h/%2525")
	f.Add("file://C:")
	f.Fuzz(func(t *testing.T, uri string) {
		path := fileuri.Path(uri)
		if path == uri {
			return
		}
		if utf8.ValidString(uri) && !utf8.ValidString(path) {
			t.Errorf("%q became %q, which is no text", uri, path)
		}
		if !strings.HasPrefix(path, "/") && !fileuri.IsDrive(path) {
			t.Errorf("%q became %q, which is not absolute", uri, path)
		}
	})
}
