package archive_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/archive"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/demo/build"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("AGY_ARCHIVE_CHILD"); dir != "" {
		os.Exit(child(dir, os.Getenv("AGY_ARCHIVE_ROOT")))
	}
	goleak.VerifyTestMain(m)
}

// shop is a store made by code.
type shop struct {
	t    testing.TB
	root string
}

func newShop(t testing.TB) *shop {
	s := &shop{t: t, root: filepath.Join(t.TempDir(), "antigravity-cli")}
	if err := os.MkdirAll(filepath.Join(s.root, "conversations"), 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

func id(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n) }

func (s *shop) path(n int) string { return filepath.Join(s.root, "conversations", id(n)+".db") }

// put writes a conversation, or another one in its place: a prompt, and answers until there are that many steps.
func (s *shop) put(n int, prompt string, steps int, edit ...func(*build.Conversation)) {
	s.t.Helper()
	payloads := [][]byte{s.step(fmt.Sprintf(`{"type": 14, "status": 3, "metadata": {"createdAt": "2026-05-%02dT23:30:00Z"}, "userInput": {"userResponse": %q}}`, 1+n%28, prompt))}
	for i := 1; i < steps; i++ {
		payloads = append(payloads, s.step(fmt.Sprintf(`{"type": 15, "status": 3, "plannerResponse": {"response": "Answer %d to %s."}}`, i, id(n))))
	}
	s.write(n, payloads, edit...)
}

func (s *shop) step(text string) []byte {
	s.t.Helper()
	payload, err := build.Encode(build.StepMessage, text)
	if err != nil {
		s.t.Fatal(err)
	}
	return payload
}

func (s *shop) write(n int, payloads [][]byte, edit ...func(*build.Conversation)) {
	s.t.Helper()
	c, err := build.NewConversation(id(n), "tr-"+id(n), payloads...)
	if err != nil {
		s.t.Fatal(err)
	}
	if c.Metadata, err = build.Encode("exa.cortex_pb.CortexTrajectoryMetadata", fmt.Sprintf(`{"createdAt": "2026-05-%02dT23:30:00Z"}`, 1+n%28)); err != nil {
		s.t.Fatal(err)
	}
	for _, f := range edit {
		f(&c)
	}
	if err := os.Remove(s.path(n)); err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	if err := build.Database(s.path(n), c); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) sessions() []store.Session {
	s.t.Helper()
	all, err := store.All(store.Roots([]string{s.root}, store.Environment{Getenv: func(string) string { return "" }}), false)
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// options export every conversation of the shop as the given formats.
func (s *shop) options(dir string, formats ...string) archive.Options {
	s.t.Helper()
	return optionsFor(s.t, dir, s.sessions(), formats...)
}

func optionsFor(t testing.TB, dir string, sessions []store.Session, formats ...string) archive.Options {
	opt, err := newOptions(dir, sessions, formats...)
	if err != nil {
		t.Fatal(err)
	}
	return opt
}

func newOptions(dir string, sessions []store.Session, formats ...string) (archive.Options, error) {
	opt := archive.Options{Dir: dir, Sessions: sessions, Searched: []string{"cli"}, Buckets: []string{store.Conversations}}
	backends, err := builtin.Registry()
	if err != nil {
		return opt, err
	}
	source, err := backends.Source("sqlite")
	if err != nil {
		return opt, err
	}
	for _, format := range formats {
		sink, err := backends.Sink(format)
		if err != nil {
			return opt, err
		}
		opt.Targets = append(opt.Targets, convert.Target{Sink: sink})
	}
	opt.Job = func(store.Session) (convert.Job, error) { return convert.Job{Source: source}, nil }
	opt.Describe = func(ctx context.Context, s store.Session) archive.Known {
		summary, err := source.(sources.Peeker).Peek(ctx, s.Ref())
		if err != nil {
			return archive.Known{}
		}
		return archive.Known{Title: summary.Title.GetValue(), CreatedNS: summary.CreatedNS}
	}
	return opt, nil
}

// export runs and returns the outcomes by id.
func export(t testing.TB, opt archive.Options) (*archive.Summary, map[string]archive.Outcome) {
	t.Helper()
	outcomes := map[string]archive.Outcome{}
	opt.Report = func(o archive.Outcome) { outcomes[o.Session.ID] = o }
	summary, err := archive.Run(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return summary, outcomes
}

// state is every file below dir with its hash and time.
func state(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		files[filepath.ToSlash(name)] = hex.EncodeToString(sum[:8]) + " " + info.ModTime().UTC().Format(time.RFC3339Nano)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// contents is state without times.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := state(t, dir)
	for name, text := range files {
		files[name], _, _ = strings.Cut(text, " ")
	}
	return files
}

func read(t testing.TB, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
