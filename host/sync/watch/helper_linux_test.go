package watch

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/agytest"
	"agy-reader/host/agytest/answers"
	"agy-reader/host/demo/build"
	"agy-reader/host/endpoint"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/sqlite"
)

func TestMain(m *testing.M) {
	if os.Getenv(writerVariable) != "" {
		serveWriter()
		return
	}
	goleak.VerifyTestMain(m)
}

func verifier() *verify.Verifier { return verify.New(sqlite.New(), legacypb.New()) }

// rig is a store, and a loop that watches it with ticks by hand.
type rig struct {
	t     testing.TB
	root  store.Root
	cache string
	// variables are what the finder's environment has.
	variables map[string]string
	loop      *loop
	mu        sync.Mutex
	lines     []string
}

// newRig makes a store with so many conversations; their ids are idOf(0)…
func newRig(t testing.TB, sessions int) *rig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, root: store.Root{Path: filepath.Join(dir, "store"), Surface: "cli"}, cache: filepath.Join(dir, "cache"), variables: map[string]string{}}
	if err := os.MkdirAll(filepath.Join(r.root.Path, store.Conversations), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range sessions {
		r.add(idOf(i), idOf(i), "")
	}
	return r
}

func idOf(i int) string { return fmt.Sprintf("5e550000-0000-4000-8000-%012d", i) }

// step is a step that says text.
func step(text string) string {
	return fmt.Sprintf(`{"type": 14, "status": 3, "userInput": {"userResponse": %q}}`, text)
}

// add writes a conversation whose file has another name than the id inside, if need be. parent is the conversation that
// started it.
func (r *rig) add(file, id, parent string) string {
	r.t.Helper()
	c, err := build.NewConversation(id, "7a"+id[2:], build.Step(r.t, step("Say hello, "+id)), build.Step(r.t, step("And now "+strings.Repeat("x", 200))))
	if err != nil {
		r.t.Fatal(err)
	}
	if parent != "" {
		c.Metadata = build.MustEncode(r.t, "exa.cortex_pb.CortexTrajectoryMetadata", fmt.Sprintf(`{"parentConversationId": %q}`, parent))
	}
	path := r.path(file)
	if err := build.Database(path, c); err != nil {
		r.t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		r.t.Fatal(err)
	}
	return path
}

func (r *rig) path(id string) string {
	return filepath.Join(r.root.Path, store.Conversations, id+".db")
}
func (r *rig) sidecar(i int) string { return sidecar.Path(r.path(idOf(i))) }

// daemon starts the stand-in on the store.
func (r *rig) daemon(o agytest.Options) *agytest.Daemon {
	r.t.Helper()
	o.Root = r.root.Path
	return agytest.Start(r.t, o)
}

func (r *rig) options() Options {
	env := store.Environment{Home: filepath.Dir(r.root.Path), Getenv: func(name string) string { return r.variables[name] }}
	return Options{
		Roots: []store.Root{r.root}, Finder: endpoint.New(env), Verifier: verifier(), Interval: time.Minute, CacheDir: r.cache,
		Line: func(text string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.lines = append(r.lines, text)
		},
	}
}

// start is a watcher's start, without a tick.
func (r *rig) start() {
	r.t.Helper()
	r.loop = newLoops(r.options())[0]
	r.loop.begin(r.t.Context())
}

// tick is one tick, the first one included. It returns what was said since the last one.
func (r *rig) tick() string {
	r.t.Helper()
	if r.loop == nil {
		r.start()
	} else {
		r.loop.present(r.t.Context())
	}
	r.loop.tick(r.t.Context(), r.t.Context())
	r.loop.idle()
	return r.said()
}

// said is what was said since the last time, with ports and times of processes taken out.
func (r *rig) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.lines = nil }()
	return strings.Join(r.lines, "\n")
}

// settle waits until no file's time can hide another change.
func settle() { time.Sleep(60 * time.Millisecond) }

// wants fails unless all parts are in text, in this order.
func wants(t testing.TB, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is not there, or not in its place:\n%s", part, text)
		}
		rest = after
	}
}

// lacks fails when a part is in text.
func lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Fatalf("%q should not be there:\n%s", part, text)
		}
	}
}

// writer opens a conversation as its product does.
func (r *rig) writer(i int) *sql.DB {
	r.t.Helper()
	db, err := answers.Writer(r.path(idOf(i)))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { db.Close() })
	return db
}

func (r *rig) write(db *sql.DB, what string) {
	r.t.Helper()
	if err := answers.Write(db, what); err != nil {
		r.t.Fatal(err)
	}
}

// holds reports whether a sidecar has what the stand-in, which shares no code with the reader, makes of the store now.
func (r *rig) holds(i int) error {
	stored, err := answers.Load(r.root.Path, idOf(i))
	if err != nil {
		return err
	}
	want, err := stored.JSON(stored.Display().Trajectory)
	if err != nil {
		return err
	}
	file, err := sidecar.Read(r.sidecar(i))
	if err != nil {
		return err
	}
	a, b := normal(want), normal(file.Trajectory)
	if a == "" || a != b {
		return fmt.Errorf("%s: stored %s, sidecar %s", idOf(i), a, b)
	}
	if file.Block.Completeness() == nil {
		return fmt.Errorf("%s: no evidence", idOf(i))
	}
	return nil
}

func normal(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return ""
	}
	out, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}

// fresh fails unless all sidecars hold what the store holds.
func (r *rig) fresh(sessions int) {
	r.t.Helper()
	for i := range sessions {
		if err := r.holds(i); err != nil {
			r.t.Error(err)
		}
	}
}

// methods counts what a daemon was asked, by method, and checks the token.
func methods(d *agytest.Daemon) map[string]int {
	n := map[string]int{}
	for _, q := range d.Requests() {
		n[q.Method]++
	}
	return n
}

// forever is a context without an end.
var forever = context.Background()

// ctimeOf is the time at which anything about a file last changed.
func ctimeOf(t testing.TB, path string) string {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(info.Sys().(*syscall.Stat_t).Ctim)
}
