package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"agy-reader/host/demo/build"
	"agy-reader/sources"
)

// peekable makes a database with a prompt, a title checkpoint behind it and many big steps.
func peekable(t *testing.T, generations ...[]byte) string {
	t.Helper()
	payloads := [][]byte{
		build.Step(t, `{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`),
		build.Step(t, `{"type": 15, "status": 3, "plannerResponse": {"response": "`+strings.Repeat("x", 200_000)+`"}}`),
		build.Step(t, `{"type": 23, "status": 3, "checkpoint": {"intentOnly": true, "conversationTitle": "Its Title"}}`),
	}
	c, err := build.NewConversation("id", "tr", payloads...)
	if err != nil {
		t.Fatal(err)
	}
	c.Generations = generations
	path := filepath.Join(t.TempDir(), "x.db")
	if err := build.Database(path, c); err != nil {
		t.Fatal(err)
	}
	return path
}

// spoil overwrites every page that holds this text.
func spoil(t *testing.T, path, text string) {
	t.Helper()
	const page = 4096
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := 0
	for at := 0; at+page <= len(file); at += page {
		if strings.Contains(string(file[at:at+page]), text) {
			clear(file[at : at+page])
			spoilt++
		}
	}
	if spoilt == 0 {
		t.Fatal("nothing to spoil")
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// allocated is what f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A list reads no model call, whatever their number and size: here their pages are lost, and nobody notices.
func TestCaseE01ListReadsNoGenerations(t *testing.T) {
	var generations [][]byte
	for range 64 {
		generations = append(generations, []byte(strings.Repeat("generation ", 100_000)))
	}
	path := peekable(t, generations...)
	spoil(t, path, "generation ")
	if info, err := os.Stat(path); err != nil || info.Size() < 60<<20 {
		t.Fatalf("%v, %v", info, err)
	}
	var summary sources.Summary
	var err error
	const most = 2 << 20
	if n := allocated(func() { summary, err = New().Peek(t.Context(), sources.Ref{Path: path}) }); n > most {
		t.Errorf("%d bytes were allocated, at most %d are all right", n, most)
	}
	if err != nil || summary.Steps != 3 || summary.Title.GetValue() != "Its Title" {
		t.Errorf("%+v, %v", summary, err)
	}
}

// With a title from an index no step is read.
func TestPeekOfATitledConversation(t *testing.T) {
	t.Parallel()
	path := peekable(t)
	for titled, want := range map[bool]string{true: "", false: "Its Title"} {
		summary, err := New().Peek(t.Context(), sources.Ref{Path: path, Titled: titled})
		if err != nil || summary.Steps != 3 || summary.Title.GetValue() != want || summary.Header.GetConversationId() != "id" {
			t.Errorf("titled %v: %+v, %v", titled, summary, err)
		}
	}
}

// Counting goes over the smallest index, not over rows.
func TestCountReadsAnIndex(t *testing.T) {
	t.Parallel()
	d, err := New().connect(t.Context(), sources.Ref{Path: peekable(t)}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	plan, err := d.plan(t.Context(), `SELECT count(*) FROM "steps"`)
	if err != nil || !strings.Contains(plan, "COVERING INDEX") {
		t.Errorf("%s, %v", plan, err)
	}
}

func TestReadTable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "index.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"CREATE TABLE things (id text, n integer, at datetime, b blob, twice AS (n*2))",
		"INSERT INTO things VALUES ('a', 7, '2026-01-02 03:04:05', x'00ff'), ('b', NULL, '', zeroblob(2000000))",
		"CREATE VIEW seen AS SELECT * FROM things",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	var got []string
	err = New().ReadTable(t.Context(), path, "things", []string{"id", "n", "absent", "at", "b", "twice"}, func(values [][]byte) error {
		got = append(got, fmt.Sprintf("%q %v", values, values[2] == nil && values[5] == nil))
		return nil
	})
	want := []string{`["a" "7" "" "2026-01-02 03:04:05" "\x00\xff" ""] true`, `["b" "" "" "" "" ""] true`}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, table := range []string{"seen", "nothing"} {
		if err := New().ReadTable(t.Context(), path, table, []string{"id"}, nil); !errors.Is(err, sources.ErrNotFound) {
			t.Errorf("%s: %v", table, err)
		}
	}
	own := errors.New("enough")
	if err := New().ReadTable(t.Context(), path, "things", []string{"id"}, func([][]byte) error { return own }); !errors.Is(err, own) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New().ReadTable(ctx, path, "things", []string{"id"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
