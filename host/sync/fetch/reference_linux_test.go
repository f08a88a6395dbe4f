package fetch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/agytest"
	"agy-reader/host/demo/build"
	"agy-reader/host/endpoint"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/sqlite"
)

const (
	a = "aaaaaaaa-0000-4000-8000-000000000001"
	b = "bbbbbbbb-0000-4000-8000-000000000002"
	c = "cccccccc-0000-4000-8000-000000000003"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newRoot is a store without conversations.
func newRoot(t *testing.T) store.Root {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, store.Conversations), 0o700); err != nil {
		t.Fatal(err)
	}
	return store.Root{Path: dir, Surface: "cli"}
}

// add writes a conversation that says text. The file's name may be another one than the id inside.
func add(t *testing.T, root store.Root, name, id, text string) (path string) {
	t.Helper()
	conversation, err := build.NewConversation(id, "7a"+id[2:], build.Step(t, fmt.Sprintf(`{"type": 14, "status": 3, "userInput": {"userResponse": %q}}`, text)))
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(root.Path, store.Conversations, name+".db")
	if err := build.Database(path, conversation); err != nil {
		t.Fatal(err)
	}
	return path
}

// fetcher returns one and what it has warned of.
func fetcher(t *testing.T, roots ...store.Root) (f *Fetcher, said *[]string) {
	t.Helper()
	said = &[]string{}
	env := store.Environment{Home: t.TempDir(), Getenv: func(string) string { return "" }}
	return &Fetcher{
		Roots: roots, Source: sqlite.New(), Verifier: verify.New(sqlite.New(), legacypb.New()), Finder: endpoint.New(env),
		Warn: func(text string) { *said = append(*said, text) },
	}, said
}

// asked lists the ids that a daemon was asked to load.
func asked(d *agytest.Daemon) (ids []string) {
	for _, r := range d.Requests() {
		if r.Method == "LoadTrajectory" {
			_, id, _ := strings.Cut(string(r.Body), `":"`)
			ids = append(ids, strings.TrimRight(id, "\"}"))
		}
	}
	return ids
}

// state is a file's content and everything that a write to it would change.
func state(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return "absent"
	}
	text, readErr := os.ReadFile(path)
	if err := errors.Join(err, readErr); err != nil {
		t.Fatal(err)
	}
	s := info.Sys().(*syscall.Stat_t)
	return fmt.Sprint(s.Ino, s.Mode, s.Mtim, s.Ctim, string(text))
}

// Roots are searched in their order, and the first that has the id is the one that is asked. An id on no disk is asked of
// each root's daemon in the same order; nothing is written for it.
func TestReferenceN11RootsInOrder(t *testing.T) {
	t.Parallel()
	one, two := newRoot(t), newRoot(t)
	add(t, one, a, a, "one")
	add(t, two, a, a, "two")
	first, second := agytest.Start(t, agytest.Options{Root: one.Path}), agytest.Start(t, agytest.Options{Root: two.Path})
	f, _ := fetcher(t, two, one)
	found, err := f.Fetch(t.Context(), a)
	if err != nil || found.From != Daemon || !strings.Contains(string(found.Trajectory), `"two"`) {
		t.Fatalf("%+v, %v", found, err)
	}
	if len(asked(first)) != 0 || !slices.Equal(asked(second), []string{a}) {
		t.Errorf("asked %v, %v", asked(first), asked(second))
	}
	first.Forget()
	second.Forget()
	if _, err = f.Fetch(t.Context(), c); err == nil {
		t.Fatal("found what nobody has")
	}
	lines := strings.Split(err.Error(), "\n")
	has := func(path string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, path+": ") })
	}
	if has(two.Path) != 0 || has(one.Path) <= 0 || !slices.Equal(asked(first), []string{c}) || !slices.Equal(asked(second), []string{c}) {
		t.Errorf("asked %v, %v: %v", asked(second), asked(first), err)
	}
	alone, _ := fetcher(t, one)
	if _, err = alone.Fetch(t.Context(), c); err == nil || strings.Contains(err.Error(), one.Path+": ") {
		t.Errorf("one root: %v", err)
	}
	if _, err := alone.Sync(t.Context(), c); !errors.Is(err, sources.ErrNotFound) || !strings.HasPrefix(err.Error(), "cannot --sync: no on-disk ") {
		t.Errorf("sync: %v", err)
	}
	for _, root := range []store.Root{one, two} {
		if s := state(t, sidecar.Path(filepath.Join(root.Path, store.Conversations, c+".db"))); s != "absent" {
			t.Error(s)
		}
	}
}

// A file with the very name comes before one that holds the id inside. Upper and lower case are the same.
func TestReferenceN36FileNameBeatsInternalID(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	inside := add(t, root, b, a, "the id inside")
	named := add(t, root, a, c, "the name")
	newer := time.Now().Add(time.Minute)
	if err := os.Chtimes(inside, newer, newer); err != nil { // which is listed first
		t.Fatal(err)
	}
	agytest.Start(t, agytest.Options{Root: root.Path})
	f, _ := fetcher(t, root)
	for _, id := range []string{a, strings.ToUpper(a), a + ".db", a + ".pb"} {
		if path, err := f.Sync(t.Context(), id); err != nil || path != sidecar.Path(named) {
			t.Errorf("%s: %s, %v", id, path, err)
		}
	}
	if path, err := f.Sync(t.Context(), strings.ToUpper(c)); err != nil || path != sidecar.Path(named) {
		t.Errorf("by the id inside: %s, %v", path, err)
	}
	if s := state(t, sidecar.Path(inside)); s != "absent" {
		t.Error(s)
	}
}

// A database and an encrypted file with one id are one conversation: the database's.
func TestReferenceN49Pair(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	path := add(t, root, a, a, "later")
	legacy := strings.TrimSuffix(path, ".db") + ".pb"
	if err := os.WriteFile(legacy, []byte("is never read"), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := time.Now().Add(time.Minute)
	if err := os.Chtimes(legacy, newer, newer); err != nil {
		t.Fatal(err)
	}
	agytest.Start(t, agytest.Options{Root: root.Path})
	f, said := fetcher(t, root)
	found, err := f.Fetch(t.Context(), a+".pb")
	if err != nil || found.From != Daemon || found.Session.Path != path || !strings.Contains(string(found.Trajectory), "later") {
		t.Errorf("%+v, %v, %v", found, err, *said)
	}
}

// What is shown in place of a daemon's answer changes nothing on the disk: not the sidecar, not its time, not its evidence.
func TestReferenceN50FallbackWritesNothing(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	path := add(t, root, a, a, "the first text")
	d := agytest.Start(t, agytest.Options{Root: root.Path})
	f, said := fetcher(t, root)
	if _, err := f.Sync(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	d.Kill()
	for _, step := range []struct {
		name   string
		change func() error
		want   From
		say    string
	}{
		{"a sidecar that holds what the session holds", nil, Verified, "using cached sidecar, which holds"},
		{"the session is another one by now", func() error {
			return errors.Join(os.Remove(path), build.Database(path, another(t)))
		}, Native, "reading the session's own file"},
		{"the session cannot be read", func() error { return os.WriteFile(path, []byte("no database"), 0o600) }, Unverified, "which may be older than the session"},
	} {
		if step.change != nil {
			if err := step.change(); err != nil {
				t.Fatal(err)
			}
		}
		*said = nil
		before := state(t, sidecar.Path(path))
		found, err := f.Fetch(t.Context(), a)
		if err != nil || found.From != step.want || len(*said) != 1 || !strings.Contains((*said)[0], step.say) {
			t.Errorf("%s: %+v, %v, %q", step.name, found, err, *said)
		}
		if after := state(t, sidecar.Path(path)); after != before {
			t.Errorf("%s: the sidecar changed", step.name)
		}
		if _, err := f.Sync(t.Context(), a); err == nil {
			t.Errorf("%s: synced without a daemon", step.name)
		}
		if after := state(t, sidecar.Path(path)); after != before {
			t.Errorf("%s: --sync changed the sidecar", step.name)
		}
	}
	if err := os.Remove(sidecar.Path(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fetch(t.Context(), a); err == nil || !strings.HasPrefix(err.Error(), "daemon fetch failed and no usable cache: ") {
		t.Error(err)
	}
	if s := state(t, sidecar.Path(path)); s != "absent" {
		t.Error(s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Fetch(ctx, a); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func another(t *testing.T) build.Conversation {
	t.Helper()
	made, err := build.NewConversation(a, c, build.Step(t, `{"type": 14, "status": 3, "userInput": {"userResponse": "another text"}}`))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// An answer that is not what is stored is never written, and neither is one that comes while the session changes.
func TestStaleAnswerIsNotWritten(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	path := add(t, root, a, a, "the text")
	d := agytest.Start(t, agytest.Options{Root: root.Path})
	f, _ := fetcher(t, root)
	d.Set(t, agytest.Behaviour{Stale: true})
	if _, err := f.Sync(t.Context(), a); !errors.Is(err, verify.ErrStale) {
		t.Error(err)
	}
	if found, err := f.Fetch(t.Context(), a); err != nil || found.From != Native {
		t.Errorf("%+v, %v", found, err)
	}
	d.Set(t, agytest.Behaviour{Refuse: 401})
	d.Forget()
	if _, err := f.Sync(t.Context(), a); !errors.Is(err, daemon.ErrAuth) || strings.Contains(err.Error(), d.Token()) || len(d.Requests()) != 1 {
		t.Errorf("%d calls, %v", len(d.Requests()), err)
	}
	if s := state(t, sidecar.Path(path)); s != "absent" {
		t.Error(s)
	}
}

// A member that no schema has, inside a step of the ordinary answer, is kept as it came; the evidence says that the store
// cannot confirm it, and the sidecar stays verified.
func TestUnknownMemberOfAStepIsKept(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	path := add(t, root, a, a, "the text")
	d := agytest.Start(t, agytest.Options{Root: root.Path})
	d.Set(t, agytest.Behaviour{Wrong: agytest.WrongInside, Form: "ordinary"})
	f, _ := fetcher(t, root)
	if _, err := f.Sync(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	file, err := sidecar.Read(sidecar.Path(path))
	if err != nil || !strings.Contains(string(file.Trajectory), `"brandNewMember":[9007199254740993]`) {
		t.Fatalf("%s, %v", file.Trajectory, err)
	}
	evidence, err := verify.ParseEvidence(file.Block.Completeness())
	if err != nil || !slices.ContainsFunc(evidence.NotCovered, func(path string) bool { return strings.Contains(path, "brandNewMember") }) {
		t.Errorf("%+v, %v", evidence, err)
	}
	d.Kill()
	if found, err := f.Fetch(t.Context(), a); err != nil || found.From != Verified || !strings.Contains(string(found.Trajectory), "brandNewMember") {
		t.Errorf("%+v, %v", found, err)
	}
}
