package archive_test

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

	"agy-reader/host/archive"
	"agy-reader/host/store"
)

// child is a process that exports and may be killed at any moment.
func child(dir, root string) int {
	all, err := store.All(store.Roots([]string{root}, store.Environment{Getenv: func(string) string { return "" }}), false)
	if err != nil {
		return 1
	}
	opt, err := newOptions(dir, all, "markdown", "html", "json")
	if err != nil {
		return 1
	}
	if _, err := archive.Run(context.Background(), opt); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// An export that is killed leaves no half file; the next one finishes it, and the one after that writes nothing.
func TestKilledExport(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newShop(t)
	const conversations = 16
	rounds := 6
	if os.Getenv("AGY_SOAK") != "" {
		rounds = 200
	}
	fill := func(steps int) {
		for n := 1; n <= conversations; n++ {
			s.put(n, "Hello", steps+n%3)
		}
	}
	fill(30)
	whole := filepath.Join(t.TempDir(), "whole")
	started := time.Now()
	export(t, s.options(whole, "markdown", "html", "json"))
	usual := time.Since(started)
	want := contents(t, whole)
	shrunk := filepath.Join(t.TempDir(), "shrunk")
	fill(40)
	export(t, s.options(shrunk, "markdown", "html", "json"))
	fill(30)
	export(t, s.options(shrunk, "markdown", "html", "json"))
	r := rand.New(rand.NewPCG(1, 2))
	cut := 0
	for round := range rounds {
		dir := filepath.Join(t.TempDir(), "archive")
		if err := os.Mkdir(dir, 0o755); err != nil { // a run may be killed before it does
			t.Fatal(err)
		}
		// Every second round begins with documents of more steps, which have to be kept.
		var before map[string]string
		if round%2 == 1 {
			fill(40)
			export(t, s.options(dir, "markdown", "html", "json"))
			before = contents(t, dir)
			fill(30)
		}
		for range 3 {
			// Short times are as likely as long ones: how fast this machine is just now is not known.
			life := float64(usual+50*time.Millisecond) * math.Pow(2, -6*r.Float64())
			ctx, kill := context.WithTimeout(t.Context(), time.Duration(life))
			cmd := exec.CommandContext(ctx, program)
			cmd.Env = append(os.Environ(), "AGY_ARCHIVE_CHILD="+dir, "AGY_ARCHIVE_ROOT="+s.root)
			if cmd.Run() != nil {
				cut++
			}
			kill()
			for name := range contents(t, dir) {
				if !strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".html") && !strings.HasSuffix(read(t, dir, name), "</html>\n") {
					t.Errorf("round %d: %s is half a file", round, name)
				}
			}
		}
		summary, outcomes := export(t, s.options(dir, "markdown", "html", "json"))
		if summary.Failed > 0 {
			for _, o := range outcomes {
				if o.Err != nil {
					t.Fatalf("round %d: %s: %v", round, o.Session.ID, o.Err)
				}
			}
		}
		finished := state(t, dir)
		got := map[string]string{}
		earlier := 0
		for name, sum := range contents(t, dir) {
			if strings.HasPrefix(name, ".") {
				t.Errorf("round %d: %s was left behind", round, name)
				continue
			}
			if at := strings.Index(name, ".earlier-1."); at >= 0 {
				earlier++
				if before[name[:at]+strings.TrimPrefix(name[at:], ".earlier-1")] != sum {
					t.Errorf("round %d: %s is not what was there", round, name)
				}
				if !strings.Contains(read(t, dir, "index.html"), name) && strings.HasSuffix(name, ".html") {
					t.Errorf("round %d: %s is not in the index", round, name)
				}
				continue
			}
			got[name] = sum
		}
		expected := want
		if before != nil {
			expected = map[string]string{}
			for name, sum := range contents(t, shrunk) {
				if !strings.Contains(name, ".earlier-1.") {
					expected[name] = sum
				}
			}
			if earlier != 3*conversations {
				t.Errorf("round %d: %d earlier files", round, earlier)
			}
		}
		// Sources are written anew between rounds, so the manifest differs in their times.
		delete(got, archive.ManifestName)
		expected = without(expected, archive.ManifestName)
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Fatalf("round %d (-whole +killed and run again):\n%s", round, diff)
		}
		export(t, s.options(dir, "markdown", "html", "json"))
		if diff := cmp.Diff(finished, state(t, dir)); diff != "" {
			t.Fatalf("round %d: the third run wrote\n%s", round, diff)
		}
	}
	if cut == 0 {
		t.Errorf("no run of %d was cut", 3*rounds)
	}
}

func without(m map[string]string, name string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		if k != name {
			out[k] = v
		}
	}
	return out
}
