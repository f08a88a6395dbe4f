package endpoint

import (
	"strings"
	"testing"

	"agy-reader/host/store"
)

func testEnvironment(home string, variables map[string]string) store.Environment {
	return store.Environment{Home: home, Getenv: func(name string) string { return variables[name] }}
}

func TestLogFolders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		goos, surface, home string
		variables           map[string]string
		want                string
	}{
		{"linux", "ide", "/home/u", nil, "/home/u/.config/Antigravity/logs"},
		{"linux", "ide", "/home/u", map[string]string{"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Antigravity/logs"},
		{"linux", "ide", "/home/u", map[string]string{"XDG_CONFIG_HOME": "relative"}, "/home/u/.config/Antigravity/logs"},
		{"linux", "ide2", "/home/u", nil, "/home/u/.config/Antigravity IDE/logs /home/u/.config/Antigravity/logs"},
		{"linux", "ide", "", nil, ""},
		{"darwin", "ide", "/Users/u", map[string]string{"XDG_CONFIG_HOME": "/cfg"}, "/Users/u/Library/Application Support/Antigravity/logs"},
		{"windows", "ide", `C:\Users\u`, map[string]string{"AppData": `C:\Users\u\AppData\Roaming`}, `C:\Users\u\AppData\Roaming\Antigravity\logs`},
		{"windows", "ide", `C:\Users\u`, nil, `C:\Users\u\AppData\Roaming\Antigravity\logs`},
		{"windows", "ide", "", nil, ""},
	} {
		if got := strings.Join(logFolders(test.goos, test.surface, testEnvironment(test.home, test.variables)), " "); got != test.want {
			t.Errorf("%s %s: %s, not %s", test.goos, test.surface, got, test.want)
		}
	}
}

func TestReadPin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		address  string
		port     int
		loopback bool
	}{
		"http://127.0.0.1:5":      {"127.0.0.1:5", 5, true},
		"http://localhost:5/":     {"localhost:5", 5, true},
		"http://LOCALHOST:5":      {"localhost:5", 5, true},
		"http://127.0.0.1:5/path": {"127.0.0.1:5", 0, true},
		"http://u:p@127.0.0.1:5":  {"127.0.0.1:5", 0, true},
		"http://127.0.0.1:5?q":    {"127.0.0.1:5", 0, true},
		"https://127.0.0.1:5":     {"127.0.0.1:5", 0, true},
		"http://[::1]:5":          {"[::1]:5", 0, true},
		"http://example.com":      {"example.com:80", 0, false},
		"https://example.com":     {"example.com:443", 0, false},
		"http://127.0.0.1":        {"127.0.0.1:80", 0, true},
	} {
		if p, err := readPin(text); err != nil || p.address != want.address || p.port != want.port || p.loopback != want.loopback {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
	for _, text := range []string{"127.0.0.1:5", "ftp://h", "http://", "http://u:secret@h:x", "secret\x00"} {
		if _, err := readPin(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
