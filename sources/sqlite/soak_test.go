package sqlite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// reads is how often the soak tests read.
func reads() int {
	if os.Getenv("AGY_SOAK") != "" {
		return 1000
	}
	return 60
}

// A writer in another process rewrites all steps in every transaction, so that all steps of one committed state carry the
// same number, and meanwhile checkpoints, truncates its log, closes and comes back. Every read must see one state, and
// states never go back.
func TestCaseB04LiveWriterSoak(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the writer is ended by an interrupt, which Windows cannot send")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "live.db")
	w := newWriter(t, path)
	w.exec(ddl...)
	w.close()
	cmd := startWriter(t, path)
	last, modes := -1, map[string]int{}
	// On a busy machine the writer may take long to come; it is waited for.
	enough := time.Now().Add(time.Minute)
	for i := 0; i < reads() || last < 3 && time.Now().Before(enough); i++ {
		mode, rows, err := readRowsOnce(path)
		if err != nil {
			t.Fatalf("read %d: %v", i, err)
		}
		modes[mode]++
		if len(rows) == 0 {
			time.Sleep(time.Millisecond)
			continue // before the first transaction
		}
		generation := generationOf(t, rows[0].Payload)
		for k, r := range rows {
			if g := generationOf(t, r.Payload); int(r.Index) != k || g != generation {
				t.Fatalf("read %d (%s): step %d at place %d is of state %d, the first of state %d", i, mode, r.Index, k, g, generation)
			}
		}
		if want := writerSteps(generation); len(rows) != want {
			t.Fatalf("read %d (%s): %d steps of state %d, want %d", i, mode, len(rows), generation, want)
		}
		if generation < last {
			t.Fatalf("read %d (%s): state %d after state %d", i, mode, generation, last)
		}
		last = generation
		time.Sleep(time.Duration(i%5) * time.Millisecond)
	}
	t.Logf("last state %d, ways of opening %v", last, modes)
	if last < 3 {
		t.Errorf("the writer reached only state %d, so this proves little", last)
	}
	// The writer ends with a clean close. If anything were left beside the file, it would be ours.
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("writer: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("files afterwards: %v, %v", left, err)
	}
}

func generationOf(t *testing.T, payload string) int {
	t.Helper()
	at := strings.LastIndex(payload, "state ")
	if at < 0 {
		t.Fatalf("payload %.40q is not the writer's", payload)
	}
	var n int
	if _, err := fmt.Sscanf(payload[at:], "state %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// writerSteps is how many steps a state has.
func writerSteps(generation int) int { return 20 + generation%13 }

// writerEnv makes the test binary such a writer.
const writerEnv = "AGY_SQLITE_TEST_WRITE"

func startWriter(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), writerEnv+"="+path)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// writerMain rewrites until it is interrupted, then closes cleanly.
func writerMain(path string) int {
	stop := notifyInterrupt()
	rng := rand.New(rand.NewPCG(1, 2))
	for generation := 0; ; {
		db, err := openWriter(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "writer:", err)
			return 1
		}
		for range 1 + rng.IntN(10) {
			if err := rewrite(db, generation, rng); err != nil {
				fmt.Fprintln(os.Stderr, "writer:", err)
				return 1
			}
			generation++
			select {
			case <-stop:
				if err := db.Close(); err != nil {
					fmt.Fprintln(os.Stderr, "writer:", err)
					return 1
				}
				return 0
			case <-time.After(time.Duration(rng.IntN(1500)) * time.Microsecond):
			}
		}
		if err := db.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "writer:", err)
			return 1
		}
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond) // agy is closed for a while
	}
}
