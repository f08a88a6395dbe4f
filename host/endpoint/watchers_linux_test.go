package endpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/endpoint/proc"
	"agy-reader/host/store"
)

func TestWatchArguments(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"--watch": "[]", "-watch": "[]", "--watch=true --watch-interval=2s": "[]", "--root /a --watch -root=/b": "[/a /b]", "--watch --root /a doctor": "[/a]", "--list --watch": "[]",
		"--watch=false": "no", "doctor --watch": "no", "-- --watch": "no", "--root --watch": "no", "--watch --unknown": "no", "--watch-interval 2s": "no", "--watch --watch-interval=0": "no",
		"--watch --watch-interval=x": "no", "": "no", "--watch=maybe": "no", "--help --watch": "no", "--watch=true --watch=false": "no",
	} {
		got := "no"
		if roots, is := WatchArguments(strings.Fields(line)); is {
			got = fmt.Sprint(roots)
		}
		if got != want {
			t.Errorf("%s: %s, not %s", line, got, want)
		}
	}
}

// --watch=false, or --watch behind an argument, is no watcher.
func TestReferenceN72WatchFalse(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	for i, args := range []string{"--watch=false", "doctor --watch", "-- --watch", "--root /x doctor"} {
		tr.add(process{pid: 50 + i, start: 1, uid: os.Geteuid(), net: "net:[1]", args: append([]string{"agy-reader"}, strings.Fields(args)...)})
	}
	if all, err := tr.finder().Watchers(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// A watcher counts for the stores it covers, and only our own user's counts.
func TestReferenceN73OtherWatchers(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	home := filepath.Dir(tr.root.Path)
	for _, store := range []string{"antigravity-cli", "antigravity"} {
		tr.write(filepath.Join(home, ".gemini", store, "x"), "")
	}
	add := func(pid, uid int, args string, env ...string) {
		tr.add(process{pid: pid, start: pid, uid: uid, net: "net:[1]", args: append([]string{"/usr/bin/agy-reader"}, strings.Fields(args)...), env: env})
	}
	me := os.Geteuid()
	add(50, me, "--watch --root "+tr.root.Path)
	add(51, me, "--watch --root store")
	add(52, me, "--watch", "ANTIGRAVITY_CLI_ROOT=/pinned", "HOME="+home)
	add(53, me, "--watch", "HOME="+home)
	add(54, me, "--watch", "HOME=/nobody")
	add(55, me+1, "--watch --root "+tr.root.Path)
	add(56, me, "--watch", "HOME="+home)
	os.Remove(filepath.Join(tr.dir, "56", "environ"))
	tr.add(process{pid: 57, start: 57, uid: me, net: "net:[1]", args: []string{"agy-reader-other", "--watch"}})
	all, err := tr.finder().Watchers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, w := range all {
		var paths []string
		for _, root := range w.Roots {
			paths = append(paths, strings.ReplaceAll(root.Path, home, "~"))
		}
		got[w.PID] = strings.Join(paths, " ")
		if w.Known != (w.PID != 56) {
			t.Errorf("%d is known: %v", w.PID, w.Known)
		}
		if covers := w.Covers(tr.root); covers != (w.PID == 50 || w.PID == 51) {
			t.Errorf("%d covers: %v", w.PID, covers)
		}
	}
	want := map[int]string{50: "~/store", 51: "~/store", 52: "/pinned", 53: "~/.gemini/antigravity-cli ~/.gemini/antigravity", 54: "/nobody/.gemini/antigravity-cli", 56: ""}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestWatchersUnknown(t *testing.T) {
	t.Parallel()
	env := store.Environment{Getenv: func(string) string { return "" }}
	elsewhere, empty := New(env), New(env)
	elsewhere.goos, empty.proc = "darwin", proc.FS{Dir: t.TempDir()}
	for _, f := range []*Finder{elsewhere, empty} {
		if _, err := f.Watchers(t.Context()); !errors.Is(err, ErrUnknown) {
			t.Error(err)
		}
	}
}
