package cli_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"agy-reader/host/agytest"
	"agy-reader/host/agytest/answers"
	"agy-reader/host/sidecar"
)

// Killed at any moment of a sync or a watch, the program leaves whole sidecars with everything that others keep in them, and
// the next run heals what is left to do: no temporary files, no missing link, nothing stale.
func TestKilledSyncAndWatch(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(home, ".gemini", "antigravity-cli")
	ids := []string{"aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002", "cccccccc-0000-4000-8000-000000000003"}
	path := func(i int) string { return filepath.Join(root, "conversations", ids[i]+".db") }
	for i := range ids {
		parent := ""
		if i > 0 {
			parent = ids[0]
		}
		if err := writeChild(path(i), parent); err != nil {
			t.Fatal(err)
		}
	}
	agytest.Start(t, agytest.Options{Root: root})
	program, err := exec.LookPath("agy-reader") // which is this test binary
	if err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		return cmd
	}
	sync := func() (took time.Duration) {
		start := time.Now()
		for _, id := range ids {
			if out, err := command("--sync", id).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		return time.Since(start) / time.Duration(len(ids))
	}
	usual := sync()
	for i := range ids {
		if _, err := sidecar.Change(sidecar.Path(path(i)), func(b *sidecar.Block) { b.Set("kept", json.RawMessage(`{"by": 1e400}`)) }); err != nil {
			t.Fatal(err)
		}
	}
	whole := func() {
		t.Helper()
		for i := range ids {
			file, err := sidecar.Read(sidecar.Path(path(i)))
			if err != nil {
				t.Fatal(err)
			}
			if string(file.Block.Get("kept")) != `{"by": 1e400}` || file.Block.Completeness() == nil {
				t.Fatalf("%s lost what was kept: %s", ids[i], file.Block.Members)
			}
		}
	}
	rounds := 12
	if os.Getenv("AGY_SOAK") != "" {
		rounds = 300
	}
	killed := 0
	for round := range rounds {
		at := rand.IntN(len(ids))
		db, err := answers.Writer(path(at))
		if err != nil {
			t.Fatal(err)
		}
		if err := answers.Write(db, agytest.WriteEdit); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		args := []string{"--sync", ids[at]}
		if round%2 == 1 {
			args = []string{"--watch", "--watch-interval=5ms"}
		}
		cmd := command(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration((0.3 + 0.9*rand.Float64()) * float64(usual)))
		_ = cmd.Process.Kill() // it may be done
		if cmd.Wait() != nil {
			killed++
		}
		whole()
	}
	if killed == 0 {
		t.Error("nothing was killed")
	}
	// A watcher heals everything.
	log, err := os.Create(filepath.Join(home, "watch.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	said := func() []byte {
		text, err := os.ReadFile(log.Name())
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	watch := command("--watch", "--watch-interval=10ms", "--watch-idle-timeout=1h")
	watch.Stderr = log
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	healed := func() bool {
		for i := range ids {
			stored, err := answers.Load(root, ids[i])
			if err != nil {
				t.Fatal(err)
			}
			want, err := stored.JSON(stored.Display().Trajectory)
			if err != nil {
				t.Fatal(err)
			}
			file, err := sidecar.Read(sidecar.Path(path(i)))
			if err != nil {
				t.Fatal(err)
			}
			parent, _ := file.Block.Parent()
			if canonical(want) != canonical(file.Trajectory) || i > 0 && parent != ids[0] {
				return false
			}
		}
		return true
	}
	// One that has said nothing yet does not listen to signals yet either.
	for end := time.Now().Add(60 * time.Second); len(said()) == 0 || !healed(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			_ = watch.Process.Kill()
			_ = watch.Wait()
			t.Fatalf("not healed:\n%s", said())
		}
	}
	if err := watch.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := watch.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said())
	}
	whole()
	sync()
	left, err := filepath.Glob(filepath.Join(root, "conversations", ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func canonical(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}
