package demo_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo"
	"agy-reader/host/demo/build"
	"agy-reader/host/demo/session"
)

// The committed database is what the code in session makes. Rows are compared, because another version of SQLite may
// write other bytes.
func TestCommittedDatabaseIsFresh(t *testing.T) {
	t.Parallel()
	conversation, err := session.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	if conversation.CascadeID != demo.ConversationID {
		t.Errorf("id %s, want %s", conversation.CascadeID, demo.ConversationID)
	}
	fresh := filepath.Join(t.TempDir(), "fresh.db")
	if err := build.Database(fresh, conversation); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump(t, fresh), dump(t, embedded(t))); diff != "" {
		t.Errorf("demo.db is stale, run `make generate` (-fresh +committed):\n%.4000s", diff)
	}
}

// The file must not need anything beside it, nor leave anything when it is read.
func TestDatabaseIsSelfContained(t *testing.T) {
	t.Parallel()
	data := demo.Database()
	if string(data[:16]) != "SQLite format 3\x00" {
		t.Fatalf("not a database: %q", data[:16])
	}
	if len(data) > 256<<10 {
		t.Errorf("%d bytes: too much to embed", len(data))
	}
	data[0] = 0
	if demo.Database()[0] == 0 {
		t.Error("a caller can change the embedded bytes")
	}
}

func TestEveryStepKindAndStatusThatReadersTreatSpecially(t *testing.T) {
	t.Parallel()
	conversation, err := session.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	var kinds, statuses []int64
	nested := 0
	for _, row := range conversation.Steps {
		kinds, statuses = append(kinds, row.Type), append(statuses, row.Status)
		if row.HasSubtrajectory {
			nested++
		}
	}
	for _, want := range []int64{
		5, 7, 8, 9, 14, 15, 17, 21, 23, 25, 28, 29, 31, 33, 38, 81, 85, 87, 90, 91, 98, 101, 103, 116, 127, 132, 136, 138, 140,
	} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no step of type %d", want)
		}
	}
	for _, want := range []int64{2, 3, 5, 6, 7} {
		if !slices.Contains(statuses, want) {
			t.Errorf("no step of status %d", want)
		}
	}
	if nested != 1 {
		t.Errorf("%d steps hold a trajectory, want 1", nested)
	}
}

func embedded(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), demo.ConversationID+".db")
	if err := os.WriteFile(path, demo.Database(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// dump returns schema and rows as text, table by table.
func dump(t *testing.T, path string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lines := query(t, db, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
	lines = append(lines, query(t, db, "PRAGMA user_version")...)
	for _, table := range query(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
		lines = append(lines, table)
		lines = append(lines, query(t, db, "SELECT * FROM `"+table[1:len(table)-1]+"` ORDER BY 1")...)
	}
	return lines
}

func query(t *testing.T, db *sql.DB, text string) []string {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(any)
		}
		if err := rows.Scan(cells...); err != nil {
			t.Fatal(err)
		}
		line := ""
		for _, cell := range cells {
			line += fmt.Sprintf("%q ", fmt.Sprint(*cell.(*any)))
		}
		lines = append(lines, line[:len(line)-1])
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
