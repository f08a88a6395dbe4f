package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"agy-reader/host/cli"
	"agy-reader/host/demo"
)

// One root: the line that the reference promised. Several: the surface behind it.
func TestReferenceN03ListLines(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	clean(t, filepath.Join(one, "conversations", "aaaa1111.db"))
	clean(t, filepath.Join(two, "conversations", "bbbb2222.db"))
	if err := os.WriteFile(filepath.Join(two, "antigravity_state.pbtxt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	line := `[ *] [ab12]{8}  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)  \(conversations\)`
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--root", one, "--list"}, "^" + line + "\n$"},
		{[]string{"--root", one, "--root", two, "--list"}, "^" + line + "  (cli|ide)\n" + line + "  (cli|ide)\n$"},
	} {
		code, out, said := cli.Command(t, tc.args...)
		if code != 0 || !regexp.MustCompile(tc.want).MatchString(out) || said != "\n(* = sidecar present)\n" {
			t.Errorf("%v: exit code %d\n%s%q", tc.args, code, out, said)
		}
	}
}

// A path that exists is refused, a link too, whether it leads somewhere or not.
func TestReferenceN83ExportRefusesWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	session, target := filepath.Join(dir, "s.db"), filepath.Join(dir, "target")
	clean(t, session)
	if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	outs := []string{target}
	for name, to := range map[string]string{"link.md": target, "dangling.md": filepath.Join(dir, "nothing")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			if runtime.GOOS == "windows" {
				continue
			}
			t.Fatal(err)
		}
		outs = append(outs, filepath.Join(dir, name))
	}
	for _, out := range outs {
		if code, text, said := cli.Command(t, "export-offline", "--out", out, session); code != 1 || text != "" || !strings.HasPrefix(said, "agy-reader: ") {
			t.Errorf("%s: exit code %d, %q, %s", out, code, text, said)
		}
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "nothing")); err == nil {
		t.Error("written through a link")
	}
}

// A session without steps has an empty list of them.
func TestReferenceN85EmptySession(t *testing.T) {
	t.Parallel()
	session := filepath.Join(t.TempDir(), "s.db")
	if err := writeSession(session); err != nil {
		t.Fatal(err)
	}
	code, out, said := cli.Command(t, "export-offline", "--format", "json", session)
	var got struct{ Steps json.RawMessage }
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || !bytes.Equal(got.Steps, []byte("[]")) {
		t.Errorf("exit code %d, %s\n%s", code, out, said)
	}
	if code, out, said := cli.Command(t, "export-offline", session); code != 0 || !strings.Contains(out, "without a running agent") {
		t.Errorf("exit code %d, %s\n%s", code, out, said)
	}
}

// What the decoder does not know is an error, and no file is written.
func TestReferenceN86UnknownFieldNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	session := filepath.Join(dir, "s.db")
	if err := os.WriteFile(session, demo.Database(), 0o600); err != nil { // it holds a field that no profile knows
		t.Fatal(err)
	}
	for _, format := range []string{"md", "json"} {
		out := filepath.Join(dir, "out."+format)
		code, text, said := cli.Command(t, "export-offline", "--format", format, "--out", out, session)
		if code != 1 || text != "" || !strings.Contains(said, "does not know") {
			t.Errorf("%s: exit code %d, %q, %s", format, code, text, said)
		}
		if _, err := os.Lstat(out); err == nil {
			t.Errorf("%s was written", out)
		}
	}
}
