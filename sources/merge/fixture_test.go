package merge_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/merge"
	"agy-reader/sources/mirror"
	"agy-reader/sources/sqlite"
)

const (
	id         = "c0ffee00-0000-4000-8000-000000000001"
	trajectory = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
)

// start is the time of step 0; each step comes ten seconds after the one before.
var start = time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC)

func at(index int) time.Time { return start.Add(time.Duration(index) * 10 * time.Second) }

// kind alternates, so that a step is not taken for its neighbour.
func kind(index int) string {
	if index%2 == 0 {
		return "USER_INPUT"
	}
	return "PLANNER_RESPONSE"
}

// payload is a stored step. Half a second shows that logs know whole ones only.
func payload(t testing.TB, index int, text string, when time.Time, more string) []byte {
	t.Helper()
	body := fmt.Sprintf(`"userInput":{"userResponse":%q}`, text)
	if kind(index) != "USER_INPUT" {
		body = fmt.Sprintf(`"plannerResponse":{"response":%q}`, text)
	}
	if more != "" {
		body = more
	}
	return build.Step(t, fmt.Sprintf(`{"type":"CORTEX_STEP_TYPE_%s","status":"CORTEX_STEP_STATUS_DONE",
		"metadata":{"createdAt":%q},%s}`, kind(index), when.Add(500*time.Millisecond).Format(time.RFC3339Nano), body))
}

// line is a line of a log.
func line(index int, text string, when time.Time) string {
	raw, err := json.Marshal(map[string]any{
		"step_index": index, "source": "MODEL", "type": kind(index), "status": "DONE",
		"created_at": when.Format(time.RFC3339), "content": text,
	})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func lines(from, to int) []string {
	var list []string
	for i := from; i <= to; i++ {
		list = append(list, line(i, fmt.Sprintf("log %d", i), at(i)))
	}
	return list
}

// store is a store with one conversation.
type store struct {
	t    testing.TB
	root string
}

func newStore(t testing.TB) *store {
	t.Helper()
	s := &store{t, t.TempDir()}
	for _, dir := range []string{s.logs(), filepath.Join(s.root, "conversations")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *store) brain() string { return filepath.Join(s.root, "brain", id) }

func (s *store) logs() string { return filepath.Join(s.brain(), ".system_generated", "logs") }

func (s *store) file(suffix string) string { return filepath.Join(s.root, "conversations", id+suffix) }

func (s *store) write(path string, data string) {
	s.t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *store) log(name string, lines ...string) {
	s.t.Helper()
	text := ""
	if len(lines) > 0 {
		text = strings.Join(lines, "\n") + "\n"
	}
	s.write(filepath.Join(s.logs(), name), text)
}

// database writes a database of n steps, then runs statements on it.
func (s *store) database(n int, statements ...string) {
	s.t.Helper()
	var payloads [][]byte
	for i := range n {
		payloads = append(payloads, payload(s.t, i, fmt.Sprintf("db %d", i), at(i), ""))
	}
	s.conversation(func(*build.Conversation) {}, payloads, statements...)
}

func (s *store) conversation(change func(*build.Conversation), payloads [][]byte, statements ...string) {
	s.t.Helper()
	c, err := build.NewConversation(id, trajectory, payloads...)
	if err != nil {
		s.t.Fatal(err)
	}
	change(&c)
	if err := build.Database(s.file(".db"), c); err != nil {
		s.t.Fatal(err)
	}
	if len(statements) == 0 {
		return
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(s.file(".db"))}).EscapedPath())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, statement := range append(statements, "PRAGMA wal_checkpoint(TRUNCATE)") {
		if _, err := db.Exec(statement); err != nil {
			s.t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// legacy writes an encrypted file of n steps.
func (s *store) legacy(n int) {
	s.t.Helper()
	field := func(raw []byte, number protowire.Number, value []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(raw, number, protowire.BytesType), value)
	}
	raw := field(nil, 1, []byte(trajectory))
	for i := range n {
		raw = field(raw, 2, payload(s.t, i, fmt.Sprintf("pb %d", i), at(i), ""))
	}
	raw = field(raw, 6, []byte(id))
	s.write(s.file(".pb"), string(build.Seal(s.t, raw)))
}

// ref is how the host asks for the conversation.
func (s *store) ref() sources.Ref {
	ref := sources.Ref{ID: id, Root: s.root, Brain: s.brain(), Surface: "cli"}
	for _, suffix := range []string{".db", ".pb"} {
		if _, err := os.Stat(s.file(suffix)); err == nil {
			ref.Path = s.file(suffix)
			break
		}
	}
	return ref
}

func source() *merge.Source { return merge.New(sqlite.New(), legacypb.New(), mirror.New()) }

// document is everything a reader gave.
type document struct {
	header *transcriptv1.Header
	events []*transcriptv1.Event
	footer *transcriptv1.Footer
}

func (s *store) read(want sources.Want) (*document, error) {
	s.t.Helper()
	return readFrom(context.Background(), source(), s.ref(), want, nil)
}

func (s *store) mustRead() *document {
	s.t.Helper()
	d, err := s.read(sources.Want{Blocks: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

// readFrom reads a conversation as the host does: batches are decoded after the reader was closed.
func readFrom(ctx context.Context, src sources.Source, ref sources.Ref, want sources.Want, before func(batch int)) (*document, error) {
	r, err := src.Open(ctx, ref, want)
	if err != nil {
		return nil, err
	}
	d := &document{header: r.Header()}
	var batches []sources.Batch
	for {
		b, next := r.Next(ctx)
		if errors.Is(next, io.EOF) {
			break
		}
		if next != nil {
			err = next
			break
		}
		batches = append(batches, b)
	}
	footer, closeErr := r.Close()
	d.footer = footer
	err = errors.Join(err, closeErr)
	for i, b := range batches {
		if before != nil {
			before(i)
		}
		if err == nil {
			err = b.Decode(func(e *transcriptv1.Event) error {
				// Not proto.Clone: it would share the strings, which die with the batch.
				raw, err := proto.Marshal(e)
				if err != nil {
					return err
				}
				kept := &transcriptv1.Event{}
				d.events = append(d.events, kept)
				return proto.Unmarshal(raw, kept)
			})
		}
		b.Release()
	}
	return d, err
}

// outline is the document in short: steps as `3 db 3` or `3 log 3 (transcript.jsonl)`, gaps as `gap 1–2`, other branches
// between braces.
func (d *document) outline() []string {
	var list []string
	for _, e := range d.events {
		switch body := e.Body.(type) {
		case *transcriptv1.Event_Begin:
			list = append(list, "{")
		case *transcriptv1.Event_End:
			list = append(list, "}")
		case *transcriptv1.Event_Step:
			list = append(list, short(body.Step))
		case *transcriptv1.Event_Note:
			if n := body.Note; n.GetKind() == "gap" && n.FirstIndex != nil {
				last := "…"
				if n.LastIndex != nil {
					last = fmt.Sprint(n.GetLastIndex())
				}
				list = append(list, fmt.Sprintf("gap %d–%s", n.GetFirstIndex(), last))
			}
		}
	}
	return list
}

func short(st *transcriptv1.Step) string {
	text := fmt.Sprint(st.GetIndex())
	for _, b := range st.GetBlocks() {
		if b.GetNotice() == nil {
			text += " " + b.GetText()
		}
	}
	if st.GetOrigin() != "" {
		text += " (" + st.GetOrigin() + ")"
	}
	return text
}

// notes lists the notes as `kind incomplete: text`.
func (d *document) notes() []string {
	var list []string
	for _, e := range d.events {
		if n := e.GetNote(); n != nil {
			mark := ""
			if n.GetIncomplete() {
				mark = " incomplete"
			}
			list = append(list, n.GetKind()+mark+": "+n.GetText())
		}
	}
	return list
}
