package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agy-reader/host/agytest"
	"agy-reader/host/audit/sweep"
	"agy-reader/host/demo/build"
	"agy-reader/sources/daemon"
)

// The tests of this file sweep stores of a real process with real sockets.

// For every conversation it is said whether a sync could have verified it, and the sweep goes on when not.
func TestReferenceN06WhatASyncCouldVerify(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		behave agytest.Behaviour
		class  string
		failed error
	}{
		"as stored":       {},
		"in JSON":         {},
		"stale":           {behave: agytest.Behaviour{Stale: true}, class: "stale"},
		"stale once":      {behave: agytest.Behaviour{Stale: true, Times: 1, Form: "ordinary"}},
		"a wrong name":    {behave: agytest.Behaviour{Wrong: agytest.WrongEnum, Form: "full"}, class: "answer"},
		"no full answer":  {behave: agytest.Behaviour{Refuse: 500, Form: "full"}, class: "daemon"},
		"paged":           {behave: agytest.Behaviour{Truncated: 3, PageSize: 2}},
		"lost":            {behave: agytest.Behaviour{Truncated: 3, Lost: 2}, failed: nil},
		"written once":    {behave: agytest.Behaviour{Write: agytest.WriteEdit, Times: 1}},
		"larger than 4 M": {behave: agytest.Behaviour{Pad: 5 << 20}},
		"rejects":         {behave: agytest.Behaviour{Refuse: 403}, failed: daemon.ErrAuth},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, path := agytest.Store(t)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d := agytest.Start(t, agytest.Options{Root: root, JSONOnly: name == "in JSON"})
			d.Set(t, tc.behave)
			r := prepare(t, root)
			m, err := sweep.Run(t.Context(), r.Options)
			if tc.failed != nil || name == "lost" {
				if err == nil || tc.failed != nil && !errors.Is(err, tc.failed) {
					t.Errorf("%v", err)
				}
				if m := manifest(t, r.Dir); m.Complete || m.FailedID == "" {
					t.Errorf("%+v", m)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := manifest(t, r.Dir).Sessions[0].ReaderSync
			if got.Class != tc.class || got.Verified != (tc.class == "") || (got.Evidence != nil) != got.Verified {
				t.Errorf("%+v", got)
			}
			for _, request := range d.Requests() {
				if request.Token != d.Token() {
					t.Errorf("%s with the token %q", request.Method, request.Token)
				}
			}
			for name, text := range files(t, r.Dir) {
				if strings.Contains(text, d.Token()) {
					t.Errorf("%s holds the token", name)
				}
			}
			if len(m.Sessions) != 1 || m.Endpoint != d.URL() {
				t.Errorf("%+v", m)
			}
			missing(t, strings.TrimSuffix(path, ".db")+".trajectory.json")
			if after, err := os.ReadFile(path); tc.behave.Write == "" && (err != nil || string(after) != string(before)) {
				t.Errorf("the session was written: %v", err)
			}
		})
	}
}

// A sync asks other daemons of the store too; which one agreed is said.
func TestAnotherDaemonAgrees(t *testing.T) {
	t.Parallel()
	root, _ := agytest.Store(t)
	first, second := agytest.Start(t, agytest.Options{Root: root, LogName: "cli-1.log"}), agytest.Start(t, agytest.Options{Root: root, LogName: "cli-2.log"})
	r := prepare(t, root)
	at, err := r.Finder.Find(t.Context(), r.Root)
	if err != nil {
		t.Fatal(err)
	}
	good := first
	if at.URL == first.URL() {
		good = second
		first.Set(t, agytest.Behaviour{Stale: true})
	} else {
		second.Set(t, agytest.Behaviour{Stale: true})
	}
	if _, err := sweep.Run(t.Context(), r.Options); err != nil {
		t.Fatal(err)
	}
	got := manifest(t, r.Dir)
	if s := got.Sessions[0].ReaderSync; !s.Verified || s.Endpoint != good.URL() || got.Endpoint == good.URL() || s.Reason == "" {
		t.Errorf("%+v of %s", s, got.Endpoint)
	}
}

const killVariable = "SWEEP_TEST_KILLED"

// killed sweeps until it is killed.
func killed(dir string) {
	r, err := newRun(os.Getenv(killVariable + "_ROOT"))
	if err == nil {
		r.Dir = dir
		r.Line = func(string) {}
		_, err = sweep.Run(context.Background(), r.Options)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(0)
}

// Whenever a sweep is killed, what it leaves is not complete, or it is whole.
func TestKilledSweep(t *testing.T) {
	t.Parallel()
	root, _ := agytest.Store(t)
	for n := range 30 {
		build.AddFamily(t, root, build.Member{ID: idOf(n), Steps: [][]byte{build.Prompt(t, "Say hello"), build.Answer(t, "Hello.", "")}})
	}
	d := agytest.Start(t, agytest.Options{Root: root})
	incomplete := 0
	for range 4 {
		dir := filepath.Join(t.TempDir(), "new")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killVariable+"="+dir, killVariable+"_ROOT="+root)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100*time.Millisecond + rand.N(400*time.Millisecond))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		m, err := sweep.ReadManifest(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
			incomplete++
		case err != nil:
			t.Errorf("half a manifest: %v", err)
		case m.Complete && (len(m.Sessions) != m.Selected || m.Finished == nil):
			t.Errorf("complete with %d of %d", len(m.Sessions), m.Selected)
		case !m.Complete:
			incomplete++
		}
		for name, text := range files(t, filepath.Dir(dir)) {
			if strings.Contains(text, d.Token()) {
				t.Errorf("%s holds the token", name)
			}
		}
	}
	if incomplete == 0 {
		t.Log("every sweep was faster than its killer")
	}
}
