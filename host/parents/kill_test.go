//go:build linux || darwin

package parents

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/sidecar"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("AGY_PARENTS_CHILD"); dir != "" {
		if _, err := Stamp(context.Background(), dir, true); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A repair that is killed at any moment leaves whole sidecars with all they had; the next one finishes it.
func TestKilledRepair(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rounds := 6
	if os.Getenv("AGY_SOAK") != "" {
		rounds = 500
	}
	const children = 24
	id := func(n int) string { return fmt.Sprintf("bbbbbbbb-0000-4000-8000-%012d", n) }
	files, want := map[string]string{a: trajectory(a)}, map[string]string{}
	for n := range children {
		files[id(n)] = trajectory(id(n), child(a), stamped(c), `,"text":"`+strings.Repeat("x", 50_000)+`"`)
		want[id(n)] = a
	}
	whole, backup := folder(t, files), filepath.Join(t.TempDir(), "backup")
	if _, err := Backup(t.Context(), whole, whole, backup); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	cut := 0
	for round := range rounds {
		dir := folder(t, files)
		ctx, kill := context.WithTimeout(t.Context(), time.Duration(float64(300*time.Millisecond)*math.Pow(2, -6*r.Float64())))
		cmd := exec.CommandContext(ctx, program)
		cmd.Env = append(os.Environ(), "AGY_PARENTS_CHILD="+dir)
		if cmd.Run() != nil {
			cut++
		}
		kill()
		if _, findings, err := Verify(t.Context(), dir, backup, false); err != nil || len(findings) > 0 {
			t.Fatalf("round %d, killed: %v, %v", round, findings, err)
		}
		if _, err := Stamp(t.Context(), dir, true); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, links(t, dir)); diff != "" {
			t.Fatalf("round %d: %s", round, diff)
		}
		for n := range children {
			if block, err := sidecar.ReadBlock(filepath.Join(dir, id(n)+sidecar.Suffix)); err != nil || string(block.Get("x")) != "1" {
				t.Fatalf("round %d: a sibling is lost: %v, %v", round, block, err)
			}
		}
	}
	if cut == 0 {
		t.Errorf("no repair of %d was cut", rounds)
	}
}

// A sidecar that cannot be written is an error and not counted as stamped; the others go on.
func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := folder(t, map[string]string{a: trajectory(a), b: trajectory(b, child(a)), c: trajectory(c, child(a))})
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	r, err := Stamp(t.Context(), dir, false)
	if err == nil || strings.Count(err.Error(), "permission denied") != 2 || r.Stamped != 0 || r.Unresolved != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}
