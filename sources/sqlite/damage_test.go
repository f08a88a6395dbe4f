package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// FuzzDatabase alters a whole conversation file: reading ends, does not panic, and fails only with an error of a kind.
func FuzzDatabase(f *testing.F) {
	w := newConversation(f)
	for i := range 12 {
		w.step(i, strings.Repeat("text ", i*200))
	}
	w.exec("INSERT INTO gen_metadata VALUES (0, x'0a00', 2)", "INSERT INTO executor_metadata VALUES (0, x'0804')",
		"INSERT INTO parent_references VALUES (0, x'1001')", "INSERT INTO trajectory_metadata_blob VALUES ('main', x'3200')")
	w.close()
	whole, err := os.ReadFile(w.path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(20), byte(1), uint32(4096), byte(255), uint32(len(whole)))
	f.Add(uint32(0), byte(0), uint32(5000), byte(3), uint32(6000))
	f.Add(uint32(8200), byte(0xff), uint32(8203), byte(7), uint32(len(whole)))
	f.Fuzz(func(t *testing.T, at uint32, with byte, at2 uint32, with2 byte, size uint32) {
		data := append([]byte(nil), whole[:int(size)%(len(whole)+1)]...)
		if len(data) > 0 {
			data[int(at)%len(data)] ^= with
			data[int(at2)%len(data)] ^= with2
		}
		path := filepath.Join(t.TempDir(), "f.db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		// The file is older than the resolution of file times, as stored conversations are.
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		_, err := readDocument(t, New(WithBusyTimeout(100*time.Millisecond)), path, sources.Want{Blocks: true, Native: true, Records: true})
		if err != nil && !errors.Is(err, sources.ErrUnreadable) && !errors.Is(err, sources.ErrBusy) && !errors.Is(err, sources.ErrLimit) {
			t.Errorf("error of no kind: %v", err)
		}
		left, err := filepath.Glob(path + "-*")
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

// A database that changes under a reader that has already handed out rows is an error, not a mixture.
func TestChangeWhileReadingIsAnError(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	for i := range 20 {
		w.step(i, strings.Repeat("x", 400_000))
	}
	w.close()
	ctx := context.Background()
	r, err := New().Open(ctx, sources.Ref{Path: w.path}, sources.Want{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := r.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.Release()
	again := newWriter(t, w.path)
	again.exec("UPDATE steps SET step_payload = zeroblob(1000)", "PRAGMA wal_checkpoint(TRUNCATE)")
	for err == nil {
		if b, err = r.Next(ctx); err == nil {
			b.Release()
		}
	}
	if !errors.Is(err, sources.ErrBusy) || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("error %v", err)
	}
}

// A failure names the step it is about.
func TestErrorsNameTheStep(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "text")
	w.exec("INSERT INTO steps(idx, step_type, status, step_payload, step_format) VALUES (1, 14, 3, x'0801', 9)")
	_, err := readDocument(t, New(), w.path, sources.Want{Strict: true})
	for _, want := range []string{"step 1", "step_format 9"} {
		if !errors.Is(err, sources.ErrUnknown) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
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
	checkStrict(t, path, d)
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
	checkStrict(t, path, d)
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
