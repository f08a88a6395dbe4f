package agytest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/agytest"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// The language server of the IDE is found in both layouts of its logs, after a restart too, and a CLI store gets nothing of it.
func TestIDELayouts(t *testing.T) {
	t.Parallel()
	for _, layout := range []string{agytest.Flat, agytest.Stamped} {
		t.Run(layout, func(t *testing.T) {
			t.Parallel()
			root, path := smallStore(t)
			home := t.TempDir()
			logs := filepath.Join(home, ".config", "Antigravity", "logs")
			d := agytest.Start(t, agytest.Options{Root: root, Surface: "ide", LogFolder: logs, Layout: layout})
			f := finder(home, nil)
			for range 2 {
				e, err := f.Find(t.Context(), store.Root{Path: root, Surface: "ide"})
				if err != nil || e.URL != d.URL() || e.PID != d.PID() || e.Token.Reveal() != d.Token() || d.Token() == "" {
					t.Fatalf("found %+v, %v; want %s of process %d", e, err, d.URL(), d.PID())
				}
				c := daemon.NewClient(e)
				if _, err := check(t, c, path); err != nil {
					t.Error(err)
				}
				c.Close()
				if e, err := f.Find(t.Context(), store.Root{Path: root, Surface: "cli"}); err == nil {
					t.Errorf("found for the CLI: %+v", e)
				}
				d.Restart(t)
			}
			if _, err := os.Lstat(filepath.Join(root, "cli.log")); err == nil {
				t.Error("a language server of the IDE wrote a cli.log")
			}
			names, err := filepath.Glob(filepath.Join(logs, "*"))
			if want := map[string]int{agytest.Flat: 2, agytest.Stamped: 3}[layout]; err != nil || len(names) != want {
				t.Errorf("logs %v, %v; want %d", names, err, want)
			}
			text, err := os.ReadFile(d.Log())
			if err != nil || !strings.Contains(string(text), "listening on random port at "+port(d.URL())+" for HTTP\n") {
				t.Errorf("log %s: %v", text, err)
			}
		})
	}
}
