package antigravity_test

import (
	"crypto/aes"
	"crypto/cipher"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	_ "modernc.org/sqlite"

	"agy-reader/host/corpus"
	"agy-reader/proto/antigravity"
)

// Every message column of every row of the eleven public databases decodes with nothing unknown.
func TestCorpusDecodesCompletely(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"agy-1.0.4", "agy-1.1.14"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			corpusDecodes(t, loadProfile(t, name))
		})
	}
}

func corpusDecodes(t *testing.T, p *decoder) {
	t.Helper()
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
	p := loadProfile(t, "agy-1.1.14")
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

// The conversation files decode with nothing unknown. Of the background trajectories the envelope does: whoever made them
// anonymous wrote the letter x over the whole trajectory inside.
func TestEncryptedFilesDecodeCompletely(t *testing.T) {
	t.Parallel()
	p := loadProfile(t, "legacy-pb")
	files, err := filepath.Glob(filepath.Join(corpus.Home(t), ".gemini", "antigravity", "*", "*.pb"))
	if err != nil || len(files) != 13 {
		t.Fatalf("%d files, %v, want 13", len(files), err)
	}
	steps := 0
	for _, file := range files {
		plain := decrypt(t, p.manifest.FileKeys[0], file)
		name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
		if !strings.HasPrefix(name, "implicit/") {
			p.report(t, name, "gemini_coder.Trajectory", plain)
			steps += count(t, plain, 2)
			continue
		}
		inside, ok := p.field(t, "exa.jetski_cortex_pb.ImplicitTrajectory", plain, "trajectory")
		if !ok || strings.Trim(string(inside), "x") != "" {
			t.Errorf("%s: the trajectory is there after all: %v", name, ok)
		}
		scope, ok := p.field(t, "exa.jetski_cortex_pb.ImplicitTrajectory", plain, "trajectory_scope")
		if !ok {
			t.Errorf("%s: no scope", name)
		}
		p.report(t, name+" scope", "exa.cortex_pb.TrajectoryScope", scope)
	}
	if steps != 292 {
		t.Errorf("decoded %d steps, want 292", steps)
	}
}

func decrypt(t *testing.T, key antigravity.FileKey, file string) []byte {
	t.Helper()
	secret, err := hex.DecodeString(key.Key)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gcm.Open(nil, data[:gcm.NonceSize()], data[gcm.NonceSize():], nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return plain
}

// count is how often a field stands in a message.
func count(t *testing.T, raw []byte, want protowire.Number) (n int) {
	t.Helper()
	for len(raw) > 0 {
		number, kind, size := protowire.ConsumeTag(raw)
		if size < 0 {
			t.Fatal("damaged wire bytes")
		}
		value := protowire.ConsumeFieldValue(number, kind, raw[size:])
		if value < 0 {
			t.Fatal("damaged wire bytes")
		}
		if number == want {
			n++
		}
		raw = raw[size+value:]
	}
	return n
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
