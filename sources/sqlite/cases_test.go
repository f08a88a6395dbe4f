package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// Case B02: a database closed cleanly, with the mark of a log in its header and no log beside it, opens where nothing can be
// written, and leaves nothing. (TestCaseB02ReadOnlyMountAndForeignUser does it on real read-only media.)
func TestCaseB02ClosedDatabaseInAReadOnlyFolder(t *testing.T) {
	t.Parallel()
	w := sample(t, newConversation(t))
	w.close()
	path := copyFiles(t, w.path)
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if d := mustRead(t, path, sources.Want{}); len(d.steps()) != sampleSteps {
		t.Errorf("%d steps", len(d.steps()))
	}
	if diff := cmp.Diff([]string{filepath.Base(path)}, namesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// Case B07: a folder on the way that cannot be entered is an error of one line that says why; which file it
// was about the caller knows.
func TestCaseB07UnreadableAncestor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("a path below a file is simply not found there")
	}
	paths := []string{filepath.Join(blocked, "conversations", "a.db")}
	if os.Geteuid() != 0 {
		closed := filepath.Join(dir, "closed")
		if err := os.Mkdir(closed, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
		paths = append(paths, filepath.Join(closed, "a.db"))
	}
	for _, path := range paths {
		_, err := New().Open(context.Background(), sources.Ref{Path: path}, sources.Want{})
		if !errors.Is(err, sources.ErrUnreadable) && !errors.Is(err, sources.ErrNotFound) {
			t.Fatalf("error %v", err)
		}
		if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, "not a directory") && !strings.Contains(text, "permission denied") {
			t.Errorf("error %q", text)
		}
	}
}

// Case C13: the product hides the step that made the title, often index 4. That is no alarm; any other gap is.
func TestCaseC13LoneMissingIndexFour(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		statement string
		want      []string
	}{
		{"DELETE FROM steps WHERE idx = 4", []string{"gap INFO: step 4 is missing"}},
		{"DELETE FROM steps WHERE idx BETWEEN 4 AND 39", []string{"gap WARNING incomplete: steps 4 to 39 are missing"}},
	} {
		w := newConversation(t)
		for i := range 42 {
			w.step(i, "text")
		}
		w.exec(test.statement)
		w.close()
		if diff := cmp.Diff(test.want, mustRead(t, w.path, sources.Want{}).notes()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.statement, diff)
		}
	}
}

// Case E01: neither listing nor converting reads the huge rows about model calls.
func TestCaseE01HugeModelRecordsAreNotRead(t *testing.T) {
	w := newConversation(t)
	w.step(0, "text")
	for i := range 8 {
		if _, err := w.db.Exec("INSERT INTO gen_metadata VALUES (?1, zeroblob(?2), ?2)", i, 16<<20); err != nil {
			t.Fatal(err)
		}
	}
	w.close()
	ctx := context.Background()
	// A first reading makes what all readings share.
	mustRead(t, w.path, sources.Want{Blocks: true})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := New().Peek(ctx, sources.Ref{Path: w.path}); err != nil {
		t.Fatal(err)
	}
	d := mustRead(t, w.path, sources.Want{Blocks: true})
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("%d MB allocated for a conversation of one step beside 128 MB of records", got>>20)
	}
	if len(d.steps()) != 1 || len(d.footer.GetSkippedSections()) == 0 {
		t.Errorf("steps %v, skipped %v", d.steps(), d.footer.GetSkippedSections())
	}
}
