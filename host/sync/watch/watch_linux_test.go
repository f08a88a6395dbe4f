package watch

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"agy-reader/host/agytest"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
)

// The watcher starts before agy: it waits, finds it, and nothing has recovered from anything.
func TestReferenceN31N33BootBeforeAgy(t *testing.T) {
	t.Parallel()
	r := newRig(t, 2)
	text := r.tick()
	wants(t, text, "watch: root="+r.root.Path+" daemon=(not running yet, discovery pending) interval=1m0s idle-timeout=0s",
		"watch: daemon not found yet (", "tick: 0 synced, 2 skipped, 0 up-to-date, 0 failed; daemon not found yet, looking again in 1m0s")
	if text = r.tick(); text != "tick: 0 synced, 2 skipped, 0 up-to-date, 0 failed; daemon not found yet, looking again in 1m0s" {
		t.Errorf("the second tick says more:\n%s", text)
	}
	d := r.daemon(agytest.Options{})
	text = r.tick()
	wants(t, text, "watch: agy daemon discovered at "+d.URL(), "synced "+idOf(0)+" (2 steps, 1 KB) [missing]",
		"verification: 0 reused, 2 checked", "tick: 2 synced, 0 skipped, 0 up-to-date, 0 failed")
	lacks(t, text, "recovered", d.Token())
	r.fresh(2)
	settle()
	r.tick()
	if text = r.tick(); text != "verification: 2 reused, 0 checked\ntick: 0 synced, 0 skipped, 2 up-to-date, 0 failed" {
		t.Error(text)
	}
}

// The daemon moves to another port; or is gone for a while, which is told once, and so is its return.
func TestReferenceN32N34MovedAndRecovered(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	d := r.daemon(agytest.Options{})
	wants(t, r.tick(), "daemon="+d.URL())
	old := d.URL()
	d.Restart(t)
	text := r.tick()
	wants(t, text, "watch: agy daemon moved "+old+" -> "+d.URL())
	lacks(t, text, "recovered")
	d.Kill()
	r.loop.timeout = 3 * time.Minute
	for i, lines := range []int{1, 0, 0} {
		if text = r.tick(); strings.Count(text, "watch: daemon unreachable, retrying each tick (") != lines {
			t.Errorf("tick %d: %s", i, text)
		}
		if strings.Contains(text, "idle: no daemon for 3m0s") != (i == 2) {
			t.Errorf("tick %d: %s", i, text)
		}
	}
	d.Restart(t)
	wants(t, r.tick(), "watch: daemon recovered after 3 failed tick(s)")
	if r.loop.idle() || r.loop.quiet != 0 {
		t.Error("still idle")
	}
	lacks(t, r.tick(), "recovered")
}

// A daemon that rejects the token gets one call a tick and is not idle; then it works again.
func TestReferenceN29N30RejectedToken(t *testing.T) {
	t.Parallel()
	r := newRig(t, 4)
	d := r.daemon(agytest.Options{})
	d.Set(t, agytest.Behaviour{Refuse: http.StatusUnauthorized})
	r.start()
	r.loop.timeout = time.Nanosecond
	r.said()
	for range 2 {
		d.Forget()
		r.loop.tick(forever, forever)
		text := r.said()
		if strings.Count(text, "watch: authentication failed; sync blocked, retrying discovery next tick (") != 1 || len(d.Requests()) != 1 {
			t.Errorf("%d calls: %s", len(d.Requests()), text)
		}
		lacks(t, text, d.Token(), "idle")
		wants(t, text, "tick: 0 synced, 4 skipped, 0 up-to-date, 1 failed")
		if r.loop.idle() {
			t.Error("idle")
		}
	}
	d.Set(t)
	text := r.tick()
	if strings.Count(text, "watch: authentication recovered; syncing resumed") != 1 {
		t.Error(text)
	}
	lacks(t, text, "daemon recovered")
	r.fresh(4)
}

// Without a daemon no session is read that has no sidecar.
func TestNothingIsReadWithoutADaemon(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	if err := os.WriteFile(r.path(idOf(0)), []byte("not a database, which reading would tell"), 0o600); err != nil {
		t.Fatal(err)
	}
	lacks(t, r.tick(), "skip "+idOf(0), "checked")
}

// The id inside the file is asked for after its name.
func TestReferenceN35InternalID(t *testing.T) {
	t.Parallel()
	r := newRig(t, 0)
	r.add(idOf(1), idOf(2), "")
	d := r.daemon(agytest.Options{})
	wants(t, r.tick(), "synced "+idOf(1))
	if methods(d)["LoadTrajectory"] != 1 {
		t.Error(methods(d))
	}
}

// A session that is written while it is fetched stays stale; what is written before is not the mixed state.
func TestReferenceN39WrittenDuringFetch(t *testing.T) {
	t.Parallel()
	for _, what := range []string{agytest.WriteStep, agytest.WriteEdit} {
		r := newRig(t, 1)
		d := r.daemon(agytest.Options{})
		d.Set(t, agytest.Behaviour{Write: what, Times: 1})
		wants(t, r.tick(), "watch: skip "+idOf(0)+" (the answer is not what is stored: the session changed while it was checked)", "0 synced, 1 skipped, 0 up-to-date, 1 failed")
		if _, err := os.Lstat(r.sidecar(0)); !os.IsNotExist(err) {
			t.Error("a sidecar was written")
		}
		wants(t, r.tick(), "synced")
		r.fresh(1)
	}
	// What changes no content disturbs nobody.
	for _, what := range []string{agytest.WriteSame, agytest.WriteCheckpoint} {
		r := newRig(t, 1)
		d := r.daemon(agytest.Options{})
		d.Set(t, agytest.Behaviour{Write: what, Times: 1})
		wants(t, r.tick(), "synced")
		r.fresh(1)
	}
}

// The time of a sidecar is that of its source before it was read; a checkpoint moves it forward and rewrites nothing.
func TestReferenceN42TimesOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	r.daemon(agytest.Options{})
	r.tick()
	source, _ := os.Stat(r.path(idOf(0)))
	first, _ := os.Stat(r.sidecar(0))
	if !first.ModTime().Equal(source.ModTime()) {
		t.Errorf("sidecar %v, source %v", first.ModTime(), source.ModTime())
	}
	db := r.writer(0)
	r.write(db, agytest.WriteSame)
	wants(t, r.tick(), "tick: 0 synced, 0 skipped, 1 up-to-date, 0 failed")
	second, _ := os.Stat(r.sidecar(0))
	if !os.SameFile(first, second) || !second.ModTime().After(first.ModTime()) {
		t.Errorf("rewritten, or time not moved: %v %v", first.ModTime(), second.ModTime())
	}
}

// A refusal of the source is told once and asked about no more; one of the answer is tried again in every tick.
func TestReferenceN82Holds(t *testing.T) {
	t.Parallel()
	r := newRig(t, 2)
	if err := os.WriteFile(r.path(idOf(0)), []byte("not a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := r.daemon(agytest.Options{})
	d.Set(t, agytest.Behaviour{IDs: []string{idOf(1)}, Wrong: agytest.WrongEnum, Form: "ordinary"})
	text := r.tick()
	wants(t, text, "verification: 0 reused, 1 checked", "tick: 0 synced, 2 skipped, 0 up-to-date, 1 failed")
	if strings.Count(text, "watch: skip "+idOf(0)+" (the session cannot be verified") != 1 {
		t.Error(text)
	}
	for range 2 {
		settle()
		d.Forget()
		text = r.tick()
		lacks(t, text, idOf(0))
		wants(t, text, "watch: skip "+idOf(1)+" (ordinary answer: the answer cannot be compared", "tick: 0 synced, 2 skipped, 0 up-to-date, 1 failed")
		if methods(d)["LoadTrajectory"] != 1 {
			t.Error(methods(d))
		}
	}
	if len(r.loop.held) != 1 {
		t.Fatal("not held")
	}
	// Its file changes: it is read again, told again because the reason is another one, and synced once it is whole.
	if err := os.Remove(r.path(idOf(0))); err != nil {
		t.Fatal(err)
	}
	r.add(idOf(0), idOf(0), "")
	wants(t, r.tick(), "synced "+idOf(0))
	d.Set(t)
	r.tick()
	r.fresh(2)
}

// An old answer of the daemon is not written, another daemon's is; and a ninth one is not asked.
func TestReferenceN39StaleDaemon(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	d := r.daemon(agytest.Options{LogName: "cli-a.log"})
	d.Set(t, agytest.Behaviour{Stale: true})
	wants(t, r.tick(), "watch: skip "+idOf(0)+" (the answer is not what is stored", "1 failed")
	if _, err := os.Lstat(r.sidecar(0)); !os.IsNotExist(err) {
		t.Error("a sidecar was written")
	}
	other := r.daemon(agytest.Options{LogName: "cli-b.log"})
	r.tick()
	if err := r.holds(0); err != nil {
		t.Error(err, methods(d), methods(other))
	}
}

// A slow session keeps no other from its turn, and a daemon that hangs ends the batch.
func TestOneSessionTooMuch(t *testing.T) {
	t.Parallel()
	r := newRig(t, 3)
	d := r.daemon(agytest.Options{})
	d.Set(t, agytest.Behaviour{IDs: []string{idOf(1)}, Crash: false, Limit: 10})
	wants(t, r.tick(), "watch: skip "+idOf(1), "tick: 2 synced, 1 skipped, 0 up-to-date, 1 failed")
	d.Set(t)
	d.Set(t, agytest.Behaviour{Crash: true, Methods: []string{"GetCascadeTrajectory"}})
	text := r.tick()
	wants(t, text, "watch: daemon unreachable, retrying each tick (", "tick: 0 synced, 1 skipped, 2 up-to-date, 1 failed")
}

// Parents are linked after the batch, each problem is told once, and a child that was written but never linked is linked by
// the next watcher.
func TestParentsAreLinked(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	r.add(idOf(1), idOf(1), idOf(0))
	r.add(idOf(2), idOf(2), "0f0f0f0f-0000-4000-8000-000000000000")
	r.daemon(agytest.Options{})
	text := r.tick()
	wants(t, text, "missing-parent", "watch: stamped 2 parent link(s)", "tick: 3 synced")
	file, err := sidecar.Read(r.sidecar(1))
	if parent, _ := file.Block.Parent(); err != nil || parent != idOf(0) {
		t.Fatalf("%q, %v", parent, err)
	}
	db := r.writer(0)
	r.write(db, agytest.WriteStep)
	text = r.tick()
	wants(t, text, "synced "+idOf(0))
	lacks(t, text, "missing-parent", "stamped")
	// Killed between the write and the link.
	if _, err := sidecar.Change(r.sidecar(1), func(b *sidecar.Block) { b.SetParent("") }); err != nil {
		t.Fatal(err)
	}
	r.loop = nil
	wants(t, r.tick(), "watch: stamped 1 parent link(s)")
}

// What is verified is known to the next watcher, but not after a change.
func TestNextWatcherReuses(t *testing.T) {
	t.Parallel()
	r := newRig(t, 3)
	r.daemon(agytest.Options{})
	settle()
	r.tick()
	r.loop = nil
	wants(t, r.tick(), "verification: 3 reused, 0 checked")
	if err := os.Chmod(r.path(idOf(0)), 0o640); err != nil {
		t.Fatal(err)
	}
	r.loop = nil
	wants(t, r.tick(), "verification: 2 reused, 1 checked", "3 up-to-date")
	// A sidecar that somebody else replaced is found out and written anew.
	if err := os.WriteFile(r.sidecar(1), []byte(`{"steps":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, r.tick(), "synced "+idOf(1)+" (2 steps, 1 KB) [unverified]")
	if err := os.WriteFile(r.sidecar(1), []byte(`{"steps":[`), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, r.tick(), "synced "+idOf(1)+" (2 steps, 1 KB) [corrupt]")
	r.fresh(3)
}

// Sessions come and go.
func TestSessionsComeAndGo(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	d := r.daemon(agytest.Options{})
	r.tick()
	if err := os.Remove(r.path(idOf(0))); err != nil {
		t.Fatal(err)
	}
	r.add(idOf(1), idOf(1), "")
	text := r.tick()
	wants(t, text, "synced "+idOf(1), "tick: 1 synced, 0 skipped, 0 up-to-date, 0 failed")
	lacks(t, text, idOf(0))
	// One that goes between the listing and the look is not an event.
	b := &batch{loop: r.loop}
	b.session(forever, store.Session{ID: idOf(0), Path: r.path(idOf(0)), Kind: ".db", Root: r.root})
	if text = r.said(); text != "" || b.n != (count{}) && b.n.skipped+b.n.failed > 0 {
		t.Errorf("%q %+v", text, b.n)
	}
	_ = d
}

// An implicit trajectory is never asked for.
func TestReferenceN51ImplicitNever(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	if err := os.Rename(r.root.Path+"/conversations", r.root.Path+"/implicit"); err != nil {
		t.Fatal(err)
	}
	d := r.daemon(agytest.Options{})
	wants(t, r.tick(), "tick: 0 synced, 0 skipped, 0 up-to-date, 0 failed")
	if n := len(d.Requests()); n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	roots := []store.Root{{Path: "/a", Surface: "cli"}, {Path: "/b", Surface: "ide"}, {Path: "/c", Surface: "cli"}}
	if a, b, c := label(roots, 0), label(roots, 1), label(roots[:1], 0); a != "[/a] " || b != "[ide] " || c != "" {
		t.Errorf("%q %q %q", a, b, c)
	}
}

// A pinned address that nobody listens at, and one that is no address.
func TestPinnedAddress(t *testing.T) {
	t.Parallel()
	r := newRig(t, 1)
	r.variables["ANTIGRAVITY_DAEMON_URL"] = "http://127.0.0.1:1"
	wants(t, r.tick(), "daemon=http://127.0.0.1:1 interval", "watch: daemon unreachable, retrying each tick (ANTIGRAVITY_DAEMON_URL is set to http://127.0.0.1:1, which does not answer")
	lacks(t, r.tick(), "unreachable")
	r.variables["ANTIGRAVITY_DAEMON_URL"] = "ftp://user:secret@x"
	r.loop = nil
	text := r.tick()
	wants(t, text, "ANTIGRAVITY_DAEMON_URL must be like http://127.0.0.1:PORT")
	lacks(t, text, "secret")
}
