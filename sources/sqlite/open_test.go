package sqlite

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
	"agy-reader/sources"
)

// corpusSteps is how many steps each real database has.
var corpusSteps = map[string]int{
	"873edfa9": 8, "18ee78b4": 11, "6b284218": 131, "916eb782": 19, "bad9944e": 7, "204dd9d2": 129,
	"cc60f7b9": 4, "280b6ed1": 82, "607c8551": 115, "e853036a": 111, "46cf95ba": 22,
}

func TestCorpusRowsAndFingerprints(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	before := storeState(t, home)
	got := map[string]int{}
	for _, path := range corpus.Databases(t, home) {
		mode, rows, err := readRowsOnce(path)
		if err != nil || mode != modeImage {
			t.Errorf("%s: mode %s, %v", path, mode, err)
		}
		got[filepath.Base(path)[:8]] = len(rows)
		if got := mustRead(t, path, sources.Want{}).header.GetProvenance().GetSchemaFingerprint(); got != knownFingerprint {
			t.Errorf("%s: fingerprint %s", path, got)
		}
	}
	if diff := cmp.Diff(corpusSteps, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, storeState(t, home)); diff != "" {
		t.Errorf("the store changed:\n%s", diff)
	}
}

// Every way a database can lie on disk is read completely and left exactly as it was.
func TestCaseB03EveryStateIsReadWithoutATrace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		mode string
		make func(t *testing.T) (path string)
	}{
		{"live writer", modeShared, func(t *testing.T) string {
			return sample(t, newConversation(t)).path
		}},
		{"live writer, log truncated", modeShared, func(t *testing.T) string {
			w := sample(t, newConversation(t))
			w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
			return w.path
		}},
		{"live writer, everything checkpointed", modeShared, func(t *testing.T) string {
			w := sample(t, newConversation(t))
			w.exec("PRAGMA wal_checkpoint(FULL)")
			return w.path
		}},
		{"crashed writer", modeShared, func(t *testing.T) string {
			return copyFiles(t, sample(t, newConversation(t)).path, "-wal", "-shm")
		}},
		{"log alone", modeImage, func(t *testing.T) string {
			return copyFiles(t, sample(t, newConversation(t)).path, "-wal")
		}},
		{"everything in the log", modeImage, func(t *testing.T) string {
			return copyFiles(t, sample(t, newConversation(t, "PRAGMA wal_autocheckpoint = 0")).path, "-wal")
		}},
		{"empty log", modeImage, func(t *testing.T) string {
			w := sample(t, newConversation(t))
			w.close()
			path := copyFiles(t, w.path)
			if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}},
		{"index alone", modeImage, func(t *testing.T) string {
			w := sample(t, newConversation(t))
			w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
			return copyFiles(t, w.path, "-shm")
		}},
		{"useless index", modeShared, func(t *testing.T) string {
			path := copyFiles(t, sample(t, newConversation(t)).path, "-wal")
			if err := os.WriteFile(path+"-shm", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}},
		{"closed", modeImage, func(t *testing.T) string {
			w := sample(t, newConversation(t))
			w.close()
			return w.path
		}},
		{"closed, big", modeImage, func(t *testing.T) string {
			w := sample(t, newConversation(t))
			w.step(sampleSteps, strings.Repeat("x", imageInMemory+1))
			w.exec(fmt.Sprintf("DELETE FROM steps WHERE idx = %d", sampleSteps))
			w.close()
			return w.path
		}},
		{"log alone, big", modeImage, func(t *testing.T) string {
			w := newConversation(t, "PRAGMA wal_autocheckpoint = 0")
			w.step(sampleSteps, strings.Repeat("x", imageInMemory+1))
			w.exec(fmt.Sprintf("DELETE FROM steps WHERE idx = %d", sampleSteps))
			return copyFiles(t, sample(t, w).path, "-wal")
		}},
		{"rollback journal mode", modeImage, func(t *testing.T) string {
			w := newConversation(t)
			w.exec("PRAGMA journal_mode = DELETE")
			return sample(t, w).path
		}},
		{"hot journal", modeCopy, hotJournal},
		{"finished journal", modeImage, func(t *testing.T) string {
			w := newConversation(t)
			w.exec("PRAGMA journal_mode = PERSIST")
			return sample(t, w).path
		}},
		{"other page size", modeImage, func(t *testing.T) string {
			w := newWriter(t, filepath.Join(t.TempDir(), "a.db"), "PRAGMA journal_mode = DELETE", "PRAGMA page_size = 32768", "VACUUM", "PRAGMA journal_mode = WAL")
			w.exec(ddl...)
			return copyFiles(t, sample(t, w).path, "-wal")
		}},
		{"odd name", modeImage, func(t *testing.T) string {
			w := newWriter(t, filepath.Join(t.TempDir(), "a b?c%41#d&e='\"é.db"))
			w.exec(ddl...)
			return copyFiles(t, sample(t, w).path, "-wal")
		}},
		{"odd name, live", modeShared, func(t *testing.T) string {
			w := newWriter(t, filepath.Join(t.TempDir(), "a b?c%41#d&e='\"é.db"))
			w.exec(ddl...)
			return sample(t, w).path
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := test.make(t)
			before := storeState(t, filepath.Dir(path))
			name := filepath.Base(path)
			want := map[string]report{name: {Name: name, Mode: test.mode, Rows: sampleSteps, Digest: digest(sampleRows())}}
			if diff := cmp.Diff(want, readElsewhere(t, filepath.Join(filepath.Dir(path), "*.db"), nil)); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, storeState(t, filepath.Dir(path))); diff != "" {
				t.Errorf("the store changed:\n%s", diff)
			}
		})
	}
}

const sampleSteps = 40

// sample writes steps over several commits; some of them are written twice.
func sample(t testing.TB, w *writer) *writer {
	t.Helper()
	for i := range sampleSteps {
		w.step(i, "first")
		w.step(i, sampleText(i))
	}
	return w
}

func sampleText(i int) string { return strings.Repeat(fmt.Sprintf("step %d. ", i), 1+i*40) }

func sampleRows() []row {
	rows := make([]row, sampleSteps)
	for i := range rows {
		rows[i] = row{int64(i), string(userStep(sampleText(i)))}
	}
	return rows
}

// hotJournal copies a database in the middle of a transaction that has already reached the file.
func hotJournal(t *testing.T) string {
	w := newConversation(t)
	w.exec("PRAGMA journal_mode = DELETE")
	sample(t, w)
	w.exec("PRAGMA cache_size = 1", "BEGIN")
	// Which pages SQLite writes before the commit is its own affair, so it is given reasons until it has.
	for size := 20_000; size < 200_000; size += 20_000 {
		w.exec(fmt.Sprintf("UPDATE steps SET step_type = %d, step_payload = zeroblob(%d)", size, size))
		path := copyFiles(t, w.path, "-journal")
		if _, rows, err := readRowsOnce(copyFiles(t, path)); err != nil || !cmp.Equal(sampleRows(), rows) {
			w.exec("ROLLBACK")
			return path
		}
	}
	t.Fatal("the transaction does not reach the file, so this proves nothing")
	return ""
}

func TestWhatIsNoConversation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tableless := newWriter(t, filepath.Join(dir, "tableless.db"))
	tableless.exec("CREATE TABLE a(b)", "DROP TABLE a")
	tableless.close()
	other := newWriter(t, filepath.Join(dir, "other.db"))
	other.exec("CREATE TABLE a(b)")
	other.close()
	view := newWriter(t, filepath.Join(dir, "view.db"))
	view.exec("CREATE VIEW steps AS WITH RECURSIVE n(idx) AS (SELECT 0 UNION ALL SELECT idx+1 FROM n) SELECT idx, idx AS step_payload FROM n",
		"CREATE TABLE trajectory_meta(trajectory_id)")
	view.close()
	for _, test := range []struct {
		name, path string
		want       error
		text       string
	}{
		{"empty file", write("empty.db", nil), sources.ErrUnreadable, "no tables"},
		{"no tables", tableless.path, sources.ErrUnreadable, "no tables"},
		{"other tables", other.path, sources.ErrUnreadable, "no table steps"},
		{"endless view", view.path, sources.ErrUnreadable, "steps is a view"},
		{"text", write("text.db", []byte(strings.Repeat("this is no database ", 500))), sources.ErrUnreadable, "not a SQLite database"},
		{"zeros", write("zeros.db", make([]byte, 8192)), sources.ErrUnreadable, "not a SQLite database"},
		{"cut", write("cut.db", []byte("SQLite format 3\x00\x10\x00\x02\x02")), sources.ErrUnreadable, ""},
		{"missing", filepath.Join(dir, "missing.db"), sources.ErrNotFound, "missing.db"},
		{"folder", dir, sources.ErrUnsupported, "not a file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := New().Open(context.Background(), sources.Ref{Path: test.path}, sources.Want{})
			if !errors.Is(err, test.want) || !strings.Contains(fmt.Sprint(err), test.text) {
				t.Errorf("error %v, want %v with %q", err, test.want, test.text)
			}
		})
	}
	left, err := filepath.Glob(filepath.Join(dir, "*-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v %v", left, err)
	}
}

// SQLite removes the log of an empty file. We do not, and show what it holds.
func TestLogOfAnEmptyFileIsKept(t *testing.T) {
	t.Parallel()
	w := sample(t, newConversation(t, "PRAGMA wal_autocheckpoint = 0"))
	for _, beside := range [][]string{{"-wal"}, {"-wal", "-shm"}} {
		path := copyFiles(t, w.path, beside...)
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		before := storeState(t, filepath.Dir(path))
		_, rows, err := readRowsOnce(path)
		if err != nil || !cmp.Equal(sampleRows(), rows) {
			t.Errorf("%v: %d rows, %v", beside, len(rows), err)
		}
		if diff := cmp.Diff(before, storeState(t, filepath.Dir(path))); diff != "" {
			t.Errorf("%v: the store changed:\n%s", beside, diff)
		}
	}
}

func TestCaseB06ExclusiveWriterIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := sample(t, newConversation(t))
	w.exec("PRAGMA journal_mode = DELETE")
	conn, err := w.db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(context.Background(), "BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	if _, err := openPath(t, w.path, 50*time.Millisecond); !errors.Is(err, sources.ErrBusy) {
		t.Errorf("error %v while the writer stays", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, err := locate(sources.Ref{Path: w.path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (opener{files: f, busy: time.Minute}).open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v when cancelled", err)
	}
	release(t, conn, 100*time.Millisecond)
	d, err := openPath(t, w.path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	d.close()
}

func release(t *testing.T, conn *sql.Conn, after time.Duration) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(after)
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { <-done })
}

// A database that a writer checkpoints while it is read from the bare file is noticed.
func TestChangeBehindOurBackIsNoticed(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, strings.Repeat("x", imageInMemory+1))
	w.close()
	d, err := openPath(t, w.path, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	if err := d.unchanged(); err != nil {
		t.Fatalf("without a change: %v", err)
	}
	again := newWriter(t, w.path)
	again.step(1, "more")
	if err := d.unchanged(); err != nil {
		t.Errorf("a commit that only reached the log is no change: %v", err)
	}
	again.exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if err := d.unchanged(); !errors.Is(err, errChanged) {
		t.Errorf("error %v after a checkpoint", err)
	}
}

// A reader that is killed leaves the store as it was, in every way of opening.
func TestKilledReaderLeavesNothing(t *testing.T) {
	t.Parallel()
	live := sample(t, newConversation(t))
	for name, path := range map[string]string{
		"live":    live.path,
		"crashed": copyFiles(t, live.path, "-wal", "-shm"),
		"log":     copyFiles(t, live.path, "-wal"),
		"journal": hotJournal(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := storeState(t, filepath.Dir(path))
			temporary := t.TempDir()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), holdEnv+"="+path, "TMPDIR="+temporary)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil || line != "open <nil>\n" {
				t.Errorf("reader says %q, %v", line, err)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // killed, so an error
			if diff := cmp.Diff(before, storeState(t, filepath.Dir(path))); diff != "" {
				t.Errorf("the store changed:\n%s", diff)
			}
			if left := storeState(t, temporary); len(left) != 1 && runtime.GOOS != "windows" {
				t.Errorf("temporary files left: %v", left)
			}
		})
	}
}
