package sqlite

import (
	"context"
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

	"agy-reader/host/corpus"
	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/trajectory"
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
			err = d.decode(b)
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

// decode adds the events of a batch.
func (d *document) decode(b sources.Batch) error {
	return b.Decode(func(e *transcriptv1.Event) error {
		// Not proto.Clone: it would share the strings, which die with the batch.
		raw, err := proto.Marshal(e)
		if err != nil {
			return err
		}
		kept := &transcriptv1.Event{}
		d.events = append(d.events, kept)
		return proto.Unmarshal(raw, kept)
	})
}

func collect(t testing.TB, b sources.Batch) *document {
	t.Helper()
	d := &document{}
	if err := d.decode(b); err != nil {
		t.Fatal(err)
	}
	return d
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
			if strings.Contains(n, "incomplete") || strings.HasPrefix(n, trajectory.NoteRow) {
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
	if want := map[string]int{trajectory.GenerationSection: 263, trajectory.ExecutorSection: 75}; !cmp.Equal(want, records) || calls != 260 { // 8 of them attempts that steps carry too
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
	uncounted := slices.ContainsFunc(less.notes(), func(n string) bool { return strings.HasPrefix(n, trajectory.NoteUsage) })
	for _, u := range all.footer.GetGenerations() {
		if known[u.GetResponseId()] {
			continue
		}
		if carried[u.GetResponseId()] == uncounted {
			t.Errorf("%s: usage %s: carried by a step and said to be uncounted, or neither", id, u.GetResponseId())
		}
	}
}

// A row too big to be read before the steps is read for its usage when no step carries that.
func TestUsageOfABigRow(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "hello")
	call := build.MustEncode(t, "exa.cortex_pb.CortexStepGeneratorMetadata",
		`{"chatModel":{"systemPrompt":"`+strings.Repeat("x", 100_000)+`","usage":{"inputTokens":"7","responseId":"r"}}}`)
	w.exec(fmt.Sprintf("INSERT INTO gen_metadata VALUES (0, x'%x', %d)", call, len(call)))
	d := mustRead(t, w.path, sources.Want{Blocks: true})
	if g := d.footer.GetGenerations(); len(g) != 1 || g[0].GetInputTokens() != 7 || strings.Contains(fmt.Sprint(d.notes()), "token totals") {
		t.Errorf("model calls %v, notes %v", g, d.notes())
	}
}

// Nobody pays for records that no sink asked for, and what was left out is said.
func TestRecordsOnlyOnDemand(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "hello")
	w.exec("INSERT INTO gen_metadata VALUES (0, x'0a00', 2), (1, zeroblob(1048577), 1048577), (2, zeroblob(1070000), 1070000)",
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
	if d.records()[trajectory.ExecutorSection] != 1 || len(d.footer.GetSkippedSections()) > 0 {
		t.Errorf("records %v, skipped %v", d.records(), d.footer.GetSkippedSections())
	}
}

func TestBigStepsTravelAlone(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	sizes := []int{10, trajectory.BatchBytes - 100, trajectory.BatchBytes + 1, 3 << 20, 20, 30}
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
	bounded := New()
	bounded.maxBlob = 1 << 20
	_, err := readDocument(t, bounded, w.path, sources.Want{})
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

func TestDescribe(t *testing.T) {
	t.Parallel()
	if got := New().Describe(); got.Name != "sqlite" || fmt.Sprint(got.Suffixes) != "[.db]" || got.Summary == "" {
		t.Errorf("describe %+v", got)
	}
}
