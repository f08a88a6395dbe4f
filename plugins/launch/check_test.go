//go:build unix

package launch_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/plugins/launch"
	"agy-reader/sinks"
)

func TestFilesThatAreNotRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		content  string
		mode     os.FileMode
		dirMode  os.FileMode
		text     string
		wantHint string
	}{
		{"not executable", "#!/bin/sh\n", 0o644, 0o755, "is not executable; run chmod +x on it", ""},
		{"world-writable", "#!/bin/sh\n", 0o757, 0o755, "may be changed by every user of this machine", "chmod o-w"},
		{"in a world-writable folder", "#!/bin/sh\n", 0o755, 0o777, "lies in a folder every user of this machine may change", "move it"},
		{"no program", "\x7fELF is what it is not", 0o755, 0o755, "is not a program this machine can run", "#!"},
		{"script without a first line", "echo hello\n", 0o755, 0o755, "is not a program this machine can run", "#!"},
		{"empty", "", 0o755, 0o755, "is not a program this machine can run", ""},
		{"missing interpreter", "#!/no/such/interpreter\n", 0o755, 0o755, "the interpreter or loader it asks for is missing", ""},
		{"interpreter that may not run", "#!/etc/passwd\n", 0o755, 0o755, "no permission", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "d")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "plug")
			if err := os.WriteFile(file, []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Chmod(file, tt.mode), os.Chmod(dir, tt.dirMode)); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(file, link); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{file, link} {
				checkStart(t, path, tt.text)
				checkStart(t, path, tt.wantHint)
			}
		})
	}
	t.Run("not there", func(t *testing.T) {
		t.Parallel()
		checkStart(t, filepath.Join(t.TempDir(), "plug"), "there is no file /")
	})
	t.Run("a folder", func(t *testing.T) {
		t.Parallel()
		checkStart(t, t.TempDir(), "is not a file")
	})
}

func checkStart(t *testing.T, path, text string) {
	t.Helper()
	p, err := launch.Start(t.Context(), launch.Command{Path: path}, launch.Options{})
	if err == nil {
		p.Close()
		t.Fatal("it was started")
	}
	if !errors.Is(err, sinks.ErrPlugin) || !strings.Contains(err.Error(), "plugin "+filepath.Base(path)+": it cannot be started: ") ||
		!strings.Contains(err.Error(), text) {
		t.Errorf("%v; want in it %q", err, text)
	}
}
