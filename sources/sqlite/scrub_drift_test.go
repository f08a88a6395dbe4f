package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// scrubbed scrubs a database and returns the copy.
func scrubbed(t *testing.T, path string) (copied string, report sources.ScrubReport) {
	t.Helper()
	var out bytes.Buffer
	report, err := New().Scrub(t.Context(), sources.Ref{Path: path}, &out)
	if err != nil {
		t.Fatal(err)
	}
	copied = filepath.Join(t.TempDir(), "scrubbed.db")
	if err := os.WriteFile(copied, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return copied, report
}

func TestScrubKeepsTheFingerprintOfAKnownSchema(t *testing.T) {
	t.Parallel()
	copied, report := scrubbed(t, sample(t, newConversation(t)).path)
	if got := mustRead(t, copied, sources.Want{}).header.GetProvenance().GetSchemaFingerprint(); got != knownFingerprint {
		t.Errorf("fingerprint %s", got)
	}
	if want := (sources.ScrubReport{Rows: sampleSteps + 1, Texts: report.Texts}); !cmp.Equal(want, report) {
		t.Errorf("report %+v", report)
	}
}

// Names, types, defaults and values of what the profile does not know never reach the copy.
func TestScrubLeavesUnknownPartsOut(t *testing.T) {
	t.Parallel()
	const secret = "SECRETword"
	for _, test := range []struct {
		name    string
		write   []string
		leftOut []string
	}{
		{"table", []string{"CREATE TABLE SECRETword(a text DEFAULT 'SECRETword')", "INSERT INTO SECRETword VALUES ('SECRETword')"}, []string{"table SECRETword"}},
		{"column", []string{"ALTER TABLE steps ADD COLUMN SECRETword SECRETtype_SECRETword DEFAULT 'SECRETword'"}, []string{"column steps.SECRETword"}},
		{"index", []string{"CREATE INDEX SECRETword ON steps(status) WHERE status <> 'SECRETword'"}, []string{"index SECRETword"}},
		{"view", []string{"CREATE VIEW SECRETword AS SELECT 'SECRETword'"}, []string{"view SECRETword"}},
		{"trigger", []string{"CREATE TRIGGER SECRETword AFTER INSERT ON steps BEGIN SELECT 'SECRETword'; END"}, []string{"trigger SECRETword"}},
		{"computed column", []string{"ALTER TABLE steps ADD COLUMN SECRETword AS ('SECRETword')"}, []string{"computed column steps.SECRETword"}},
		{"comment, type and default", []string{
			"CREATE TABLE s2(idx integer /* SECRETword */, step_type SECRETword DEFAULT 'SECRETword', step_payload blob CHECK (1 <> 'SECRETword'), PRIMARY KEY(step_type, idx)) WITHOUT ROWID",
			"INSERT INTO s2 SELECT idx, step_type, step_payload FROM steps", "DROP TABLE steps", "ALTER TABLE s2 RENAME TO steps",
		}, nil},
		{"values of another kind", []string{
			"CREATE TABLE x(y)",
			"UPDATE steps SET permissions = 'SECRETword', render_info = 'SECRETword', error_details = 4111111111111111",
			"INSERT INTO battle_mode_infos VALUES (1, 'SECRETword')", "UPDATE trajectory_meta SET cascade_id = 'SECRETword'",
			"INSERT INTO trajectory_metadata_blob VALUES ('SECRETword', x'534543524554776F7264')",
		}, []string{"table x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newConversation(t)
			for i := range 3 {
				w.step(i, secret)
			}
			w.exec(test.write...)
			w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
			copied, report := scrubbed(t, w.path)
			if diff := cmp.Diff(test.leftOut, report.LeftOut); diff != "" {
				t.Errorf("left out (-want +got):\n%s", diff)
			}
			content, err := os.ReadFile(copied)
			if err != nil {
				t.Fatal(err)
			}
			original, err := os.ReadFile(w.path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(original, []byte(secret)) {
				t.Error("the original does not hold the word, so this proves nothing")
			}
			if at := bytes.Index(content, []byte(secret)); at >= 0 {
				t.Errorf("still there: %q", content[max(0, at-50):at+50])
			}
			if got := mustRead(t, copied, sources.Want{Blocks: true}); len(got.steps()) != 3 {
				t.Errorf("steps %v", got.steps())
			}
		})
	}
}

// Rows behind a damaged page are copied.
func TestScrubGoesOnBehindDamage(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	for i := range 200 {
		w.step(i, strings.Repeat("word ", 100))
	}
	w.exec("PRAGMA journal_mode = DELETE")
	w.close()
	whole := len(mustRead(t, w.path, sources.Want{Blocks: true}).steps())
	info, err := os.Stat(w.path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(w.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(make([]byte, 4096), info.Size()/2/4096*4096); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	copied, report := scrubbed(t, w.path)
	if diff := cmp.Diff([]string{"steps"}, report.Damaged); diff != "" {
		t.Errorf("damaged (-want +got):\n%s", diff)
	}
	steps := mustRead(t, copied, sources.Want{Blocks: true}).steps()
	if len(steps) >= whole || len(steps) < whole-20 {
		t.Errorf("%d of %d steps", len(steps), whole)
	}
	original := mustRead(t, w.path, sources.Want{Blocks: true}).steps()
	if len(original) != len(steps) {
		t.Errorf("%d steps of the original can be read, %d are in the copy", len(original), len(steps))
	}
}
