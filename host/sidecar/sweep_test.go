//go:build unix

package sidecar

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// leftover is a temporary file of a killed writer.
func leftover(t *testing.T, dir string) (gone func() bool) {
	t.Helper()
	path := filepath.Join(dir, ".trajectory-r"+strings.Repeat("A", 26)+".json.tmp")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return func() bool {
		_, err := os.Lstat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
}

// counted counts the names that sweeps read. Whoever uses it runs alone.
func counted(t testing.TB) (names *int) {
	t.Helper()
	usual := sweeps.readNames
	names = new(int)
	sweeps.readNames = func(dir *os.File, n int) ([]string, error) {
		got, err := usual(dir, n)
		*names += len(got)
		return got, err
	}
	t.Cleanup(func() { sweeps.readNames = usual })
	return names
}

// grow adds sidecar number i to a folder and lets a writer see it.
func grow(t testing.TB, dir string, i int) {
	t.Helper()
	path := filepath.Join(dir, fmt.Sprintf("%08d%s", i, Suffix))
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Change(path, func(*Block) {}); err != nil {
		t.Fatal(err)
	}
}

// A first sync of n sessions reads about a hundred names for each, not n/2. What killed writers left is removed
// by the first write, and later on without a new process.
func TestSweepIsLinear(t *testing.T) {
	dir := t.TempDir()
	names := counted(t)
	const before, n = 500, 1500
	for i := range before {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("other-", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gone := leftover(t, dir)
	for i := range n {
		grow(t, dir, i)
		switch {
		case i == 0 && !gone():
			t.Error("the first write leaves what a killed writer of an earlier run left")
		case i == n/2:
			gone = leftover(t, dir)
		}
	}
	if !gone() {
		t.Error("what was left by a writer of this time stays")
	}
	if most := before + 101*n; *names > most {
		t.Errorf("%d writes read %d names, more than %d", n, *names, most)
	}
}

// Two processes in one folder: what one of them is writing is never swept by the other.
func TestSweepBesideAWriter(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := place(t, `{"a":1}`)
	mine := filepath.Join(filepath.Dir(path), "mine"+Suffix)
	if err := os.WriteFile(mine, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), "AGY_SIDECAR_CHILD="+path, "AGY_SIDECAR_PAUSE=5ms")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	written, swept := 0, 0
	for last, start := content(t, path), time.Now(); min(written, swept) < 20 && time.Since(start) < time.Minute; swept++ {
		if _, err := Change(mine, func(*Block) {}); err != nil {
			t.Error(err)
		}
		if now := content(t, path); now != last {
			last, written = now, written+1
		}
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Process.Kill()
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the writer ended by itself: %v", err)
	}
	if min(written, swept) < 20 {
		t.Errorf("it wrote %d times, with %d sweeps", written, swept)
	}
}

// A writer in a folder with 10,000 sidecars.
func BenchmarkManySidecars(b *testing.B) {
	dir := b.TempDir()
	for i := range 10_000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%08d%s", i, Suffix)), []byte("{}\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	names := counted(b)
	b.ResetTimer()
	for i := range b.N {
		grow(b, dir, i%10_000)
	}
	b.ReportMetric(float64(*names)/float64(b.N), "names/op")
}
