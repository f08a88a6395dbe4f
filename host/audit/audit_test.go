package audit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit"
	"agy-reader/host/audit/record"
	"agy-reader/host/audit/shape"
	"agy-reader/host/audit/sweep"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
)

const schema = "1ca98426f561fe73223c8620a238405030fdb3014444d970e1300a6009f72f43"

// The first audit finds nothing recorded; the second one, with its record, that nothing changed.
func TestSpotCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sync(1)
	first := w.examine()
	if len(first.Findings)+len(first.Refusals) > 0 || first.Drifted() {
		t.Fatalf("%v %v\n%s", first.Findings, first.Refusals, text(first))
	}
	for name, want := range map[string]audit.Verdict{
		"newest conversation": audit.Pass, "agy version": audit.NotRecorded, "tables": audit.Pass, "schema fingerprint": audit.NotRecorded,
		"sidecar corpus scope": audit.Pass, "sidecar shape": audit.NotRecorded, "sidecar paths": audit.Pass, "reader sync": audit.Pass,
		"agy changelog": audit.Skipped, "go test": audit.Skipped, "agentsview": audit.Skipped,
	} {
		if got := verdict(first, name); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	found, err := shape.Of(t.Context(), sidecar.Path(w.file(1)))
	if err != nil {
		t.Fatal(err)
	}
	want := record.Record{
		Version: "1.4.4", VerifiedOn: first.Record.VerifiedOn, Commit: "`" + commit + "` (clean tree)",
		Schema:            "battle_mode_infos, executor_metadata, gen_metadata, parent_references, steps, trajectory_meta, trajectory_metadata_blob; user_version 1",
		SchemaFingerprint: "`" + schema + "`", ShapeFingerprint: "`" + found.Shape.Fingerprint() + "`", Scope: "latest-paired-sidecar (1 sidecar)",
		IDE: "no database of the IDE was at hand",
	}
	if diff := cmp.Diff(want, *first.Record); diff != "" || !strings.HasPrefix(first.Record.VerifiedOn, "2026-12-02 (") {
		t.Errorf("%s\n%s", first.Record.VerifiedOn, diff)
	}
	w.Recorded = recorded(t, first)
	second := w.examine()
	for _, name := range []string{"agy version", "schema fingerprint", "sidecar shape"} {
		if got := verdict(second, name); got != audit.Unchanged {
			t.Errorf("%s: %s", name, got)
		}
	}
	if diff := cmp.Diff(first.Record, second.Record); diff != "" || second.Drifted() {
		t.Error(diff)
	}
	w.Recorded.Version, w.programs["git status --porcelain"] = "1.4.3", " M main.go\n"
	third := w.examine()
	if verdict(third, "agy version") != audit.New || third.Drifted() || third.Record.Commit != "`"+commit+"` (dirty tree)" {
		t.Errorf("%+v\n%s", third.Record, text(third))
	}
}

// N77: without a shape there is no record, whatever else is right.
func TestReferenceN77NoShapeNoRecord(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(w *world){
		"no sidecar":      func(*world) {},
		"no JSON":         func(w *world) { w.put(sidecar.Path(w.file(1)), "{") },
		"no object":       func(w *world) { w.put(sidecar.Path(w.file(1)), "[]") },
		"an empty corpus": func(w *world) { w.Corpus = w.t.TempDir() },
		"a broken file in the corpus": func(w *world) {
			w.Corpus = w.t.TempDir()
			w.put(filepath.Join(w.Corpus, idOf(1)+sidecar.Suffix), `{"steps":`)
			w.put(filepath.Join(w.Corpus, idOf(2)+sidecar.Suffix), `{"steps":[]}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			prepare(w)
			r := w.examine()
			if r.Record != nil || len(r.Findings) == 0 || len(r.Refusals) == 0 || verdict(r, "sidecar shape") != audit.Fail {
				t.Errorf("%+v\n%s", r.Record, text(r))
			}
		})
	}
}

func (w *world) put(path, text string) {
	w.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// N78: what is not known to be the same version is never compared.
func TestReferenceN78UnknownVersionIsNeverComparable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sync(1)
	w.Recorded = recorded(t, w.examine())
	for name, agy := range map[string]func(context.Context) (string, error){
		"no agy":    func(context.Context) (string, error) { return "", errors.New("agy not on PATH") },
		"no number": func(context.Context) (string, error) { return "agy, devel", nil },
	} {
		w.Agy = agy
		r := w.examine()
		if verdict(r, "agy version") != audit.NotComparable || verdict(r, "sidecar shape") != audit.NotComparable || verdict(r, "schema fingerprint") != audit.Unchanged {
			t.Errorf("%s:\n%s", name, text(r))
		}
		if len(r.Refusals) != 1 || !strings.Contains(r.Refusals[0], "PATH") || r.Record == nil || r.Record.Version != "unknown" {
			t.Errorf("%s: %v", name, r.Refusals)
		}
		w.Corpus = filepath.Dir(w.file(1))
		if r := w.examine(); !strings.HasPrefix(r.Record.Scope, "partial-unknown-scoped") || verdict(r, "sidecar shape") != audit.NotComparable {
			t.Errorf("%s: %s", name, r.Record.Scope)
		}
		w.Corpus = ""
	}
	w.Agy = func(context.Context) (string, error) { return "1.4.4", nil }
	w.Recorded.Version = "unknown"
	if r := w.examine(); verdict(r, "sidecar shape") != audit.NotComparable {
		t.Errorf("%s", text(r))
	}
}

// N79: the record is the CLI's.
func TestReferenceN79NoRecordOfTheIDE(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sync(1)
	for _, surface := range []string{"ide", "ide2", "acp"} {
		w.Root.Surface, w.Record = surface, true
		if _, err := audit.Examine(t.Context(), w.Options); !errors.Is(err, audit.ErrRefused) {
			t.Errorf("%s: %v", surface, err)
		}
		if w.Record = false; w.examine().Record == nil {
			t.Errorf("%s cannot be looked at", surface)
		}
	}
}

// N8: no other program is needed to look.
func TestReferenceN08NeedsNoOtherProgram(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sync(1)
	w.programs = nil
	r := w.examine()
	if len(r.Findings) > 0 || r.Record == nil || r.Record.ShapeFingerprint == "" || r.Record.Commit != "" {
		t.Errorf("%v, %+v", r.Findings, r.Record)
	}
	if len(r.Refusals) != 1 || !strings.Contains(r.Refusals[0], "git is not on PATH") { // a record must name the commit
		t.Errorf("%v", r.Refusals)
	}
}

// A record needs proof that a sync works: for the newest conversation, and for those that are named.
func TestReaderSync(t *testing.T) {
	t.Parallel()
	altered := func(w *world) {
		f, err := sidecar.Read(sidecar.Path(w.file(1)))
		if err != nil {
			w.t.Fatal(err)
		}
		f.Trajectory = []byte(strings.Replace(string(f.Trajectory), "Hello.", "Bye.", 1))
		if _, err := sidecar.Write(sidecar.Path(w.file(1)), f.Trajectory, nil, time.Now()); err != nil {
			w.t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		prepare func(w *world)
		refused string
	}{
		"synced":              {func(w *world) { w.sync(1) }, ""},
		"no evidence":         {func(w *world) { w.put(sidecar.Path(w.file(1)), `{"cascadeId":"x"}`) }, "no usable evidence"},
		"altered":             {func(w *world) { w.sync(1); altered(w) }, "is not the one that was verified"},
		"another qualifies":   {func(w *world) { w.sync(1); w.sync(2); w.Qualify = []string{idOf(2), strings.ToUpper(idOf(1))} }, ""},
		"another does not":    {func(w *world) { w.sync(1); w.Qualify = []string{idOf(2)} }, idOf(2) + " does not pass the reader-sync check: it has no sidecar that says so"},
		"another is nowhere":  {func(w *world) { w.sync(1); w.Qualify = []string{idOf(3)} }, "it is not in"},
		"swept":               {func(w *world) { w.swept(nil) }, ""},
		"swept, both qualify": {func(w *world) { w.swept(nil); w.Qualify = []string{idOf(2)} }, ""},
		"swept, not verified": {func(w *world) {
			w.swept(func(m *sweep.Manifest) { m.Sessions[0].ReaderSync = sweep.ReaderSync{Class: "stale", Reason: "old"} })
		}, "the sweep could not verify it (stale): old"},
		"swept, said without evidence": {func(w *world) {
			w.swept(func(m *sweep.Manifest) { m.Sessions[0].ReaderSync.Evidence = nil })
		}, "could not verify it"},
		"swept, evidence of another": {func(w *world) {
			w.swept(func(m *sweep.Manifest) { m.Sessions[0].ReaderSync = m.Sessions[1].ReaderSync })
		}, verify.ErrSourceDiffers.Error()},
		"swept, another daemon's answer": {func(w *world) {
			w.swept(func(m *sweep.Manifest) { m.Sessions[0].ReaderSync.Endpoint = "http://127.0.0.1:1" })
		}, ""},
		"swept, another daemon about another": {func(w *world) {
			w.swept(func(m *sweep.Manifest) {
				m.Sessions[0].ReaderSync = m.Sessions[1].ReaderSync
				m.Sessions[0].ReaderSync.Endpoint = "http://127.0.0.1:1"
			})
		}, verify.ErrSourceDiffers.Error()},
		"swept, corpus altered": {func(w *world) {
			w.swept(nil)
			path := filepath.Join(w.Corpus, sweep.CorpusFile(idOf(1)))
			data, err := os.ReadFile(path)
			if err != nil {
				w.t.Fatal(err)
			}
			w.put(path, strings.Replace(string(data), "Hello.", "Bye.", 1))
		}, "is not the one that was verified"},
		"swept with another agy": {func(w *world) {
			w.swept(func(m *sweep.Manifest) { m.InstalledAgyVersion = "agy 1.4.3" })
		}, "swept when agy 1.4.3 was installed"},
		"swept without a manifest": {func(w *world) {
			w.sync(1)
			w.swept(nil)
			if err := os.Remove(filepath.Join(filepath.Dir(w.Corpus), sweep.ManifestName)); err != nil {
				w.t.Fatal(err)
			}
		}, "nothing proves that it is a whole sweep"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tc.prepare(w)
			r := w.examine()
			if tc.refused == "" && len(r.Refusals) > 0 || tc.refused != "" && (len(r.Refusals) != 1 || !strings.Contains(r.Refusals[0], tc.refused)) {
				t.Errorf("%q\n%s", r.Refusals, text(r))
			}
			if failed := verdict(r, "reader sync") == audit.Fail; failed && len(r.Findings) == 0 {
				t.Errorf("what failed is no finding:\n%s", text(r))
			}
		})
	}
}

// A corpus that is no whole sweep of this store is not taken for one.
func TestSweptCorpusMustBeWhole(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(w *world, m *sweep.Manifest)
		err    string
	}{
		"incomplete":     {func(_ *world, m *sweep.Manifest) { m.Complete = false }, "incomplete"},
		"another store":  {func(w *world, m *sweep.Manifest) { m.Root = w.t.TempDir() }, "another store was swept"},
		"too few":        {func(_ *world, m *sweep.Manifest) { m.Selected = 3 }, "selects 3 conversations and lists 2"},
		"a file more":    {func(w *world, _ *sweep.Manifest) { w.put(filepath.Join(w.Corpus, sweep.CorpusFile(idOf(3))), "{}") }, "which the manifest does not name"},
		"a file less":    {func(w *world, _ *sweep.Manifest) { _ = os.Remove(filepath.Join(w.Corpus, sweep.CorpusFile(idOf(2)))) }, "the corpus holds 1 of them"},
		"other versions": {func(_ *world, m *sweep.Manifest) { m.ManifestVersion = 9 }, "has version 9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.swept(func(m *sweep.Manifest) { tc.change(w, m) })
			if _, err := audit.Examine(t.Context(), w.Options); err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%v", err)
			}
		})
	}
	w := newWorld(t)
	w.Swept = true
	if _, err := audit.Examine(t.Context(), w.Options); !errors.Is(err, audit.ErrRefused) || !strings.Contains(err.Error(), "AGY_SIDECAR_CORPUS") {
		t.Error(err)
	}
	w.Corpus = filepath.Join(t.TempDir(), "missing")
	if _, err := audit.Examine(t.Context(), w.Options); !errors.Is(err, sources.ErrNotFound) {
		t.Error(err)
	}
}

// Shapes are compared between corpora of one kind alone; what is new and gone is shown.
func TestShapesAreComparedWithinAScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.swept(nil)
	corpus := w.Corpus
	was := recorded(t, w.examine())
	if !strings.HasPrefix(was.Scope, "explicit-version-scoped (2 sidecars)") {
		t.Fatalf("%s", was.Scope)
	}
	w.Recorded = was
	if r := w.examine(); verdict(r, "sidecar shape") != audit.Unchanged {
		t.Errorf("%s", text(r))
	}
	w.Swept = false
	if r := w.examine(); verdict(r, "sidecar shape") != audit.NotComparable || !strings.HasPrefix(r.Record.Scope, "partial-1.4.4-scoped (2") {
		t.Errorf("%s", text(r))
	}
	w.Corpus = ""
	w.sync(1)
	if r := w.examine(); verdict(r, "sidecar shape") != audit.NotComparable || !strings.Contains(text(r), "this is latest-paired-sidecar, the record explicit-version-scoped") {
		t.Errorf("%s", text(r))
	}
	// A member more, a member less.
	w.Corpus, w.Swept = corpus, true
	before, err := shape.Of(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if w.Baseline, err = audit.ParseBaseline("mine.txt", strings.Join(before.Shape.Lines(), "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		path := filepath.Join(corpus, sweep.CorpusFile(idOf(n)))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w.put(path, strings.Replace(string(data), `"response":`, `"answer":`, 1))
	}
	r := w.examine()
	if verdict(r, "sidecar shape") != audit.Drift || !r.Drifted() || verdict(r, "schema fingerprint") != audit.Unchanged {
		t.Errorf("%s", text(r))
	}
	for _, want := range []string{"1 new, 0 of other types and 1 absent against mine.txt\n", "+ steps.[].plannerResponse.answer: string", "- below steps.[].plannerResponse: response\n"} {
		if !strings.Contains(text(r), want) {
			t.Errorf("no %q in\n%s", want, text(r))
		}
	}
	w.Baseline = audit.PublishedBaseline()
	if r := w.examine(); !strings.Contains(text(r), "which is not the one behind the record") {
		t.Errorf("%s", text(r))
	}
}

func TestSchemaDrift(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sync(1)
	w.Recorded.SchemaFingerprint = "`0000`"
	if r := w.examine(); verdict(r, "schema fingerprint") != audit.Drift || !r.Drifted() || len(r.Refusals) > 0 {
		t.Errorf("%s", text(r))
	}
	w.Declarer = declares{Tables: []string{"steps", "steps_v2", "trajectory_meta"}, UserVersion: 2, Fingerprint: "ffff"}
	r := w.examine()
	if verdict(r, "tables") != audit.Drift || len(r.Refusals) != 1 || !strings.Contains(text(r), "new: steps_v2") || !strings.Contains(text(r), "missing: gen_metadata") {
		t.Errorf("%v\n%s", r.Refusals, text(r))
	}
	w.put(w.file(1), "no database")
	fresh := newWorld(t)
	fresh.put(fresh.file(1), "no database")
	if r := fresh.examine(); verdict(r, "tables") != audit.Fail || r.Record != nil || len(r.Findings) == 0 {
		t.Errorf("%s", text(r))
	}
}

type declares sources.Declaration

func (d declares) Declaration(context.Context, sources.Ref) (sources.Declaration, error) {
	return sources.Declaration(d), nil
}

func TestNothingToLookAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Root.Path = t.TempDir()
	if _, err := audit.Examine(t.Context(), w.Options); !errors.Is(err, sources.ErrNotFound) {
		t.Error(err)
	}
	w = newWorld(t)
	w.Wait = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	w.Say = func(string) { cancel() } // while it waits
	if _, err := audit.Examine(ctx, w.Options); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A first sidecar is waited for, and the wait ends when it comes.
func TestWaitsForTheFirstSidecar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Wait = time.Minute
	w.Say = func(text string) {
		w.said = append(w.said, text)
		w.sync(1)
	}
	if r := w.examine(); r.Record == nil || len(w.said) != 1 || !strings.Contains(w.said[0], "waiting up to 1m0s for the first sidecar of "+idOf(1)) {
		t.Errorf("%v\n%s", w.said, text(r))
	}
	w = newWorld(t)
	w.Wait = 300 * time.Millisecond
	began := time.Now()
	if r := w.examine(); r.Record != nil || time.Since(began) < w.Wait {
		t.Errorf("%s after %s", text(r), time.Since(began))
	}
}

// The tests of a checkout, and those of AgentsView, are run as the help says.
func TestRunsTests(t *testing.T) {
	t.Parallel()
	own := "go test ./sources/profile ./host/sidecar ./host/verify ./host/audit/..."
	w := newWorld(t)
	w.sync(1)
	w.put(filepath.Join(w.Repo, "go.mod"), "module agy-reader\n")
	view := t.TempDir()
	w.AgentsView = view
	if r := w.examine(); verdict(r, "agentsview") != audit.Fail || len(r.Findings) != 2 { // no go.mod there, and no go here
		t.Errorf("%v\n%s", r.Findings, text(r))
	}
	w.put(filepath.Join(view, "go.mod"), "module view\n")
	w.programs[own], w.programs["go test ./..."] = "ok", "failed: line one\nline two"
	r := w.examine()
	if verdict(r, "go test") != audit.Pass || verdict(r, "agentsview") != audit.Fail || len(r.Findings) != 1 || !strings.Contains(text(r), "line two") {
		t.Errorf("%v\n%s", r.Findings, text(r))
	}
	if err := os.MkdirAll(filepath.Join(view, "internal", "parser"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.programs["go test -run Antigravity ./internal/parser/..."] = "ok"
	if r := w.examine(); verdict(r, "agentsview") != audit.Pass || len(r.Refusals) > 0 || !slices.Contains(w.ran, own) {
		t.Errorf("%v\n%s", r.Refusals, text(r))
	}
	w.programs["go test -run Antigravity ./internal/parser/..."] = "ok  \tview/internal/parser\t0.1s [no tests to run]\n?   \tview/x\t[no test files]\n"
	if r := w.examine(); verdict(r, "agentsview") != audit.Fail || len(r.Findings) != 1 || !strings.Contains(r.Findings[0], "ran no test") {
		t.Errorf("%v\n%s", r.Findings, text(r))
	}
	w.put(filepath.Join(w.Repo, "go.mod"), "module other\n")
	if r := w.examine(); verdict(r, "go test") != audit.Skipped {
		t.Errorf("%s", text(r))
	}
}

func TestIDENote(t *testing.T) {
	t.Parallel()
	w, ide := newWorld(t), newWorld(t)
	w.sync(1)
	w.IDE = store.Root{Path: ide.Root.Path, Surface: "ide"}
	if r := w.examine(); r.Record.IDE != "the newest database of the IDE has the same schema fingerprint; its answers were not audited" {
		t.Error(r.Record.IDE)
	}
	ide.put(ide.file(1), "no database") // which is the newest now
	if r := w.examine(); r.Record.IDE != "the newest database of the IDE could not be read" || len(r.Refusals) > 0 {
		t.Error(r.Record.IDE, r.Refusals)
	}
}

func TestPublishedBaseline(t *testing.T) {
	t.Parallel()
	b := audit.PublishedBaseline()
	if got := b.Fingerprint(); got != "sha256:3acca61c897bdec898292c1646090faf1913781f0a4d11ca389bc043ba4ec92a" || len(b.Lines) != 1736 {
		t.Errorf("%s of %d lines", got, len(b.Lines))
	}
	for _, bad := range []string{"", "\n", "a path", "a\t", "a\tstring\nb"} {
		if _, err := audit.ParseBaseline("f", bad); !errors.Is(err, sources.ErrUnreadable) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestFindCheckout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t}
	w.put(filepath.Join(dir, record.FileName), "")
	w.put(filepath.Join(dir, "go.mod"), "module other\n")
	if got := audit.FindCheckout(deep); got != "" {
		t.Errorf("%s", got)
	}
	w.put(filepath.Join(dir, "go.mod"), "module agy-reader\n\ngo 1.26\n")
	for _, from := range []string{dir, deep} {
		if got := audit.FindCheckout(from); got != dir {
			t.Errorf("%s", got)
		}
	}
}
