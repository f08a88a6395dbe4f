package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/audit"
	"agy-reader/host/audit/record"
	"agy-reader/host/audit/sweep"
	"agy-reader/host/builtin"
	"agy-reader/host/command"
	"agy-reader/host/demo/build"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func idOf(n int) string { return fmt.Sprintf("c1ea0000-0000-4000-8000-%012d", n) }

// world is a store with two conversations, and programs that a test plays.
type world struct {
	audit.Options
	t    *testing.T
	said []string
	// programs are answers by command line, without flags that name folders.
	programs map[string]string
	ran      []string
}

const commit = "0123456789abcdef0123456789abcdef01234567"

func newWorld(t *testing.T) *world {
	t.Helper()
	root := t.TempDir()
	for n := 1; n <= 2; n++ {
		build.AddFamily(t, root, build.Member{ID: idOf(n), Steps: steps(t)})
		at := time.Now().Add(-time.Duration(n) * time.Hour)
		if err := os.Chtimes(filepath.Join(root, "conversations", idOf(n)+".db"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	backends, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	database, err1 := backends.Source("sqlite")
	legacy, err2 := backends.Source("legacypb")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, programs: map[string]string{"git rev-parse HEAD": commit + "\n", "git status --porcelain": ""}}
	w.Options = audit.Options{
		Root: store.Root{Path: root, Surface: "cli"}, Baseline: audit.PublishedBaseline(), Repo: t.TempDir(), Record: true,
		Declarer: database.(sources.Declarer), Verifier: verify.New(database, legacy),
		Agy: func(context.Context) (string, error) { return "agy 1.4.4 (stable)", nil },
		Run: w.run, Say: func(text string) { w.said = append(w.said, text) },
		Now: func() time.Time { return time.Date(2026, 12, 1, 23, 30, 0, 0, time.FixedZone("west", -3600)) },
	}
	return w
}

// steps are of a conversation that can be verified.
func steps(t *testing.T) (list [][]byte) {
	t.Helper()
	for _, text := range []string{
		`{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`,
		`{"type": 15, "status": 3, "plannerResponse": {"response": "Hello."}}`,
	} {
		step, err := build.Encode(build.StepMessage, text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, step)
	}
	return list
}

func (w *world) run(_ context.Context, c command.Command) (string, bool, error) {
	line := c.String()
	if c.Name == "git" {
		line = strings.Replace(line, " -C "+w.Repo, "", 1)
	}
	w.ran = append(w.ran, line)
	said, known := w.programs[line]
	if !known {
		return "", true, fmt.Errorf("%s is %w", c.Name, command.ErrMissing)
	}
	if text, failed := strings.CutPrefix(said, "failed: "); failed {
		return text, true, errors.New("exit status 1")
	}
	return said, true, nil
}

func (w *world) file(n int) string { return filepath.Join(w.Root.Path, "conversations", idOf(n)+".db") }

// answer is the ordinary answer about a conversation, and the evidence that it is what is stored.
func (w *world) answer(n int) (json.RawMessage, *verify.Evidence) {
	w.t.Helper()
	ordinary := json.RawMessage(`{"trajectoryId":"trajectory-of-` + idOf(n) + `","cascadeId":"` + idOf(n) + `","trajectoryType":"CORTEX_TRAJECTORY_TYPE_CASCADE",` +
		`"source":"CORTEX_TRAJECTORY_SOURCE_CLI","metadata":{"createdAt":"2026-09-14T08:00:00Z","rootConversationId":"` + idOf(n) + `"},` +
		`"steps":[{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","userInput":{"userResponse":"Say hello"}},` +
		`{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE","plannerResponse":{"response":"Hello."}}]}`)
	snapshot, err := w.Verifier.Take(w.t.Context(), store.Session{ID: idOf(n), Root: w.Root, Bucket: store.Conversations, Path: w.file(n), Kind: ".db"})
	if err != nil {
		w.t.Fatal(err)
	}
	evidence, err := snapshot.Check(w.t.Context(), daemon.Full{JSON: ordinary}, ordinary)
	if err != nil {
		w.t.Fatal(err)
	}
	return ordinary, evidence
}

// sync writes the sidecar of a conversation as a sync does.
func (w *world) sync(n int) {
	w.t.Helper()
	ordinary, evidence := w.answer(n)
	text, err := json.Marshal(evidence)
	if err == nil {
		_, err = sidecar.Write(sidecar.Path(w.file(n)), ordinary, func(b *sidecar.Block) error { b.SetCompleteness(text); return nil }, time.Now())
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// swept makes the folder that a sweep of both conversations leaves; change alters its manifest.
func (w *world) swept(change func(*sweep.Manifest)) {
	w.t.Helper()
	dir := w.t.TempDir()
	w.Corpus, w.Swept = filepath.Join(dir, sweep.CorpusName), true
	m := &sweep.Manifest{ManifestVersion: 1, Complete: true, Root: w.Root.Path, InstalledAgyVersion: "1.4.4", Selected: 2}
	if err := os.Mkdir(w.Corpus, 0o700); err != nil {
		w.t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		ordinary, evidence := w.answer(n)
		if err := os.WriteFile(filepath.Join(w.Corpus, sweep.CorpusFile(idOf(n))), ordinary, 0o600); err != nil {
			w.t.Fatal(err)
		}
		m.Sessions = append(m.Sessions, sweep.Session{FileID: idOf(n), CascadeID: idOf(n), Steps: 2, Storage: "sqlite", ReaderSync: sweep.ReaderSync{Verified: true, Evidence: evidence}})
	}
	if change != nil {
		change(m)
	}
	text, err := json.Marshal(m)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, sweep.ManifestName), text, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) examine() *audit.Report {
	w.t.Helper()
	r, err := audit.Examine(w.t.Context(), w.Options)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// verdict is that of the first check with a name.
func verdict(r *audit.Report, name string) audit.Verdict {
	for _, c := range r.Checks {
		if c.Name == name {
			return c.Verdict
		}
	}
	return "no such check"
}

func text(r *audit.Report) string { return strings.Join(r.Lines(), "\n") }

// recorded is the record of a report as a later audit reads it.
func recorded(t *testing.T, r *audit.Report) record.Record {
	t.Helper()
	if r.Record == nil {
		t.Fatalf("no record: %v", r.Findings)
	}
	text, err := record.Insert(record.Begin+"\n"+record.End+"\n", *r.Record)
	if err != nil {
		t.Fatal(err)
	}
	back, err := record.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return back
}
