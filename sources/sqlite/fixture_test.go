package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	_ "modernc.org/sqlite"

	"agy-reader/host/demo/build"
	"agy-reader/sources"
)

// ddl is the product's schema; its fingerprint is checked by TestFingerprint.
var ddl = append(slices.Clone(build.DDL), "PRAGMA user_version = 1")

const knownFingerprint = "1ca98426f561fe73223c8620a238405030fdb3014444d970e1300a6009f72f43"

// writer is a connection as the product has it.
type writer struct {
	t    testing.TB
	path string
	db   *sql.DB
}

// newWriter makes or opens a database; statements run before the tables are made.
func newWriter(t testing.TB, path string, before ...string) *writer {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+uriPath(path)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	w := &writer{t: t, path: path, db: db}
	t.Cleanup(w.close)
	w.exec("PRAGMA journal_mode = WAL")
	for _, s := range before {
		w.exec(s)
	}
	return w
}

// newConversation makes an empty conversation database in a folder of its own.
func newConversation(t testing.TB, before ...string) *writer {
	t.Helper()
	w := newWriter(t, filepath.Join(t.TempDir(), "c0ffee00-0000-4000-8000-000000000001.db"), before...)
	w.exec(ddl...)
	w.exec("INSERT INTO trajectory_meta VALUES ('t-1','c0ffee00-0000-4000-8000-000000000001',4,17)")
	return w
}

func (w *writer) exec(statements ...string) {
	w.t.Helper()
	for _, s := range statements {
		if _, err := w.db.Exec(s); err != nil {
			w.t.Fatalf("%s: %v", s, err)
		}
	}
}

// step writes one user step whose text is given.
func (w *writer) step(index int, text string) {
	w.t.Helper()
	if _, err := w.db.Exec("INSERT OR REPLACE INTO steps(idx, step_type, status, step_payload) VALUES (?, 14, 3, ?)",
		index, userStep(text)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *writer) close() { w.db.Close() }

// userStep is a finished USER_INPUT step.
func userStep(text string) []byte {
	var body []byte
	body = protowire.AppendTag(body, 2, protowire.BytesType)
	body = protowire.AppendString(body, text)
	var b []byte
	b = protowire.AppendVarint(protowire.AppendTag(b, stepTypeField, protowire.VarintType), 14)
	b = protowire.AppendVarint(protowire.AppendTag(b, stepStatusField, protowire.VarintType), 3)
	return protowire.AppendBytes(protowire.AppendTag(b, 19, protowire.BytesType), body)
}

// row is a step as the layer below the reader delivers it.
type row struct {
	Index   int64
	Payload string
}

// openPath opens a database the way a reader does.
func openPath(t testing.TB, path string, busy time.Duration) (*database, error) {
	t.Helper()
	f, err := locate(sources.Ref{Path: path})
	if err != nil {
		return nil, err
	}
	return opener{files: f, busy: busy}.open(context.Background())
}

var payloads = table{name: "steps", key: "idx", columns: stored("step_payload")}

var payloadColumns = map[string]bool{"idx": true, "step_payload": true}

// storeState describes every file below dir: name, mode, size, time, contents.
func storeState(t testing.TB, dir string) map[string]string {
	t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%v %v", info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		state[strings.TrimPrefix(path, dir)] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// copyFiles copies the database with the given suffixes of files beside it to a new folder.
func copyFiles(t testing.TB, path string, suffixes ...string) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), filepath.Base(path))
	for _, suffix := range append([]string{""}, suffixes...) {
		if err := copyFile(target+suffix, path+suffix); err != nil {
			t.Fatal(err)
		}
	}
	return target
}

func copyFile(target, source string) error {
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	return os.WriteFile(target, data, 0o600)
}

func touch(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// flip changes all bits of one byte; a negative offset counts from the end.
func flip(t testing.TB, path string, at int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if at < 0 {
		at += len(data)
	}
	data[at] ^= 0xff
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
