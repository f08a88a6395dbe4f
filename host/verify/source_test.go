package verify_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/demo"
	"agy-reader/host/demo/build"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// live opens a database as its writer, with a WAL that nobody checkpoints.
func live(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func run(t testing.TB, db interface {
	Exec(string, ...any) (sql.Result, error)
}, query string, args ...any,
) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

// say makes a step say something else, in all columns that repeat it.
func say(t testing.TB, db interface {
	Exec(string, ...any) (sql.Result, error)
}, words string,
) {
	t.Helper()
	payload := build.Step(t, `{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","userInput":{"userResponse":"`+words+`"}}`)
	run(t, db, "UPDATE steps SET step_payload = ? WHERE idx = 7", payload)
}

// A checkpoint moves content from the log to the database and changes nothing; neither does a write of the same.
func TestCheckpoint(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	before := take(t, m.session)
	db := live(t, m.session.Path)
	say(t, db, "go on")
	inLog := take(t, m.session)
	if inLog.SourceDigest() == before.SourceDigest() {
		t.Error("a commit in the log is not seen")
	}
	run(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := inLog.Unchanged(t.Context()); err != nil {
		t.Errorf("after the checkpoint: %v", err)
	}
	if take(t, m.session).SourceDigest() != inLog.SourceDigest() {
		t.Error("a checkpoint changes the digest")
	}
	say(t, db, "go on")
	if err := inLog.Unchanged(t.Context()); err != nil {
		t.Errorf("after writing the same: %v", err)
	}
	say(t, db, "stop")
	if err := inLog.Unchanged(t.Context()); !errors.Is(err, verify.ErrChanged) || !errors.Is(err, verify.ErrStale) {
		t.Errorf("after a change: %v", err)
	}
	if take(t, m.session).SourceDigest() != before.SourceDigest() {
		t.Error("the old content has another digest")
	}
}

// Case 80: what is not committed is not read, once committed it is.
func TestReferenceN80UncommittedFrames(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	db := live(t, m.session.Path)
	run(t, db, "PRAGMA cache_size = 1")
	run(t, db, "PRAGMA cache_spill = 1")
	s := take(t, m.session)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	say(t, tx, "not yet")
	// Enough pages that frames reach the log before the commit.
	for i := range 200 {
		run(t, tx, "INSERT INTO executor_metadata (idx, data) VALUES (?, zeroblob(4000))", 1000+i)
	}
	if info, err := os.Stat(m.session.Path + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("nothing was spilled to the log: %v", err)
	}
	if _, err := s.Check(t.Context(), m.answer(), m.ordinary); err != nil {
		t.Errorf("uncommitted: %v", err)
	}
	if err := s.Unchanged(t.Context()); err != nil {
		t.Errorf("uncommitted: %v", err)
	}
	run(t, tx, "DELETE FROM executor_metadata WHERE idx >= 1000")
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := s.Unchanged(t.Context()); !errors.Is(err, verify.ErrChanged) {
		t.Errorf("committed: %v", err)
	}
	_, err = take(t, m.session).Check(t.Context(), m.answer(), m.ordinary)
	var mismatch *verify.MismatchError
	if !errors.As(err, &mismatch) || mismatch.Step != 7 || mismatch.Path != "userInput.userResponse" {
		t.Errorf("committed: %v", err)
	}
}

// A commit while answers are compared is a change, not a difference of the answer.
func TestChangeDuringCheck(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	s := take(t, m.session)
	say(t, live(t, m.session.Path), "later")
	top := value(t, m.ordinary)
	top["steps"].([]any)[7].(map[string]any)["userInput"].(map[string]any)["userResponse"] = "later"
	if _, err := s.Check(t.Context(), m.answer(), text(t, top)); !errors.Is(err, verify.ErrChanged) {
		t.Error(err)
	}
}

// The product writes model calls again with other map orders, also inside messages the profile keeps closed.
func TestMapOrder(t *testing.T) {
	t.Parallel()
	entry := func(key, value string) []byte {
		return protowire.AppendString(protowire.AppendTag(protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), key), 2, protowire.BytesType), value)
	}
	call := func(keys ...string) []byte {
		var closed []byte
		for _, key := range keys {
			closed = protowire.AppendBytes(protowire.AppendTag(closed, 3, protowire.BytesType), entry(key, "v"+key))
		}
		// plannerConfig (3) with toolConfig (13), which is closed.
		config := protowire.AppendBytes(protowire.AppendTag(nil, 13, protowire.BytesType), closed)
		return protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType), config)
	}
	session := func(keys ...string) store.Session {
		c, err := build.NewConversation(mixedID, mixedTrajectory, build.Prompt(t, "hello"))
		if err != nil {
			t.Fatal(err)
		}
		c.Generations = [][]byte{call(keys...)}
		return write(t, c)
	}
	a, b, other := session("x", "y"), session("y", "x"), session("x", "z")
	if take(t, a).SourceDigest() != take(t, b).SourceDigest() {
		t.Error("the order of entries counts")
	}
	if take(t, a).SourceDigest() == take(t, other).SourceDigest() {
		t.Error("another key does not count")
	}
	if _, err := take(t, a).Check(t.Context(), daemon.Full{Proto: assemble(t, b.Path)}, asJSON(t, assemble(t, b.Path))); err != nil {
		t.Error(err)
	}
	if _, err := take(t, a).Check(t.Context(), daemon.Full{Proto: assemble(t, other.Path)}, asJSON(t, assemble(t, a.Path))); !errors.Is(err, verify.ErrStale) {
		t.Error(err)
	}
}

// What the source itself is to blame for is told apart, so that nobody asks again before it changes.
func TestSourceFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string, content []byte) store.Session {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return sessionOf(path)
	}
	change := func(query string, args ...any) store.Session {
		m := newMixed(t)
		run(t, live(t, m.session.Path), query, args...)
		return m.session
	}
	unknownField := build.AppendUnknown(build.Prompt(t, "hello"), 999, []byte("new"))
	for name, test := range map[string]struct {
		session store.Session
		kind    error
	}{
		"unknown field":    {file(demo.ConversationID+".db", demo.Database()), sources.ErrUnknown},
		"new field":        {change("UPDATE steps SET step_payload = ? WHERE idx = 7", unknownField), sources.ErrUnknown},
		"unknown table":    {change("CREATE TABLE news (a)"), sources.ErrUnknown},
		"unknown column":   {change("ALTER TABLE steps ADD COLUMN news"), sources.ErrUnknown},
		"unknown enum":     {change("UPDATE steps SET step_payload = ?, status = 77 WHERE idx = 7", []byte{8, 14, 32, 77, 0x9a, 1, 0}), sources.ErrUnknown},
		"a missing step":   {change("DELETE FROM steps WHERE idx = 3"), sources.ErrPartial},
		"a payload gone":   {change("UPDATE steps SET step_payload = x'ff' WHERE idx = 3"), sources.ErrPartial},
		"a status twice":   {change("UPDATE steps SET status = 7 WHERE idx = 3"), sources.ErrPartial},
		"no database":      {file("a.db", []byte("no database at all, but long enough to be looked at")), sources.ErrUnreadable},
		"an empty file":    {file("b.db", nil), sources.ErrUnreadable},
		"no legacy file":   {file("c.pb", []byte("no")), sources.ErrUnreadable},
		"no file":          {sessionOf(filepath.Join(dir, "none.db")), sources.ErrNotFound},
		"only logs":        {store.Session{ID: "x"}, sources.ErrUnsupported},
		"a wrapped secret": {change("UPDATE steps SET step_payload = ? WHERE idx = 3", wrapped(t)), sources.ErrUnknown},
	} {
		s, err := verifier().Take(t.Context(), test.session)
		if s != nil || !errors.Is(err, verify.ErrSource) || !errors.Is(err, test.kind) || errors.Is(err, verify.ErrStale) {
			t.Errorf("%s: %v; want the kind %v", name, err, test.kind)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verifier().Take(ctx, newMixed(t).session); !errors.Is(err, context.Canceled) || errors.Is(err, verify.ErrSource) {
		t.Errorf("cancelled: %v", err)
	}
}

// wrapped is a wrapper around a message of a type nobody knows.
func wrapped(t testing.TB) []byte {
	t.Helper()
	content := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "type.googleapis.com/gemini_coder.News")
	result := protowire.AppendBytes(protowire.AppendTag(nil, 6, protowire.BytesType), content)
	body := protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), result)
	step := build.Step(t, `{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-11-30T10:00:03Z"}}`)
	return protowire.AppendBytes(protowire.AppendTag(step, 140, protowire.BytesType), body)
}

// A step that is under way may be newer in either place; both are differences, and gone as soon as both are the same.
func TestRunningSteps(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	db := live(t, m.session.Path)
	step := func(words string) []byte {
		return build.Step(t, fmt.Sprintf(`{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_GENERATING","plannerResponse":{"response":%q}}`, words))
	}
	store := func(words string) {
		run(t, db, "INSERT OR REPLACE INTO steps (idx, step_type, status, step_payload) VALUES (8, 15, 8, ?)", step(words))
	}
	store("half a")
	behind := assemble(t, m.session.Path)
	store("half a sentence")
	ahead := assemble(t, m.session.Path)
	s := take(t, m.session)
	if _, err := s.Check(t.Context(), daemon.Full{Proto: behind}, m.ordinary); !errors.Is(err, verify.ErrStale) {
		t.Errorf("memory behind: %v", err)
	}
	store("half a")
	s = take(t, m.session)
	if _, err := s.Check(t.Context(), daemon.Full{Proto: ahead}, m.ordinary); !errors.Is(err, verify.ErrStale) {
		t.Errorf("memory ahead: %v", err)
	}
	top := value(t, m.ordinary)
	top["steps"] = append(top["steps"].([]any), value(t, []byte(`{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_GENERATING","plannerResponse":{"response":"half a"}}`)))
	if _, err := s.Check(t.Context(), daemon.Full{Proto: behind}, text(t, top)); err != nil {
		t.Errorf("both the same: %v", err)
	}
}

// Numbers of rows of model calls need not be without gaps: what answers have is their order.
func TestRowsWithGaps(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	run(t, live(t, m.session.Path), "UPDATE gen_metadata SET idx = 5 WHERE idx = 1")
	s := take(t, m.session)
	if _, err := s.Check(t.Context(), m.answer(), m.ordinary); err != nil {
		t.Error(err)
	}
	top := value(t, m.ordinary)
	top["generatorMetadata"].([]any)[1].(map[string]any)["chatModel"].(map[string]any)["responseModel"] = "m3"
	_, err := s.Check(t.Context(), m.answer(), text(t, top))
	var mismatch *verify.MismatchError
	if !errors.As(err, &mismatch) || mismatch.Path != "generatorMetadata[1].chatModel.responseModel" {
		t.Error(err)
	}
}
