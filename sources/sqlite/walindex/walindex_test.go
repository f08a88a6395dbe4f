package walindex_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the writer

	"agy-reader/sources/sqlite/walindex"
)

// live returns a database in use, whose log has content, and a function that commits one more row.
func live(t *testing.T) (path string, commit func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "live.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	exec := func(text string) {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	exec("pragma journal_mode=wal")
	exec("create table t (a)")
	return path, func() { exec("insert into t values (randomblob(100))") }
}

func files(t *testing.T, path string) (index, log []byte) {
	t.Helper()
	index, err := os.ReadFile(path + "-shm")
	if err != nil {
		t.Fatal(err)
	}
	log, err = os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return index, log
}

func read(index, log []byte) (walindex.Header, bool) {
	return walindex.Read(bytes.NewReader(index), bytes.NewReader(log), int64(len(log)))
}

func TestPublishedCommits(t *testing.T) {
	t.Parallel()
	path, commit := live(t)
	commit()
	before, settled := read(files(t, path))
	if !settled {
		t.Fatal("a quiet database is not settled")
	}
	if again, _ := read(files(t, path)); again != before {
		t.Error("the header changed by itself")
	}
	commit()
	after, settled := read(files(t, path))
	if !settled || after == before {
		t.Errorf("settled %v; a commit left the header as it was: %v", settled, after == before)
	}
}

// TestReferenceN80 has frames in the log that the index does not publish: a commit caught between its two writes.
func TestReferenceN80UnpublishedFrames(t *testing.T) {
	t.Parallel()
	path, commit := live(t)
	commit()
	index, _ := files(t, path)
	commit()
	_, log := files(t, path)
	if _, settled := read(index, log); settled {
		t.Error("frames behind the published ones went unnoticed")
	}
}

// TestReferenceN81 publishes without touching the size or the content of the log.
func TestReferenceN81PublishingChangesTheHeader(t *testing.T) {
	t.Parallel()
	path, commit := live(t)
	commit()
	before, _ := files(t, path)
	commit()
	after, log := files(t, path)
	old, _ := read(before, log)
	now, settled := read(after, log)
	if old == now || !settled {
		t.Errorf("settled %v, header unchanged %v", settled, old == now)
	}
}

// TestEarlierRound begins the log anew: frames of the round before lie behind the published ones and mean nothing.
func TestEarlierRound(t *testing.T) {
	t.Parallel()
	path, commit := live(t)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 5 {
		commit()
	}
	if _, err := db.ExecContext(t.Context(), "pragma wal_checkpoint(restart)"); err != nil {
		t.Fatal(err)
	}
	commit()
	index, log := files(t, path)
	if len(log) < 32+4*(24+4096) {
		t.Fatalf("the log was cut to %d bytes", len(log))
	}
	if _, settled := read(index, log); !settled {
		t.Error("frames of an earlier round count as unpublished")
	}
}

func TestDamage(t *testing.T) {
	t.Parallel()
	path, commit := live(t)
	commit()
	index, log := files(t, path)
	for i := range 96 {
		bad := bytes.Clone(index)
		bad[i] ^= 1
		if _, settled := read(bad, log); settled {
			t.Errorf("byte %d of the index can change unnoticed", i)
		}
	}
	if _, settled := read(index[:95], log); settled {
		t.Error("a short index")
	}
	if _, settled := read(index, log[:len(log)-1]); settled {
		t.Error("a log shorter than what is published")
	}
	if _, settled := read(index, nil); settled {
		t.Error("no log")
	}
	other := bytes.Clone(log)
	other[16] ^= 1
	if _, settled := read(index, other); settled {
		t.Error("a log of other salts")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(make([]byte, 96), make([]byte, 32))
	f.Fuzz(func(_ *testing.T, index, log []byte) { read(index, log) })
}
