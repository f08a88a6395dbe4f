package endpoint

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"agy-reader/host/corpus"
	"agy-reader/sources/daemon"
)

// Real logs of the IDE: the newest start counts, with the token of the very server that chose the port.
func TestCorpusIDELogs(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	logs := filepath.Join(home, ".config", "Antigravity", "logs")
	f := New(testEnvironment(home, nil))
	f.goos = "linux"
	l, err := f.stampedLog(logs)
	if err != nil || l.port != 43973 || l.start.token.Reveal() != "00000000-0000-4000-8000-0000000c5f00" || l.start.store != "antigravity" {
		t.Errorf("%+v, %v", l, err)
	}
	if err := os.Remove(filepath.Join(logs, "20260408T232021", "ls-main.log")); err != nil {
		t.Fatal(err)
	}
	if l, err := f.stampedLog(logs); err != nil || l.port != 34889 {
		t.Errorf("without the newest: %+v, %v", l, err)
	}
	root := filepath.Join(home, ".gemini", "antigravity-cli")
	if err := os.Rename(filepath.Join(root, "log", "cli.log"), filepath.Join(root, "cli.log")); err != nil {
		t.Fatal(err)
	}
	dir, err := resolved(root)
	if err != nil {
		t.Fatal(err)
	}
	log, err := f.openLog(dir, "cli.log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if port, is := log.port(); port != 63097 || !is {
		t.Errorf("cli.log names %d", port)
	}
}

// writeLogs writes files below the log folder of a home directory.
func writeLogs(t *testing.T, home string, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(home, ".config", "Antigravity", "logs")
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const (
	portLine  = "I0526 13:14:00.866371 95191 server.go:494] Language server listening on random port at 5555 for HTTP\n"
	spawnLine = "2026-05-26 13:13:59.000 [info] Spawning: /opt/Antigravity/language_server --standalone "
	argsLine  = "2026-05-26 13:13:59.000 [info] [LS Main] Args: "
)

// A longer flag is not the flag.
func TestReferenceN26TokenFile(t *testing.T) {
	t.Parallel()
	folder := writeLogs(t, t.TempDir(), map[string]string{
		"language_server.log": portLine, "main.log": spawnLine + "--csrf_token T\n" + spawnLine + "--csrf_token_file /tmp/f\n" + spawnLine + "--extension_server_csrf_token U\n",
	})
	if l, err := New(testEnvironment("", nil)).flatLogs(folder); err != nil || l.port != 5555 || l.start.token != daemon.NewToken("T") {
		t.Errorf("%+v, %v", l, err)
	}
}

// A start without a value: an earlier one counts.
func TestReferenceN27EarlierStart(t *testing.T) {
	t.Parallel()
	for _, broken := range []string{"--csrf_token --app_data_dir antigravity\n", "--csrf_token\n", "--csrf_token= --app_data_dir antigravity\n", "--csrf_token"} {
		folder := writeLogs(t, t.TempDir(), map[string]string{
			"language_server.log": portLine, "main.log": spawnLine + "--csrf_token S\n" + spawnLine + "--csrf_token=T --app_data_dir antigravity\n" + spawnLine + broken,
		})
		if l, err := New(testEnvironment("", nil)).flatLogs(folder); err != nil || l.start.token != daemon.NewToken("T") || l.start.store != "antigravity" {
			t.Errorf("%q: %+v, %v", broken, l, err)
		}
	}
	folder := writeLogs(t, t.TempDir(), map[string]string{"language_server.log": portLine})
	if l, err := New(testEnvironment("", nil)).flatLogs(folder); err != nil || l.start.token.Known() {
		t.Errorf("without main.log: %+v, %v", l, err)
	}
}

// The token is of the start that the port belongs to.
func TestStampedPairing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ log, want string }{
		"one start":                   {argsLine + "--csrf_token T\n" + portLine, "T"},
		"a restart":                   {argsLine + "--csrf_token S\n" + strings.Replace(portLine, "5555", "4444", 1) + argsLine + "--csrf_token T\n" + portLine, "T"},
		"a restart without port yet":  {argsLine + "--csrf_token S\n" + portLine + argsLine + "--csrf_token T\n", "S"},
		"a restart without arguments": {argsLine + "--csrf_token S\n" + strings.Replace(portLine, "5555", "4444", 1) + portLine, ""},
		"no value":                    {argsLine + "--csrf_token S\n" + argsLine + "--csrf_token --app_data_dir antigravity\n" + portLine, ""},
		"no arguments":                {portLine, ""},
		"arguments too far back":      {argsLine + "--csrf_token S\n" + strings.Repeat(strings.Repeat("x", 1<<10)+"\n", 20<<10) + portLine, ""},
	} {
		folder := writeLogs(t, t.TempDir(), map[string]string{"20260408T210521/ls-main.log": test.log, "20260508T210521/main.log": "", "old/ls-main.log": portLine})
		if l, err := New(testEnvironment("", nil)).stampedLog(folder); err != nil || l.port != 5555 || l.start.token != daemon.NewToken(test.want) {
			t.Errorf("%s: %+v, token %q, %v", name, l, l.start.token.Reveal(), err)
		}
	}
	if _, err := New(testEnvironment("", nil)).stampedLog(writeLogs(t, t.TempDir(), map[string]string{"20260408T210521/ls-main.log": argsLine + "\n"})); err == nil || !strings.Contains(err.Error(), "no active HTTP daemon port found in") {
		t.Error(err)
	}
}

// A log of the IDE that leads out of its folder, or is another user's, does not count.
func TestForgedIDELog(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	home := t.TempDir()
	folder := writeLogs(t, home, map[string]string{"../elsewhere.log": argsLine + "--csrf_token T\n" + portLine, "20260408T210521/x": ""})
	for _, name := range []string{"language_server.log", "20260408T210521/ls-main.log"} {
		if err := os.Symlink(filepath.Join(folder, "..", "elsewhere.log"), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	f := New(testEnvironment(home, nil))
	if l, err := f.flatLogs(folder); err == nil {
		t.Errorf("%+v", l)
	}
	if l, err := f.stampedLog(folder); err == nil {
		t.Errorf("%+v", l)
	}
}
