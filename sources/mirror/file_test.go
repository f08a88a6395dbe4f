package mirror

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agy-reader/sources"
)

// logAt writes a log and indexes it.
func logAt(t *testing.T, text string) (path string, l *Log) {
	t.Helper()
	root := t.TempDir()
	brain := filepath.Join(root, "brain", "id")
	path = filepath.Join(brain, ".system_generated", "logs", "transcript.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, path, text)
	l, err := Open(t.Context(), sources.Ref{Root: root, Brain: brain})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return path, l
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	// A file system's clock may be coarse.
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
}

const (
	lineA = `{"step_index":0,"type":"USER_INPUT","content":"aaaa"}` + "\n"
	lineB = `{"step_index":1,"type":"USER_INPUT","content":"bbbb"}` + "\n"
	lineC = `{"step_index":0,"type":"USER_INPUT","content":"cccc"}` + "\n"
)

// A log that is shortened, written anew or replaced is noticed; one that only grows is the same.
func TestCaseO02Changes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after   string
		changed bool
	}{
		"grown":               {lineA + lineB, false},
		"shortened":           {lineA[:20], true},
		"rewritten":           {lineC, true},
		"grown and rewritten": {lineC + lineB, true},
		"same":                {lineA, false},
	} {
		path, l := logAt(t, lineA)
		write(t, path, c.after)
		if err := l.files[0].unchanged(); errors.Is(err, errChanged) != c.changed {
			t.Errorf("%s: %v", name, err)
		}
		if err := l.files[0].replaced(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		b := l.Batch(l.Marks(), Settings{Profile: newestProfile(t), Session: session()})
		err := b.Decode(ignore)
		b.Release()
		if errors.Is(err, sources.ErrBusy) != c.changed || err != nil && !c.changed {
			t.Errorf("%s: decode: %v", name, err)
		}
	}
}

func TestReplaced(t *testing.T) {
	t.Parallel()
	path, l := logAt(t, lineA)
	write(t, path+".new", lineC)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if err := l.files[0].replaced(); !errors.Is(err, errChanged) {
		t.Errorf("replaced: %v", err)
	}
	// The index is about the old file, and the old file is what is read.
	b := l.Batch(l.Marks(), Settings{Profile: newestProfile(t), Session: session()})
	defer b.Release()
	if err := b.Decode(ignore); err != nil {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := l.files[0].replaced(); !errors.Is(err, errChanged) {
		t.Errorf("removed: %v", err)
	}
}
