package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/demo/build"
	"agy-reader/host/endpoint"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/sqlite"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// secret is a token that nothing may show.
const secret = "5ecre7-70ken"

// steps of the conversation of every test, and how a daemon answers them.
const (
	steps    = `[{"type": "CORTEX_STEP_TYPE_USER_INPUT", "status": "CORTEX_STEP_STATUS_DONE", "userInput": {"userResponse": "Say hello"}}]`
	answered = `{"trajectoryId": "c1ea0000-0000-4000-8000-00000000000f", "cascadeId": "ID", "trajectoryType": "CORTEX_TRAJECTORY_TYPE_CASCADE", "source": "CORTEX_TRAJECTORY_SOURCE_CLI", "steps": ` + steps + `}`
)

// shop is a store with conversations in a home of its own.
type shop struct {
	t    *testing.T
	root store.Root
	now  time.Time
}

func newShop(t *testing.T, surface string) *shop {
	t.Helper()
	s := &shop{t: t, root: store.Root{Path: filepath.Join(t.TempDir(), "store"), Surface: surface}, now: time.Now()}
	if err := os.MkdirAll(filepath.Join(s.root.Path, store.Conversations), 0o700); err != nil {
		t.Fatal(err)
	}
	return s
}

func verifier() *verify.Verifier { return verify.New(sqlite.New(), legacypb.New()) }

// file is the path of a conversation's file.
func (s *shop) file(name string) string {
	return filepath.Join(s.root.Path, store.Conversations, name)
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.file(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// conversation writes a database with the payloads, or with the steps of every test.
func (s *shop) conversation(id string, payloads ...[]byte) store.Session {
	s.t.Helper()
	if len(payloads) == 0 {
		payloads = [][]byte{build.Step(s.t, `{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`)}
	}
	c, err := build.NewConversation(id, "c1ea0000-0000-4000-8000-00000000000f", payloads...)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := build.Database(s.file(id+".db"), c); err != nil {
		s.t.Fatal(err)
	}
	return store.Session{ID: id, Path: s.file(id + ".db"), Kind: ".db", Root: s.root}
}

// sync writes the sidecar as a sync does.
func (s *shop) sync(session store.Session) {
	s.t.Helper()
	snapshot, err := verifier().Take(s.t.Context(), session)
	if err != nil {
		s.t.Fatal(err)
	}
	text := json.RawMessage(replace(answered, session.ID))
	evidence, err := snapshot.Check(s.t.Context(), daemon.Full{Proto: build.MustEncode(s.t, "gemini_coder.Trajectory", string(text))}, text)
	if err != nil {
		s.t.Fatal(err)
	}
	raw, err := json.Marshal(evidence)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := sidecar.Write(sidecar.Path(session.Path), text, func(b *sidecar.Block) error { b.SetCompleteness(raw); return nil }, s.now); err != nil {
		s.t.Fatal(err)
	}
}

// fake answers for a Finder.
type fake struct {
	endpoint daemon.Endpoint
	err      error
	watchers []endpoint.Watcher
	unknown  error
}

func (f fake) Find(context.Context, store.Root) (daemon.Endpoint, error) { return f.endpoint, f.err }

func (f fake) Watchers(context.Context) ([]endpoint.Watcher, error) { return f.watchers, f.unknown }

// nobody finds nothing.
var nobody = fake{err: &endpoint.NotFoundError{Cause: errors.New("no agy process listens")}}

func noAgy(context.Context) (string, error) { return "", ErrNoAgy }

// examine runs Examine on the shop alone.
func (s *shop) examine(f Finder) *Report {
	s.t.Helper()
	r, err := Examine(s.t.Context(), Options{Roots: []store.Root{s.root}, Finder: f, Verifier: verifier(), Agy: noAgy})
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}
