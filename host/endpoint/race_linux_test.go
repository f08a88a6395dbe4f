package endpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"agy-reader/host/store"
)

// A number that goes from one process to the next while it is looked at never pairs the port of one with the token of
// another.
func TestNumberUsedAgain(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	servers := []*server{serve(t), serve(t)}
	const generations = 120
	port := map[string]int{}
	for i := range generations {
		token := fmt.Sprint("T", i)
		p := tr.agy(7, 0, "--csrf_token", token)
		if i%3 == 2 {
			p.args, p.env = []string{"agy", "--pair_token_slot=1"}, []string{"ANTIGRAVITY_PAIR_TOKEN=" + token}
		}
		p.start = 100 + i
		s := servers[i%2]
		p.log = filepath.Join(tr.root.Path, "log", fmt.Sprintf("cli-%d.log", i%2))
		tr.write(p.log, logText(s.port))
		port[token] = s.port
		if i < len(servers) {
			tr.socket("127.0.0.1", s.port, os.Geteuid())
		}
		dir := filepath.Join(tr.dir, "7")
		tr.add(p)
		tr.link(fmt.Sprintf("socket:[%d]", 1001+i%2), filepath.Join(dir, "fd", "10"))
		tr.write(filepath.Join(dir, "net", "tcp"), "\n"+tr.table.String())
		if err := os.Rename(dir, filepath.Join(filepath.Dir(tr.dir), strconv.Itoa(i))); err != nil {
			t.Fatal(err)
		}
	}
	tr.write(filepath.Join(tr.dir, "self", "net", "tcp"), "\n"+tr.table.String())
	swap := func(i int) {
		next := filepath.Join(tr.dir, "next")
		if err := os.Symlink(filepath.Join("..", strconv.Itoa(i)), next); err != nil {
			t.Error(err)
		}
		if err := os.Rename(next, filepath.Join(tr.dir, "7")); err != nil {
			t.Error(err)
		}
	}
	swap(0)
	f := tr.finder()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 1; i < generations; i++ {
			swap(i)
			time.Sleep(time.Duration(i%20) * 300 * time.Microsecond)
		}
	}()
	found := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		e, err := f.Find(t.Context(), tr.root)
		if err != nil || !e.Token.Known() {
			continue
		}
		found++
		if want := localURL(port[e.Token.Reveal()]); e.URL != want {
			t.Fatalf("%s was given the token of %s", e.URL, want)
		}
	}
	if found == 0 {
		t.Error("none was ever found")
	}
}

// BenchmarkFind is one look at the processes of this machine, as a watch does it when it has no token yet.
func BenchmarkFind(b *testing.B) {
	f := New(testEnvironment(b.TempDir(), nil))
	root := store.Root{Path: b.TempDir(), Surface: "cli"}
	for b.Loop() {
		if _, err := f.byProcesses(b.Context(), root); err == nil {
			b.Fatal("an agy runs in an empty store")
		}
	}
}
