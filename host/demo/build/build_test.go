package build_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
)

const failedCommand = `{"type":"CORTEX_STEP_TYPE_RUN_COMMAND","status":"CORTEX_STEP_STATUS_ERROR",
	"metadata":{"createdAt":"2026-09-14T08:00:00Z","source":"CORTEX_STEP_SOURCE_MODEL"},
	"error":{"userErrorMessage":"no such shell"},"taskDetails":{"id":"c/task-0"},"permissions":{},
	"runCommand":{"commandLine":"ls","exitCode":0}}`

// The database is what the product writes, by the fingerprint readers identify it with.
func TestDatabaseHasTheProductsSchema(t *testing.T) {
	t.Parallel()
	db := open(t, conversation(t))
	rows, err := db.Query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	hash := sha256.New()
	for rows.Next() {
		var ddl string
		if err := rows.Scan(&ddl); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(hash, ddl)
	}
	var version, pageSize int
	var journal string
	scan(t, db, "PRAGMA user_version", &version)
	scan(t, db, "PRAGMA page_size", &pageSize)
	scan(t, db, "PRAGMA journal_mode", &journal)
	fmt.Fprintln(hash, version)
	const want = "1ca98426f561fe73223c8620a238405030fdb3014444d970e1300a6009f72f43"
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
	if pageSize != 4096 || journal != "wal" {
		t.Errorf("page size %d, journal %s, want 4096, wal", pageSize, journal)
	}
}

func TestRowColumnsRepeatThePayload(t *testing.T) {
	t.Parallel()
	payload := build.Step(t, failedCommand)
	row, err := build.NewRow(3, payload)
	if err != nil {
		t.Fatal(err)
	}
	want := build.Row{
		Index: 3, Type: 21, Status: 7, Payload: payload,
		Metadata: build.MustEncode(t, "exa.cortex_pb.CortexStepMetadata",
			`{"createdAt":"2026-09-14T08:00:00Z","source":"CORTEX_STEP_SOURCE_MODEL"}`),
		ErrorDetails: build.MustEncode(t, "exa.cortex_pb.CortexErrorDetails", `{"userErrorMessage":"no such shell"}`),
		Permissions:  []byte{},
		TaskDetails:  build.MustEncode(t, "gemini_coder.TaskDetails", `{"id":"c/task-0"}`),
	}
	if diff := cmp.Diff(want, row); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}

func TestDatabaseIsClosedCleanlyAndNeverReplaced(t *testing.T) {
	t.Parallel()
	path := conversation(t)
	left, err := filepath.Glob(path + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("files left: %v, %v", left, err)
	}
	if err := build.Database(path, build.Conversation{}); !errors.Is(err, os.ErrExist) {
		t.Errorf("writing over a file: %v", err)
	}
	var steps, isNull int
	db := open(t, path)
	scan(t, db, "SELECT count(*) FROM steps", &steps)
	scan(t, db, "SELECT count(*) FROM steps WHERE render_info IS NULL AND permissions IS NOT NULL", &isNull)
	if steps != 1 || isNull != 1 {
		t.Errorf("%d steps, %d with the expected NULLs, want 1, 1", steps, isNull)
	}
}

func TestEncodeRefusesWhatTheSchemaDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, message, json string }{
		{"message", "gemini_coder.Stepp", `{}`},
		{"not a message", "exa.cortex_pb.CortexStepType", `{}`},
		{"member", build.StepMessage, `{"kind":1}`},
		{"enum value", build.StepMessage, `{"type":"CORTEX_STEP_TYPE_DANCE"}`},
		{"any", build.StepMessage, `{"generic":{"result":{"payload":{"@type":"x/y.Z"}}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if raw, err := build.Encode(test.message, test.json); err == nil {
				t.Errorf("encoded to %x", raw)
			}
		})
	}
}

func conversation(t *testing.T) string {
	t.Helper()
	c, err := build.NewConversation("c", "t", build.Step(t, failedCommand))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "100% odd name#.db")
	if err := build.Database(path, c); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func scan(t *testing.T, db *sql.DB, query string, into any) {
	t.Helper()
	if err := db.QueryRow(query).Scan(into); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}
