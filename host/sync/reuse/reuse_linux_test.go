package reuse

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the writer
)

// session is a database in use with a sidecar beside it.
type session struct {
	t             *testing.T
	path, sidecar string
	db            *sql.DB
}

func newSession(t *testing.T) *session {
	t.Helper()
	s := &session{t: t, path: filepath.Join(t.TempDir(), "a.db")}
	s.sidecar = strings.TrimSuffix(s.path, ".db") + ".trajectory.json"
	var err error
	if s.db, err = sql.Open("sqlite", s.path); err != nil {
		t.Fatal(err)
	}
	s.db.SetMaxOpenConns(1)
	t.Cleanup(func() { s.db.Close() })
	s.exec("pragma journal_mode=wal")
	s.exec("create table t (a)")
	s.write(s.sidecar, "{}")
	time.Sleep(2 * tick) // a session that just changed is not remembered
	return s
}

func (s *session) exec(text string) {
	s.t.Helper()
	if _, err := s.db.ExecContext(s.t.Context(), text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) write(path, text string) {
	s.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) look() (State, bool) { return Look(s.path, s.sidecar) }

// good remembers the session as it is, lets change happen, and says whether the check still counts.
func (s *session) good(change func()) bool {
	s.t.Helper()
	c, now := Open("", filepath.Dir(s.path), "p"), time.Now()
	state, ok := s.look()
	if !ok {
		s.t.Fatal("a quiet session cannot be remembered")
	}
	c.Remember(s.path, state, state, ok, now)
	if !c.Good(s.path, state, ok, now) {
		s.t.Fatal("an unchanged session is not good")
	}
	if change != nil {
		time.Sleep(5 * time.Millisecond) // coarse file times
		change()
	}
	state, ok = s.look()
	return c.Good(s.path, state, ok, now)
}

func TestChangesAreSeen(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *session){
		"commit":       func(s *session) { s.exec("insert into t values (1)") },
		"checkpoint":   func(s *session) { s.exec("pragma wal_checkpoint(truncate)") },
		"chmod":        func(s *session) { _ = os.Chmod(s.path, 0o640) },
		"sidecar":      func(s *session) { s.write(s.sidecar, "{ }") },
		"sidecar gone": func(s *session) { os.Remove(s.sidecar) },
		"journal":      func(s *session) { s.write(s.path+"-journal", "x") },
		"index gone":   func(s *session) { os.Remove(s.path + "-shm") },
		"log longer": func(s *session) {
			f, _ := os.OpenFile(s.path+"-wal", os.O_APPEND|os.O_WRONLY, 0)
			f.WriteString("x")
			f.Close()
		},
		"TestReferenceN88 backdated": func(s *session) {
			info, _ := os.Stat(s.sidecar)
			s.write(s.sidecar, "[]")
			_ = os.Chtimes(s.sidecar, info.ModTime(), info.ModTime())
		},
		"replaced": func(s *session) { s.write(s.sidecar+"2", "{}"); os.Rename(s.sidecar+"2", s.sidecar) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			if s.good(func() { change(s) }) {
				t.Error("the change went unnoticed")
			}
		})
	}
	if s := newSession(t); !s.good(nil) {
		t.Error("an unchanged session is checked again")
	}
}

func TestLegacySourceEndsWithADatabase(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	s.db.Close()
	s.path = strings.TrimSuffix(s.path, ".db") + "x.pb"
	s.write(s.path, "encrypted")
	time.Sleep(2 * tick)
	if s.good(func() { s.write(strings.TrimSuffix(s.path, ".pb")+".db", "") }) {
		t.Error("a database beside a legacy file went unnoticed")
	}
	if os.Remove(s.path); true {
		if _, ok := s.look(); ok {
			t.Error("a session without a source may be remembered")
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	for _, id := range []string{"a", "b", "c", "0c7b3c1e", "z/y.db"} {
		of := func(quiet time.Duration) time.Duration { return limit(id, now.Add(-quiet), now) }
		for _, quiet := range []time.Duration{-time.Hour, 0, time.Minute, 16 * time.Minute} {
			if got := of(quiet); got < 4*time.Minute || got >= 5*time.Minute {
				t.Errorf("%s: %v quiet: %v", id, quiet, got)
			}
		}
		if got := of(time.Hour); got != 15*time.Minute {
			t.Errorf("%s: an hour quiet: %v", id, got)
		}
		for _, quiet := range []time.Duration{24 * time.Hour, 10_000 * time.Hour} {
			if got := of(quiet); got < 5*time.Hour || got >= 6*time.Hour {
				t.Errorf("%s: %v quiet: %v", id, quiet, got)
			}
		}
	}
	if limit("a", now, now) == limit("b", now, now) {
		t.Error("not staggered by source")
	}
}

func TestGoodEnds(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	state, ok := s.look()
	now := time.Now()
	for name, at := range map[string]time.Duration{"over": 5 * time.Minute, "clock set back": -time.Second} {
		c := Open("", "root", "p")
		if c.Remember(s.path, state, state, ok, now); !c.Good(s.path, state, ok, now) {
			t.Fatal("not remembered")
		}
		if c.Good(s.path, state, ok, now.Add(at)) {
			t.Errorf("%s: still good", name)
		}
	}
	c := Open("", "root", "p")
	c.Remember(s.path, state, State{}, ok, now)
	if c.Good(s.path, state, ok, now) {
		t.Error("a session that changed during its check counts as checked")
	}
	c.Remember(s.path, state, state, ok, time.Unix(0, state.Source.Changed).Add(tick/2))
	if c.Good(s.path, state, ok, now) {
		t.Error("a session is remembered that may have changed again in the same moment")
	}
	c.Remember(s.path, state, state, false, now)
	if c.Good(s.path, state, true, now) {
		t.Error("a state that may not be remembered was")
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	dir, now := t.TempDir(), time.Now()
	state, ok := s.look()
	kept := func(root, profiles string) bool {
		return Open(dir, root, profiles).Good(s.path, state, ok, now)
	}
	c := Open(dir, "/some/root", "p")
	c.Remember(s.path, state, state, ok, now)
	if err := c.Save(false); err != nil {
		t.Fatal(err)
	}
	if !kept("/some/root", "p") {
		t.Fatal("not kept for the next watcher")
	}
	if kept("/other/root", "p") || kept("/some/root", "q") {
		t.Error("kept for another root or profile")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "agy-reader", "*"))
	if len(files) != 1 {
		t.Fatalf("files: %v", files)
	}
	info, err := os.Stat(files[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
	before := info.ModTime()
	if err := c.Save(false); err != nil {
		t.Fatal(err)
	}
	if info, _ = os.Stat(files[0]); !info.ModTime().Equal(before) {
		t.Error("written again without a change")
	}
	// Checks of unchanged sessions are written rarely, and at the end.
	c.Remember(s.path, state, state, ok, now.Add(time.Second))
	for _, last := range []bool{false, true} {
		if err := c.Save(last); err != nil {
			t.Fatal(err)
		}
		if info, _ = os.Stat(files[0]); info.ModTime().Equal(before) == last {
			t.Errorf("last %v: written %v", last, !info.ModTime().Equal(before))
		}
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(good, &whole); err != nil {
		t.Fatal(err)
	}
	whole["boot"] = "another boot"
	rebooted, _ := json.Marshal(whole)
	for name, text := range map[string]string{"empty": "", "half": string(good[:len(good)/2]), "null": "null", "array": "[]", "rebooted": string(rebooted)} {
		s.write(files[0], text)
		if kept("/some/root", "p") {
			t.Errorf("%s: believed", name)
		}
	}
	s.write(files[0], string(good))
	if err := os.Chmod(files[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if kept("/some/root", "p") {
		t.Error("a file that others can read was believed")
	}
}

func TestUnwritableFolderKeepsTheMemory(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	s.write(filepath.Join(filepath.Dir(s.path), "file"), "")
	c := Open(filepath.Join(filepath.Dir(s.path), "file"), "root", "p")
	state, ok := s.look()
	c.Remember(s.path, state, state, ok, time.Now())
	if err := c.Save(false); err == nil {
		t.Error("written below a file")
	}
	if !c.Good(s.path, state, ok, time.Now()) {
		t.Error("forgotten")
	}
}
