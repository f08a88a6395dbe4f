package antigravity_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite"

	"agy-reader/host/corpus"
)

// Every message column of every row of the eleven public databases decodes with nothing unknown.
func TestCorpusDecodesCompletely(t *testing.T) {
	t.Parallel()
	p := loadProfile(t, "agy-1.0.4")
	databases := corpus.Databases(t, corpus.Copy(t))
	if len(databases) != 11 {
		t.Fatalf("the corpus has %d databases, want 11", len(databases))
	}
	steps := 0
	for _, path := range databases {
		counts := map[string]int{}
		for _, table := range p.manifest.Tables {
			for _, column := range table.Columns {
				if column.Message == "" {
					continue
				}
				for row, blob := range blobs(t, path, table.Name, column.Name, table.Key) {
					counts[table.Name+"."+column.Name]++
					where := fmt.Sprintf("%s: %s[%s].%s", filepath.Base(path), table.Name, row, column.Name)
					p.report(t, where, column.Message, blob)
				}
			}
		}
		if counts["steps.step_payload"] == 0 || counts["steps.metadata"] != counts["steps.step_payload"] {
			t.Errorf("%s: rows read: %v", path, counts)
		}
		steps += counts["steps.step_payload"]
	}
	if steps != 639 {
		t.Errorf("decoded %d steps, want 639", steps)
	}
}

// A column that repeats a field of its row does so byte for byte, so a reader may take either.
func TestCorpusColumnsRepeatPayloadFields(t *testing.T) {
	t.Parallel()
	p := loadProfile(t, "agy-1.0.4")
	for _, path := range corpus.Databases(t, corpus.Copy(t)) {
		payloads := blobs(t, path, "steps", "step_payload", "idx")
		for _, column := range p.table("steps").Columns {
			if column.CopyOf == "" || column.Message == "" {
				continue
			}
			for row, blob := range blobs(t, path, "steps", column.Name, "idx") {
				want, ok := p.field(t, "gemini_coder.Step", payloads[row], column.CopyOf)
				if ok && !slices.Equal(want, blob) {
					t.Errorf("%s: steps[%s].%s differs from %s", filepath.Base(path), row, column.Name, column.CopyOf)
				}
			}
		}
	}
}

func TestPayloadsOfAgy1123DecodeCompletely(t *testing.T) {
	t.Parallel()
	p := loadProfile(t, "agy-1.0.4")
	files, err := filepath.Glob(filepath.Join(corpus.Payloads(t), "*.bin"))
	if err != nil || len(files) != 3 {
		t.Fatalf("payloads: %v, %v", files, err)
	}
	wrapped := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p.report(t, filepath.Base(file), "gemini_coder.Step", raw)
		if inner, ok := p.field(t, "gemini_coder.Step", raw, "generic.result.payload.value"); ok {
			wrapped++
			p.report(t, filepath.Base(file)+" inside", "gemini_coder.Step", inner)
		}
	}
	if wrapped != 1 {
		t.Errorf("%d payloads hold a step inside, want 1", wrapped)
	}
}

// blobs returns the non-NULL values of a column by key.
func blobs(t *testing.T, path, table, column, key string) map[string][]byte {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(fmt.Sprintf("SELECT `%s`, `%s` FROM `%s` WHERE `%s` IS NOT NULL", key, column, table, column))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer rows.Close()
	found := map[string][]byte{}
	for rows.Next() {
		var row string
		var blob []byte
		if err := rows.Scan(&row, &blob); err != nil {
			t.Fatal(err)
		}
		found[row] = blob
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}
