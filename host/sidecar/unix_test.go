//go:build linux || darwin

package sidecar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

func TestLinksAndFIFOs(t *testing.T) {
	t.Parallel()
	elsewhere := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(elsewhere, []byte(`{"v":1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		make func(path string) error
		want error
	}{
		"symlink":  {func(p string) error { return os.Symlink(elsewhere, p) }, regular.ErrLink},
		"dangling": {func(p string) error { return os.Symlink(elsewhere+"-none", p) }, regular.ErrLink},
		"fifo":     {func(p string) error { return syscall.Mkfifo(p, 0o600) }, sources.ErrUnreadable},
	} {
		path := place(t, "")
		if err := test.make(path); err != nil {
			t.Fatal(err)
		}
		_, errWrite := Write(path, json.RawMessage(`{}`), nil, noon)
		_, errChange := Change(path, func(b *Block) { b.SetParent("p") })
		_, errRead := Read(path)
		for _, err := range []error{errWrite, errChange, errRead} {
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), "a"+Suffix) {
				t.Errorf("%s: %v", name, err)
			}
		}
		alone(t, path)
	}
	if got := content(t, elsewhere); got != `{"v":1}` {
		t.Error(got)
	}
}

// The other name of a hard-linked sidecar keeps its content, mode and time.
func TestHardLink(t *testing.T) {
	t.Parallel()
	for _, trajectory := range []string{`{"a":1}`, `{"a":2}`} {
		path := place(t, `{"a":1}`+"\n")
		other := filepath.Join(t.TempDir(), "other")
		if err := os.Link(path, other); err != nil {
			t.Fatal(err)
		}
		if wrote, err := Write(path, json.RawMessage(trajectory), nil, noon.Add(time.Hour)); !wrote || err != nil {
			t.Error(wrote, err)
		}
		info, _ := os.Stat(other)
		if content(t, other) != `{"a":1}`+"\n" || info.Mode().Perm() != 0o644 || !info.ModTime().Equal(noon) || content(t, path) != trajectory+"\n" {
			t.Errorf("%s: %v", trajectory, info)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	path := place(t, `{"a":1}`)
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
	if wrote, err := Write(path, json.RawMessage(`{"a":2}`), nil, noon); wrote || !errors.Is(err, fs.ErrPermission) || content(t, path) != `{"a":1}` {
		t.Error(wrote, err)
	}
}

// Temporary files of killed writers of ours go, others' stay.
func TestSweep(t *testing.T) {
	t.Parallel()
	path := place(t, `{"a":1}`)
	dir := filepath.Dir(path)
	for _, name := range []string{".trajectory-r" + strings.Repeat("A", 26) + ".json.tmp", ".trajectory-123.json.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Write(path, json.RawMessage(`{"a":1}`), nil, noon); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) != 1 || filepath.Base(left[0]) != ".trajectory-123.json.tmp" {
		t.Error(left)
	}
}

func TestMain(m *testing.M) {
	if path := os.Getenv("AGY_SIDECAR_CHILD"); path != "" {
		os.Exit(child(path))
	}
	os.Exit(m.Run())
}

// child writes and stamps one sidecar until it is killed.
func child(path string) int {
	pause, _ := time.ParseDuration(os.Getenv("AGY_SIDECAR_PAUSE")) // none without the variable
	for i := 0; ; i++ {
		time.Sleep(pause)
		trajectory := fmt.Sprintf(`{"n":%d,"text":"%s"}`, i, strings.Repeat("x", 200_000))
		if _, err := Write(path, json.RawMessage(trajectory), nil, noon); err != nil {
			return 1
		}
		if _, err := Change(path, func(b *Block) { b.SetParent(fmt.Sprint(i)) }); err != nil {
			return 1
		}
	}
}

// A writer that is killed at any moment leaves a whole file with its siblings, and the next writer sweeps what it left.
func TestKilledWriter(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rounds := 15
	if os.Getenv("AGY_SOAK") != "" {
		rounds = 2000
	}
	path := place(t, `{"agyReader":{"sibling":9007199254740993}}`)
	r := rand.New(rand.NewPCG(1, 2))
	left := 0
	for round := range rounds {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), "AGY_SIDECAR_CHILD="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(float64(250*time.Millisecond) * math.Pow(2, -4*r.Float64())))
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
			t.Fatalf("the writer ended by itself: %v", err)
		}
		if b, err := ReadBlock(path); err != nil || string(b.Get("sibling")) != "9007199254740993" {
			t.Fatalf("round %d: %v, %v", round, b, err)
		}
		found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
		left += len(found)
		if _, err := Change(path, func(*Block) {}); err != nil {
			t.Fatal(err)
		}
		alone(t, path)
	}
	t.Logf("%d temporary files were left in %d rounds", left, rounds)
}
