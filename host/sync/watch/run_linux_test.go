package watch

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agy-reader/host/agytest"
	"agy-reader/host/store"
)

// run starts a watch of several rigs and returns what ends it and waits for its end.
func run(t *testing.T, o Options, rigs ...*rig) (stop func()) {
	t.Helper()
	o.Roots = nil
	for _, r := range rigs {
		o.Roots = append(o.Roots, r.root)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		Run(ctx, o)
	}()
	return func() {
		t.Helper()
		cancel()
		select {
		case <-done:
		case <-time.After(Grace + 10*time.Second):
			t.Fatal("the watch does not end")
		}
	}
}

// until waits until text is said.
func (r *rig) until(text string) {
	r.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		r.mu.Lock()
		all := strings.Join(r.lines, "\n")
		r.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
	}
	r.t.Fatalf("%q is never said:\n%s", text, r.said())
}

// Two roots have two loops: a daemon that hangs keeps nobody else waiting, and each line says whose it is.
func TestReferenceN12OneLoopPerRoot(t *testing.T) {
	t.Parallel()
	a, b := newRig(t, 1), newRig(t, 1)
	b.root.Surface = "ide"
	first := a.daemon(agytest.Options{})
	logs := filepath.Join(filepath.Dir(b.root.Path), "config", "Antigravity", "logs")
	second := b.daemon(agytest.Options{Surface: "ide", LogFolder: logs})
	first.Set(t, agytest.Behaviour{Slow: time.Hour})
	a.variables["XDG_CONFIG_HOME"] = filepath.Join(filepath.Dir(b.root.Path), "config")
	o := a.options()
	o.Interval = 20 * time.Millisecond
	stop := run(t, o, a, b)
	a.until("[ide] synced " + idOf(0))
	a.until("[ide] verification: 1 reused, 0 checked")
	b.fresh(1)
	first.Set(t)
	_ = second
	first.Kill() // which ends the call that hangs
	a.until("[cli] watch: daemon unreachable, retrying each tick (")
	stop()
}

// The watch ends by itself when all daemons have been away for long enough, and not before.
func TestReferenceN12IdleOnlyWhenAllAreIdle(t *testing.T) {
	t.Parallel()
	a, b := newRig(t, 1), newRig(t, 1)
	b.root.Surface = "ide"
	d := a.daemon(agytest.Options{})
	o := a.options()
	o.Interval, o.IdleTimeout = 10*time.Millisecond, 30*time.Millisecond
	stop := run(t, o, a, b)
	a.until("[ide] watch: root=" + b.root.Path + " idle: no daemon for 30ms")
	a.until("[cli] tick: 0 synced, 0 skipped, 1 up-to-date")
	time.Sleep(100 * time.Millisecond)
	d.Kill()
	a.until("[cli] watch: root=" + a.root.Path + " idle: no daemon for 30ms")
	stop()
	if n := strings.Count(a.said(), "idle: no daemon"); n != 2 {
		t.Errorf("said %d times", n)
	}
}

// Told to end in the middle of a fetch, the watch brings it to its end and begins no other.
func TestDrain(t *testing.T) {
	t.Parallel()
	r := newRig(t, 3)
	d := r.daemon(agytest.Options{})
	d.Set(t, agytest.Behaviour{Slow: 300 * time.Millisecond, Form: "ordinary"})
	stop := run(t, r.options(), r)
	for len(d.Requests()) < 2 {
		time.Sleep(time.Millisecond)
	}
	stop()
	wants(t, r.said(), "synced ", "tick: 1 synced, 0 skipped, 0 up-to-date, 0 failed")
	n := 0
	for i := range 3 {
		if r.holds(i) == nil {
			n++
		} else if _, err := os.Lstat(r.sidecar(i)); err == nil {
			t.Error("half done")
		}
	}
	if n != 1 {
		t.Errorf("%d sidecars", n)
	}
}

// A store at rest is left alone: no file in it or in the cache is touched.
func TestIdleWritesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, 3)
	r.daemon(agytest.Options{})
	settle()
	r.tick()
	r.tick()
	before := r.everything()
	for range 5 {
		wants(t, r.tick(), "verification: 3 reused, 0 checked")
	}
	r.loop.save(true)
	if after := r.everything(); before != after {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// everything lists the store and the cache with all that a write would change.
func (r *rig) everything() string {
	r.t.Helper()
	var b strings.Builder
	for _, dir := range []string{filepath.Join(r.root.Path, store.Conversations), r.cache} {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err == nil {
				b.WriteString(path + " " + ctimeOf(r.t, path) + "\n")
			}
			return err
		})
		if err != nil {
			r.t.Fatal(err)
		}
	}
	return b.String()
}
