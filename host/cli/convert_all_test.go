package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/cli"
	"agy-reader/host/corpus"
	"agy-reader/host/diag"
)

// files are the files below dir with their hash, and with their time when times is set.
func files(t *testing.T, dir string, times bool) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = fmt.Sprintf("%x", sha256.Sum256(text))
		if times {
			all[filepath.ToSlash(name)] += info.ModTime().UTC().Format(time.RFC3339Nano)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// exportCorpus runs `convert --all` over a home and returns its report.
func exportCorpus(t *testing.T, home, dir string, more ...string) (code int, report corpusReport, said string) {
	t.Helper()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("GEMINI_HOME", "")
	t.Setenv("ANTIGRAVITY_CLI_ROOT", "")
	var out, errs bytes.Buffer
	args := slices.Concat([]string{"convert", "--all", "--include-implicit", "--json", "--to", "markdown,json,html", "--out", dir}, more)
	code = cli.RunWith(t.Context(), cli.Streams{Out: &out, Err: &errs}, args...)
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return code, report, errs.String()
}

type corpusReport struct {
	Conversations []struct {
		ID, State, Error, Completeness string
		Steps, StoredSteps             uint32
	}
	Total, Written, Unchanged, Failed int
}

// Every conversation of the real stores is exported, whatever an index knows of it; the stores stay as they are; a second
// run writes nothing.
func TestCaseA09WholeCorpusIsExported(t *testing.T) {
	original := corpus.Home(t)
	home, dir := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "archive")
	if err := os.CopyFS(home, os.DirFS(original)); err != nil {
		t.Fatal(err)
	}
	before := files(t, home, true)
	code, report, said := exportCorpus(t, home, dir)
	if report.Failed > 0 || code != diag.Complete && code != diag.Incomplete {
		t.Fatalf("exit code %d, %d failed\n%s", code, report.Failed, said)
	}
	if diff := cmp.Diff(before, files(t, home, true)); diff != "" {
		t.Errorf("the stores changed:\n%s", diff)
	}
	steps := map[string]uint32{}
	for _, c := range report.Conversations {
		steps[c.ID] = c.Steps
		if c.Steps == 0 && c.StoredSteps > 0 {
			t.Errorf("%s: %d steps in, none out", c.ID, c.StoredSteps)
		}
	}
	// 11 databases, 8 encrypted files and 5 implicit ones; 7 conversations have logs only.
	if len(steps) != 11+8+5+7 || len(steps) != report.Total {
		t.Errorf("%d conversations: %v", len(steps), slices.Sorted(maps.Keys(steps)))
	}
	for id, want := range map[string]uint32{
		"b46546cb-9b60-4741-9c4c-49072be8206c": 19, "30c7e800-af7e-4c43-8abf-9b262de7f3d7": 30, "ddd43aaa-307c-4973-850b-4abca2d9db20": 4,
		"3f00f0a8-748a-4a78-8339-b16d16140338": 168, "f145e582-9d9a-4729-8cc3-2d4c8a053159": 16, "818b3363-92f7-48d5-9a22-dd06d22fb7f6": 8,
		"3e787052-30fa-4859-9254-add275421d24": 33, "0b4dd1cc-2e11-4a38-86f6-bc5f643ececf": 14,
	} {
		if steps[id] != want {
			t.Errorf("%s: %d steps, want %d", id, steps[id], want)
		}
	}
	written := files(t, dir, true)
	for range 2 {
		again, report, said := exportCorpus(t, home, dir)
		if again != code || report.Unchanged != report.Total {
			t.Errorf("exit code %d, %d of %d unchanged\n%s", again, report.Unchanged, report.Total, said)
		}
		if diff := cmp.Diff(written, files(t, dir, true)); diff != "" {
			t.Errorf("it wrote:\n%s", diff)
		}
	}
}

// Subagents of an archive link to their parents and the other way round.
func TestCorpusSubagentsAreLinked(t *testing.T) {
	original := corpus.Home(t)
	home, dir := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "archive")
	if err := os.CopyFS(home, os.DirFS(original)); err != nil {
		t.Fatal(err)
	}
	exportCorpus(t, home, dir)
	find := func(id string) string {
		names, err := filepath.Glob(filepath.Join(dir, "*"+id+".html"))
		if err != nil || len(names) != 1 {
			t.Fatalf("%s: %v, %v", id, names, err)
		}
		return names[0]
	}
	parent, child := find("ce504c83"), find("916eb782")
	for from, to := range map[string]string{parent: child, child: parent} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `href="`+filepath.Base(to)+`"`) {
			t.Errorf("%s does not link to %s", filepath.Base(from), filepath.Base(to))
		}
	}
}
