package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agy-reader/sources"
)

// forgedJournal lays a journal beside a database that undoes nothing: a header and no record.
func forgedJournal(t *testing.T, tail string) (path string) {
	t.Helper()
	w := newConversation(t)
	w.exec("PRAGMA journal_mode = DELETE")
	sample(t, w).close()
	journal := append([]byte{}, journalMagic...)
	for _, n := range []uint32{0, 1, 12, 512, 4096} {
		journal = binary.BigEndian.AppendUint32(journal, n)
	}
	journal = append(journal, make([]byte, 512-len(journal))...)
	if err := os.WriteFile(w.path+"-journal", append(journal, tail...), 0o600); err != nil {
		t.Fatal(err)
	}
	return w.path
}

func TestJournalThatNamesAnotherFileIsRefused(t *testing.T) {
	t.Parallel()
	precious := filepath.Join(t.TempDir(), "precious")
	touch(t, precious)
	tail := binary.BigEndian.AppendUint32(nil, 0x40000000/4096+1)
	tail = append(tail, precious...)
	sum := uint32(0)
	for _, c := range []byte(precious) {
		sum += uint32(c)
	}
	tail = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(tail, uint32(len(precious))), sum)
	path := forgedJournal(t, string(append(tail, journalMagic...)))
	before := storeState(t, filepath.Dir(path))
	_, err := openPath(t, path, time.Second)
	if !errors.Is(err, sources.ErrUnreadable) || !strings.Contains(err.Error(), "super-journal") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Errorf("the named file: %v", err)
	}
	if after := storeState(t, filepath.Dir(path)); len(after) != len(before) {
		t.Errorf("the store changed: %v", after)
	}
}

func TestCopyIsBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		db, journal int64
		text        string
	}{
		{"journal of nothing", 0, 3 << 30, "a real one has"},
		{"huge database", 200 << 30, 0, "at most 4294967296 are copied"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := forgedJournal(t, "")
			for name, size := range map[string]int64{path: test.db, path + "-journal": test.journal} {
				if size > 0 {
					if err := os.Truncate(name, size); err != nil {
						t.Skipf("no sparse files here: %v", err)
					}
				}
			}
			_, err := openPath(t, path, time.Second)
			if !errors.Is(err, sources.ErrLimit) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestCopyEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in := &cancelled{ctx, strings.NewReader("content")}
	if _, err := in.Read(make([]byte, 2)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(in); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	path := forgedJournal(t, "")
	if err := copyPart(ctx, filepath.Join(t.TempDir(), "copy.db"), path, 1<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestStaleTemporaryFoldersAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := time.Now().Add(-2 * staleAfter)
	for name, age := range map[string]time.Time{
		"agy-reader-copy-1/copy.db": old, "agy-reader-copy-1/copy.db-journal": old, "agy-reader-scrub-22/scrubbed.db": old,
		"agy-reader-copy-3/copy.db": time.Now(), "agy-reader-copy-4/notes.txt": old, "agy-reader-copy-mine/copy.db": old, "agy-reader-5/copy.db": old,
	} {
		touch(t, filepath.Join(dir, name))
		if err := os.Chtimes(filepath.Dir(filepath.Join(dir, name)), age, age); err != nil {
			t.Fatal(err)
		}
	}
	// Names below agy-reader-copy-1 were made in any order, each touching the folder.
	if err := os.Chtimes(filepath.Join(dir, "agy-reader-copy-1"), old, old); err != nil {
		t.Fatal(err)
	}
	removeStale(dir, time.Now().Add(-staleAfter))
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if got, want := strings.Join(left, " "), "agy-reader-5 agy-reader-copy-3 agy-reader-copy-4 agy-reader-copy-mine"; got != want {
		t.Errorf("left %q, want %q", got, want)
	}
}
