package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/corpus"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// document is everything a reader gave.
type document struct {
	header  *transcriptv1.Header
	events  []*transcriptv1.Event
	footer  *transcriptv1.Footer
	batches int
}

// readDocument reads a conversation to its end.
func readDocument(t testing.TB, s *Source, path string, want sources.Want) (*document, error) {
	t.Helper()
	ctx := context.Background()
	r, err := s.Open(ctx, sources.Ref{Path: path}, want)
	if err != nil {
		return nil, err
	}
	d := &document{header: r.Header()}
	err = func() error {
		for {
			b, err := r.Next(ctx)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			d.batches++
			err = b.Decode(func(e *transcriptv1.Event) error {
				// Not proto.Clone: it would share the strings, which die with the batch.
				raw, err := proto.Marshal(e)
				if err != nil {
					return err
				}
				kept := &transcriptv1.Event{}
				d.events = append(d.events, kept)
				return proto.Unmarshal(raw, kept)
			})
			b.Release()
			if err != nil {
				return err
			}
		}
	}()
	footer, closeErr := r.Close()
	d.footer = footer
	return d, errors.Join(err, closeErr)
}

func mustRead(t testing.TB, path string, want sources.Want) *document {
	t.Helper()
	d, err := readDocument(t, New(WithBusyTimeout(time.Second)), path, want)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// steps lists the indexes of the conversation's own steps.
func (d *document) steps() []int {
	var list []int
	depth := 0
	for _, e := range d.events {
		switch {
		case e.GetBegin() != nil:
			depth++
		case e.GetEnd() != nil:
			depth--
		case e.GetStep() != nil && depth == 0:
			list = append(list, int(e.GetStep().GetIndex()))
		}
	}
	return list
}

// notes lists the notes as `kind severity incomplete: text`.
func (d *document) notes() []string {
	var list []string
	for _, e := range d.events {
		if n := e.GetNote(); n != nil {
			line := n.GetKind() + " " + strings.TrimPrefix(n.GetSeverity().String(), "SEVERITY_")
			if n.GetIncomplete() {
				line += " incomplete"
			}
			list = append(list, line+": "+n.GetText())
		}
	}
	return list
}

func (d *document) records() map[string]int {
	count := map[string]int{}
	for _, e := range d.events {
		if r := e.GetRecord(); r != nil {
			count[r.GetSection()]++
		}
	}
	return count
}

func TestCorpusDocuments(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	before := storeState(t, home)
	calls, records := 0, map[string]int{}
	for _, path := range corpus.Databases(t, home) {
		id := strings.TrimSuffix(filepath.Base(path), ".db")
		d := mustRead(t, path, sources.Want{Blocks: true, Native: true, Display: true, Records: true, Strict: true})
		if got := len(d.steps()); got != corpusSteps[id[:8]] || int(d.header.GetAnnouncedSteps()) != got {
			t.Errorf("%s: %d steps, %d announced", id, got, d.header.GetAnnouncedSteps())
		}
		if d.header.GetConversationId() != id || d.header.GetTrajectoryType() != "CASCADE" || d.header.GetCreatedNs() == 0 {
			t.Errorf("%s: header %v", id, d.header)
		}
		if p := d.header.GetProvenance(); p.GetUnverified() || p.GetSchemaFingerprint() != knownFingerprint || p.GetLocation() != id+".db" {
			t.Errorf("%s: provenance %v", id, p)
		}
		for _, n := range d.notes() {
			if strings.Contains(n, "incomplete") || strings.HasPrefix(n, noteRow) {
				t.Errorf("%s: %s", id, n)
			}
		}
		if len(d.footer.GetGaps()) > 0 || len(d.footer.GetSkippedSections()) > 0 {
			t.Errorf("%s: footer %v", id, d.footer)
		}
		calls += len(d.footer.GetGenerations())
		for section, n := range d.records() {
			records[section] += n
		}
		checkSkipped(t, id, d, mustRead(t, path, sources.Want{Blocks: true}))
	}
	if want := map[string]int{generationSection: 263, executorSection: 75}; !cmp.Equal(want, records) || calls != 252 {
		t.Errorf("records %v, %d model calls with usage", records, calls)
	}
	if diff := cmp.Diff(before, storeState(t, home)); diff != "" {
		t.Errorf("the store changed:\n%s", diff)
	}
}

// checkSkipped compares what the footer says about model calls that were not read with the calls themselves.
func checkSkipped(t *testing.T, id string, all, less *document) {
	t.Helper()
	known, carried := map[string]bool{}, map[string]bool{}
	for _, u := range less.footer.GetGenerations() {
		known[u.GetResponseId()] = true
	}
	for _, e := range all.events {
		if u := e.GetStep().GetUsage(); u != nil {
			carried[u.GetResponseId()] = true
		}
	}
	uncounted := slices.ContainsFunc(less.notes(), func(n string) bool { return strings.HasPrefix(n, noteUsage) })
	for _, u := range all.footer.GetGenerations() {
		if known[u.GetResponseId()] {
			continue
		}
		if carried[u.GetResponseId()] == uncounted {
			t.Errorf("%s: usage %s: carried by a step and said to be uncounted, or neither", id, u.GetResponseId())
		}
	}
}

// Nobody pays for records that no sink asked for, and what was left out is said.
func TestRecordsOnlyOnDemand(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "hello")
	w.exec("INSERT INTO gen_metadata VALUES (0, x'0a00', 2), (1, zeroblob(65537), 65537), (2, zeroblob(70000), 70000)",
		"INSERT INTO executor_metadata VALUES (0, x'')")
	d := mustRead(t, w.path, sources.Want{Blocks: true})
	want := []string{"generatorMetadata: 3 rows", "executorMetadatas: 1 row, 0 bytes"}
	if diff := cmp.Diff(want, d.footer.GetSkippedSections()); diff != "" || len(d.records()) > 0 {
		t.Errorf("records %v, skipped (-want +got):\n%s", d.records(), diff)
	}
	if notes := fmt.Sprint(d.notes()); !strings.Contains(notes, "token totals may lack 2 rows of generatorMetadata (index 1-2)") {
		t.Errorf("notes: %s", notes)
	}
	d = mustRead(t, w.path, sources.Want{Blocks: true, Records: true})
	if d.records()[executorSection] != 1 || len(d.footer.GetSkippedSections()) > 0 {
		t.Errorf("records %v, skipped %v", d.records(), d.footer.GetSkippedSections())
	}
}

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
			[]string{"row WARNING: step 2: its columns status, has_subtrajectory, permissions say something else than its content, which is shown"},
		},
		{
			"unknown format",
			[]string{"UPDATE steps SET step_format = 2 WHERE idx = 2"},
			[]int{0, 1, 2, 3, 4, 5},
			[]string{"damage WARNING incomplete: step 2: it is stored in unknown format 2"},
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
				if strings.HasPrefix(n, noteGap) {
					gaps++
				}
			}
			if len(d.footer.GetGaps()) != gaps {
				t.Errorf("gaps in the footer: %v", d.footer.GetGaps())
			}
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
			[]string{"unknown_fields WARNING incomplete: trajectory: the decoder profile does not know enum value trajectoryType=4000"},
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

func TestBigStepsTravelAlone(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	sizes := []int{10, batchBytes - 100, batchBytes + 1, 3 << 20, 20, 30}
	for i, size := range sizes {
		w.step(i, strings.Repeat("x", size))
	}
	d := mustRead(t, w.path, sources.Want{Blocks: true, Native: true})
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5}, d.steps()); diff != "" || d.batches < 4 {
		t.Errorf("%d batches, steps (-want +got):\n%s", d.batches, diff)
	}
	for i, e := range d.events {
		if got := len(e.GetStep().GetNativeJson()); got < sizes[i] {
			t.Errorf("step %d: %d bytes of JSON", i, got)
		}
	}
	_, err := readDocument(t, New(WithMaxBlob(1<<20)), w.path, sources.Want{})
	if !errors.Is(err, sources.ErrLimit) {
		t.Errorf("error %v beyond the limit", err)
	}
}

func TestReaderEndsEarly(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	for i := range 40 {
		w.step(i, strings.Repeat("x", 100_000))
	}
	ctx, cancel := context.WithCancel(context.Background())
	for _, read := range []int{0, 1, 3} {
		r, err := New().Open(ctx, sources.Ref{Path: w.path}, sources.Want{})
		if err != nil {
			t.Fatal(err)
		}
		for range read {
			b, err := r.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			b.Release()
		}
		if footer, err := r.Close(); footer != nil || err != nil {
			t.Errorf("closed after %d batches: %v, %v", read, footer, err)
		}
	}
	r, err := New().Open(ctx, sources.Ref{Path: w.path}, sources.Want{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for range 50 {
		if _, err = r.Next(ctx); err != nil {
			break
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v when cancelled", err)
	}
	if _, err := r.Close(); err != nil {
		t.Error(err)
	}
}

// The digest follows the rows and nothing else.
func TestDigest(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "a")
	w.step(1, "b")
	sum := func() string { return mustRead(t, w.path, sources.Want{Digest: true}).footer.GetSourceDigest() }
	first := sum()
	w.exec("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM")
	if again := sum(); len(first) != 64 || again != first {
		t.Errorf("digest %s, then %s", first, again)
	}
	w.step(1, "c")
	if sum() == first {
		t.Error("the digest does not see a changed step")
	}
	if d := mustRead(t, w.path, sources.Want{}); d.footer.GetSourceDigest() != "" {
		t.Error("a digest nobody wanted")
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := New()
	list := func() []sources.Ref {
		var refs []sources.Ref
		for ref, err := range s.List(context.Background(), root) {
			if err != nil {
				t.Fatal(err)
			}
			refs = append(refs, ref)
		}
		return refs
	}
	if got := list(); got != nil {
		t.Errorf("without a folder: %v", got)
	}
	dir := filepath.Join(root, "conversations")
	for _, name := range []string{"a.db", "a.db-wal", "a.db-shm", "b.pb", "c.db", ".db", "d.trajectory.json"} {
		touch(t, filepath.Join(dir, name))
	}
	touch(t, filepath.Join(dir, "folder.db", "x"))
	want := []sources.Ref{
		{ID: "a", Path: filepath.Join(dir, "a.db"), Root: root},
		{ID: "c", Path: filepath.Join(dir, "c.db"), Root: root},
	}
	if diff := cmp.Diff(want, list()); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

// Damage in the file reaches the reader as a stated gap, not as a shorter conversation.
func TestDamagedConversation(t *testing.T) {
	t.Parallel()
	path, _ := damageable(t)
	leaves := pagesOf(t, path, "leaf")
	overwrite(t, path, leaves[20], make([]byte, 4096))
	d := mustRead(t, path, sources.Want{Blocks: true})
	if got := len(d.steps()); got >= 400 || got < 380 {
		t.Errorf("%d steps", got)
	}
	if len(d.footer.GetGaps()) != 1 || !d.footer.GetGaps()[0].GetIncomplete() {
		t.Fatalf("gaps %v", d.footer.GetGaps())
	}
	gap := d.footer.GetGaps()[0]
	missing := int(gap.GetLastIndex()-gap.GetFirstIndex()) + 1
	if missing+len(d.steps()) != 400 || !strings.Contains(gap.GetText(), "damaged") {
		t.Errorf("%d steps and %v", len(d.steps()), gap)
	}
	overwrite(t, path, leaves[len(leaves)-1], make([]byte, 4096))
	d = mustRead(t, path, sources.Want{Blocks: true})
	last := d.notes()[len(d.notes())-1]
	if !strings.HasPrefix(last, "gap ERROR incomplete: all steps from ") {
		t.Errorf("last note %q", last)
	}
	overwrite(t, path, pagesOf(t, path, "internal")[0], make([]byte, 4096))
	if _, err := readDocument(t, New(), path, sources.Want{}); !errors.Is(err, sources.ErrUnreadable) {
		t.Errorf("error %v with nothing left", err)
	}
}

// A log that no longer fits its checksums costs what it held, and that is said.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "in the file")
	w.exec("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_autocheckpoint = 0")
	w.step(1, "in the log")
	w.step(2, "in the log, behind the damage")
	w.step(3, "in the log, behind the damage")
	path := copyFiles(t, w.path, "-wal")
	flip(t, path+"-wal", -4096-2000)
	d := mustRead(t, path, sources.Want{Blocks: true})
	if diff := cmp.Diff([]int{0, 1, 2}, d.steps()[:min(3, len(d.steps()))]); diff != "" || len(d.notes()) != 1 ||
		!strings.HasPrefix(d.notes()[0], "damage ERROR incomplete: the write-ahead log is damaged behind frame") {
		t.Errorf("steps %v, notes %v", d.steps(), d.notes())
	}
	flip(t, path+"-wal", 3)
	d = mustRead(t, path, sources.Want{Blocks: true})
	want := []string{"damage ERROR incomplete: the write-ahead log has no valid header; what it held is missing"}
	if diff := cmp.Diff(want, d.notes()); diff != "" || len(d.steps()) != 1 {
		t.Errorf("steps %v, notes (-want +got):\n%s", d.steps(), diff)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	if got := New().Describe(); got.Name != "sqlite" || fmt.Sprint(got.Suffixes) != "[.db]" || got.Summary == "" {
		t.Errorf("describe %+v", got)
	}
}
