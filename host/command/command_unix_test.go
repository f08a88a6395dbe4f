//go:build unix

package command_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/command"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRun(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("ANTIGRAVITY_CSRF_TOKEN", "5ecre7")
	t.Setenv("ANTIGRAVITY_PAIR_TOKEN", "5ecre7")
	t.Setenv("ANTIGRAVITY_DAEMON_URL", "http://me:5ecre7@127.0.0.1:1")
	for _, tc := range []struct {
		name, script, want, err string
		keep                    int
		tail, both, cut         bool
	}{
		{name: "said", script: "echo one; echo two >&2", keep: 100, want: "one\n"},
		{name: "both", script: "echo one; echo two >&2", keep: 100, both: true, want: "one\ntwo\n"},
		{name: "the beginning", script: "echo 123456789", keep: 4, want: "1234", cut: true},
		{name: "the end", script: "echo 123456789", keep: 4, tail: true, want: "789\n", cut: true},
		{name: "endless", script: "yes no", keep: 3, want: "no\n", cut: true, err: "did not end within"},
		{name: "fails", script: "echo bad; exit 3", keep: 100, want: "bad\n", err: "exit status 3"},
		{name: "hangs with a child", script: "sleep 100 & sleep 100", keep: 100, err: "did not end within"},
		{name: "no token", script: `echo "<$ANTIGRAVITY_CSRF_TOKEN$ANTIGRAVITY_PAIR_TOKEN$ANTIGRAVITY_DAEMON_URL>"`, keep: 100, want: "<>\n"},
		{name: "no input", script: "cat", keep: 100},
		{name: "no text", script: `printf '\377'`, keep: 100, want: "\uFFFD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\n"+tc.script+"\n"), 0o700); err != nil { //nolint:gosec // a program must be executable
				t.Fatal(err)
			}
			said, whole, err := command.Run(t.Context(), command.Command{Name: "tool", Timeout: time.Second, Keep: tc.keep, Tail: tc.tail, Both: tc.both})
			if said != tc.want || whole == tc.cut {
				t.Errorf("%q, whole %t", said, whole)
			}
			if tc.err == "" && err != nil || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, _, err := command.Run(t.Context(), command.Command{Name: "no-such-tool", Timeout: time.Second}); !errors.Is(err, command.ErrMissing) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := command.Run(ended, command.Command{Name: "tool", Timeout: time.Second}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
