package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agy-reader/host/audit/record"
)

// agySays puts an agy on PATH, which is nothing else, that runs a shell script.
func agySays(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agy of this test is a shell script")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if err := os.WriteFile(filepath.Join(dir, "agy"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil { //nolint:gosec // a program must be executable
		t.Fatal(err)
	}
}

func TestVersion(t *testing.T) {
	long := strings.Repeat("é", 90)
	for _, tc := range []struct{ name, script, want, err string }{
		{"a version", `[ "$1" = --version ] && echo 1.2.14`, "1.2.14", ""},
		{"more lines", "echo '  1.2.14 '; echo 'built today'", "1.2.14", ""},
		{"a long line", "echo " + long, strings.Repeat("é", 80) + "…", ""},
		{"hostile", `printf '\033[31m1.2.14\007\n'`, "\x1b[31m1.2.14\a", ""},
		{"nothing", "exit 0", "", "says nothing"},
		{"an empty line", "echo; echo 1.2.14", "", "says nothing"},
		{"failure", "echo 1.2.14; exit 3", "", "exit status 3"},
		{"something left behind", "echo 1.2.14; /bin/sleep 20 &", "1.2.14", ""},
		{"no token", `echo "<$ANTIGRAVITY_CSRF_TOKEN>"`, "<>", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			agySays(t, tc.script)
			t.Setenv("ANTIGRAVITY_CSRF_TOKEN", secret)
			got, err := Version(t.Context())
			if got != tc.want || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		agySays(t, "/bin/sleep 60 & /bin/sleep 60")
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		started := time.Now()
		if got, err := Version(ctx); got != "" || !errors.Is(err, context.DeadlineExceeded) || time.Since(started) > 4*time.Second {
			t.Errorf("%q, %v after %s", got, err, time.Since(started))
		}
	})
	t.Run("none", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if got, err := Version(t.Context()); got != "" || !errors.Is(err, ErrNoAgy) {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestRecorded(t *testing.T) {
	t.Parallel()
	with := func(text string) string {
		return "# Compatibility\n" + record.Begin + "\n" + text + "\n" + record.End + "\n"
	}
	for text, want := range map[string]string{
		with("**agy version:** 1.2.14\n\n**Verified on:** x"): "1.2.14",
		with("**agy version:** not recorded"):                 "",
		with("**agy version:**"):                              "",
		with(""):                                              "",
		"**agy version:** 1.2.14":                             "", // outside the record
		"":                                                    "",
	} {
		if got := Recorded(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestSkew(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		running, recorded string
		want              bool
	}{
		{"1.2.14", "1.2.14", false},
		{"agy 1.2.14", "1.2.14", false},
		{"agy version 1.2.14 (linux)", "1.2.14", false},
		{"1.2.14", "`1.2.14`", false},
		{"1.2.1", "1.2.14", true},
		{"1.2.14-beta", "1.2.14", true},
		{"agy", "1.2.14", true},
		{"nightly", "nightly", false},
		{"", "1.2.14", false},
		{"1.2.14", "", false},
		{"", "", false},
	} {
		if got := (Agy{Running: tc.running, Recorded: tc.recorded}).skewed(); got != tc.want {
			t.Errorf("%q and %q: %v", tc.running, tc.recorded, got)
		}
	}
}
