package sqlite

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

func TestNotesAboutRows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		write []string
		steps []int
		notes []string
	}{
		{"sound", nil, []int{0, 1, 2, 3, 4, 5}, nil},
		{
			"lone index 4", // how the product hides the step that made the title
			[]string{"DELETE FROM steps WHERE idx = 4"},
			[]int{0, 1, 2, 3, 5},
			[]string{"gap INFO: step 4 is missing"},
		},
		{
			"gap",
			[]string{"DELETE FROM steps WHERE idx IN (3, 4)"},
			[]int{0, 1, 2, 5},
			[]string{"gap WARNING incomplete: steps 3 to 4 are missing"},
		},
		{
			"gap at the start",
			[]string{"DELETE FROM steps WHERE idx < 3"},
			[]int{3, 4, 5},
			[]string{"gap WARNING incomplete: steps 0 to 2 are missing"},
		},
		{
			"index below zero",
			[]string{"INSERT INTO steps(idx) VALUES (-7)"},
			[]int{0, 1, 2, 3, 4, 5},
			[]string{"damage ERROR incomplete: a step of 0 bytes has no place in the order and is left out: its index is -7"},
		},
		{
			"index beyond all",
			[]string{"UPDATE steps SET idx = 4294967296 WHERE idx = 5"},
			[]int{0, 1, 2, 3, 4},
			[]string{"damage ERROR incomplete: a step of 13 bytes has no place in the order and is left out: its index is 4294967296"},
		},
		{
			"no content",
			[]string{"UPDATE steps SET step_payload = NULL WHERE idx = 2"},
			[]int{0, 1, 2, 3, 4, 5},
			[]string{"damage WARNING incomplete: step 2: it has no stored content"},
		},
		{
			"columns differ",
			[]string{"UPDATE steps SET status = 7, permissions = x'0a00', has_subtrajectory = 1 WHERE idx = 2"},
			[]int{0, 1, 2, 3, 4, 5},
			[]string{"damage WARNING incomplete: step 2: its columns status, has_subtrajectory, permissions say something else than its content, which is shown"},
		},
		{
			"unknown format",
			[]string{"UPDATE steps SET step_format = 2 WHERE idx = 2"},
			[]int{0, 1, 2, 3, 4, 5},
			[]string{"unknown_fields WARNING incomplete: step 2: it is stored in unknown step_format 2"},
		},
		{
			"bad text and an odd time",
			[]string{"UPDATE steps SET step_payload = x'080e20032a0c0a0a088080808080808080409a0104120261ff' WHERE idx = 2"},
			[]int{0, 1, 2, 3, 4, 5},
			[]string{
				"repaired_text WARNING: Text that is not valid UTF-8 was repaired in userInput.userResponse.",
				"damage WARNING: Values that cannot be what they stand for: metadata.createdAt=time out of range.",
			},
		},
		{
			"cut",
			[]string{"UPDATE steps SET step_payload = x'080e20032a0c' WHERE idx = 2"},
			[]int{0, 1, 2, 3, 4, 5},
			[]string{"damage ERROR incomplete: Step 2 could not be decoded: not a gemini_coder.Step: malformed at byte 4."},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newConversation(t)
			for i := range 6 {
				w.step(i, "text")
			}
			w.exec(test.write...)
			d := mustRead(t, w.path, sources.Want{Blocks: true})
			if diff := cmp.Diff(test.steps, d.steps()); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.notes, d.notes()); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			gaps := 0
			for _, n := range test.notes {
				if strings.HasPrefix(n, trajectory.NoteGap) {
					gaps++
				}
			}
			if len(d.footer.GetGaps()) != gaps {
				t.Errorf("gaps in the footer: %v", d.footer.GetGaps())
			}
			checkStrict(t, w.path, d)
		})
	}
}

// Oddities in the rows about the conversation as a whole cost no step.
func TestOddHeaderRows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, write string
		want        *transcriptv1.Header
		notes       []string
	}{
		{"as ever", "SELECT 1", &transcriptv1.Header{TrajectoryId: "t-1", TrajectoryType: "CASCADE", TrajectorySource: "CLI", Surface: "cli"}, nil},
		{
			"another key", "DROP TABLE trajectory_meta; CREATE TABLE trajectory_meta(trajectory_id text PRIMARY KEY) WITHOUT ROWID; INSERT INTO trajectory_meta VALUES ('t-1')",
			&transcriptv1.Header{TrajectoryId: "t-1"}, nil,
		},
		{"no row", "DELETE FROM trajectory_meta", &transcriptv1.Header{}, nil},
		{
			"text for numbers", "UPDATE trajectory_meta SET trajectory_type = 'four', source = x'00'",
			&transcriptv1.Header{TrajectoryId: "t-1"}, nil,
		},
		{
			"unknown numbers", "UPDATE trajectory_meta SET trajectory_type = 4000, source = 1",
			&transcriptv1.Header{TrajectoryId: "t-1", TrajectoryType: "4000", TrajectorySource: "CASCADE_CLIENT"},
			[]string{"unknown_fields WARNING incomplete: The decoder profile does not know enum value trajectoryType=4000."},
		},
		{
			"two rows", "INSERT INTO trajectory_meta VALUES ('t-2', 'c0ffee00-0000-4000-8000-000000000001', 4, 17)",
			&transcriptv1.Header{TrajectoryId: "t-2", TrajectoryType: "CASCADE", TrajectorySource: "CLI", Surface: "cli"},
			[]string{"row WARNING: the database describes 2 trajectories; the last of them is shown"},
		},
		{
			"rewound", "INSERT INTO parent_references VALUES (0, x'0a027430' || x'1007' || x'2801')",
			&transcriptv1.Header{
				TrajectoryId: "t-1", TrajectoryType: "CASCADE", TrajectorySource: "CLI", Surface: "cli",
				References: []*transcriptv1.Reference{{Kind: "PRUNE", TrajectoryId: "t0", StepIndex: proto.Int64(7)}},
			}, nil,
		},
		{
			"odd time", "INSERT INTO trajectory_metadata_blob VALUES ('main', x'120a08808080808080808040')",
			&transcriptv1.Header{TrajectoryId: "t-1", TrajectoryType: "CASCADE", TrajectorySource: "CLI", Surface: "cli"},
			[]string{"damage WARNING: Values that cannot be what they stand for: metadata.createdAt=time out of range."},
		},
		{
			"bad text", "INSERT INTO trajectory_metadata_blob VALUES ('main', x'2a0261ff')",
			&transcriptv1.Header{TrajectoryId: "t-1", TrajectoryType: "CASCADE", TrajectorySource: "CLI", Surface: "cli", ParentConversationId: "a\ufffd"},
			[]string{"repaired_text WARNING: Text that is not valid UTF-8 was repaired in metadata.parentConversationId."},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newConversation(t)
			w.step(0, "text")
			w.exec(test.write)
			d := mustRead(t, w.path, sources.Want{Blocks: true, Native: true})
			got := d.header
			if got.GetConversationId() != "c0ffee00-0000-4000-8000-000000000001" || !json.Valid(got.GetMembersJson()) || len(d.steps()) != 1 {
				t.Errorf("header %v, steps %v", got, d.steps())
			}
			got.ConversationId, got.MembersJson, got.Title, got.Project, got.Provenance, got.AnnouncedSteps = "", nil, nil, nil, nil, 0
			if diff := cmp.Diff(test.want, got, protocmp.Transform()); diff != "" {
				t.Errorf("header (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.notes, d.notes()); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			checkStrict(t, w.path, d)
		})
	}
}

func TestSchemaDrift(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		write   []string
		unknown string // what strict reading names; empty when it has nothing against it
		steps   int
	}{
		{"new column", []string{"ALTER TABLE steps ADD COLUMN mood text"}, "column steps.mood", 3},
		{"new table", []string{"CREATE TABLE moods(idx integer)"}, "table moods", 3},
		{"view", []string{"CREATE VIEW v AS SELECT 1"}, "view v", 3},
		{"trigger", []string{"CREATE TRIGGER tr AFTER INSERT ON steps BEGIN SELECT 1; END"}, "trigger tr", 3},
		{"computed column", []string{"ALTER TABLE steps ADD COLUMN c AS (idx*2)"}, "computed column steps.c", 3},
		{"missing tables", []string{
			"DROP TABLE gen_metadata", "DROP TABLE executor_metadata", "DROP TABLE battle_mode_infos",
			"DROP TABLE parent_references", "DROP TABLE trajectory_metadata_blob", "DROP TABLE trajectory_meta",
		}, "", 3},
		{"missing columns", []string{
			"DROP INDEX idx_steps_status", "DROP INDEX idx_steps_step_type",
			"ALTER TABLE steps DROP COLUMN status", "ALTER TABLE steps DROP COLUMN render_info", "ALTER TABLE steps DROP COLUMN step_type",
		}, "", 3},
		{"new index", []string{"CREATE INDEX i ON steps(has_subtrajectory)"}, "", 3},
		{"no key", []string{"CREATE TABLE s2 AS SELECT * FROM steps ORDER BY idx DESC", "DROP TABLE steps", "ALTER TABLE s2 RENAME TO steps"}, "", 3},
		{"key without rowid", []string{
			"CREATE TABLE s2(idx integer PRIMARY KEY, step_type, status, step_payload blob) WITHOUT ROWID",
			"INSERT INTO s2 SELECT idx, step_type, status, step_payload FROM steps", "DROP TABLE steps", "ALTER TABLE s2 RENAME TO steps",
		}, "", 3},
		{"another key without rowid", []string{
			"CREATE TABLE s2(idx integer, step_type datetime, status, step_payload blob, PRIMARY KEY(step_type, idx)) WITHOUT ROWID",
			"INSERT INTO s2 SELECT idx, '2026-01-0'||(9-idx), status, step_payload FROM steps", "DROP TABLE steps", "ALTER TABLE s2 RENAME TO steps",
		}, "", 3},
		{"hidden row number", []string{
			"CREATE TABLE s2 AS SELECT idx, step_type, status, step_payload, 7 AS RowID FROM steps ORDER BY idx DESC",
			"DROP TABLE steps", "ALTER TABLE s2 RENAME TO steps",
		}, "column steps.RowID", 3},
		{"empty", []string{"DELETE FROM steps"}, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newConversation(t)
			for i := range 3 {
				w.step(i, "text")
			}
			w.exec(test.write...)
			d := mustRead(t, w.path, sources.Want{Blocks: true})
			if len(d.steps()) != test.steps {
				t.Errorf("steps %v", d.steps())
			}
			if changed := test.name != "empty"; d.header.GetProvenance().GetUnverified() != changed {
				t.Errorf("provenance %v", d.header.GetProvenance())
			}
			_, err := readDocument(t, New(), w.path, sources.Want{Strict: true})
			if test.unknown == "" {
				if err != nil || len(d.notes()) > 0 {
					t.Errorf("strict: %v, notes %v", err, d.notes())
				}
				return
			}
			if !errors.Is(err, sources.ErrUnknown) || !strings.Contains(err.Error(), test.unknown) {
				t.Errorf("strict: %v", err)
			}
			want := []string{"unknown_fields WARNING incomplete: not shown, because the decoder profile does not know it: " + test.unknown}
			if diff := cmp.Diff(want, d.notes()); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
