package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sources"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeSource hands out scripted batches and checks how it is used.
type fakeSource struct {
	header *transcriptv1.Header
	footer *transcriptv1.Footer
	// batches are copied for every reading, because the host may change events.
	batches [][]*transcriptv1.Event

	openErr, closeErr, decodeErr error
	// nextErr comes in place of the batch of that number.
	nextErr map[int]error
	// onNext is called before a batch is read.
	onNext func(n int)

	want   sources.Want
	opened atomic.Int32
	closed atomic.Int32
	live   atomic.Int32
}

func (f *fakeSource) Describe() sources.Info { return sources.Info{Name: "fake"} }

func (f *fakeSource) Open(_ context.Context, _ sources.Ref, want sources.Want) (sources.Reader, error) {
	if f.openErr != nil {
		return nil, f.openErr
	}
	f.want = want
	f.opened.Add(1)
	return &fakeReader{source: f}, nil
}

type fakeReader struct {
	source *fakeSource
	next   int
}

func (r *fakeReader) Header() *transcriptv1.Header {
	if r.source.header == nil {
		return &transcriptv1.Header{ConversationId: "conv"}
	}
	return proto.CloneOf(r.source.header)
}

func (r *fakeReader) Next(ctx context.Context) (sources.Batch, error) {
	if r.source.onNext != nil {
		r.source.onNext(r.next)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := r.source.nextErr[r.next]; err != nil {
		return nil, err
	}
	if r.next == len(r.source.batches) {
		return nil, io.EOF
	}
	b := &fakeBatch{source: r.source}
	for _, ev := range r.source.batches[r.next] {
		b.events = append(b.events, proto.CloneOf(ev))
	}
	r.next++
	r.source.live.Add(1)
	return b, nil
}

func (r *fakeReader) Close() (*transcriptv1.Footer, error) {
	r.source.closed.Add(1)
	if r.source.closeErr != nil {
		return nil, r.source.closeErr
	}
	return proto.CloneOf(r.source.footer), nil
}

// fakeBatch poisons its events when it is released, so that whoever keeps one is found out.
type fakeBatch struct {
	source   *fakeSource
	events   []*transcriptv1.Event
	released bool
}

func (b *fakeBatch) Decode(yield func(*transcriptv1.Event) error) error {
	for _, ev := range b.events {
		if err := yield(ev); err != nil {
			return err
		}
	}
	return b.source.decodeErr
}

func (b *fakeBatch) Release() {
	if b.released {
		panic("a batch is released twice")
	}
	b.released = true
	b.source.live.Add(-1)
	for _, ev := range b.events {
		if st := ev.GetStep(); st != nil {
			st.Anchor, st.Summary = "poison", "poison"
			for _, blk := range st.Blocks {
				blk.Text = "poison"
			}
		}
		ev.Body = &transcriptv1.Event_Note{Note: &transcriptv1.Note{Kind: "poison"}}
	}
}

// fakeSink writes one line an event. It is as picky about its use as the seam allows.
type fakeSink struct {
	name  string
	needs sinks.Needs
	// ahead makes its sessions Renderers.
	ahead    bool
	failAt   int // event number at which Event fails, from 1
	failEnd  bool
	failOpen bool
	silent   bool // writes nothing

	mu       sync.Mutex
	sessions []*fakeSession
	rendered atomic.Int32
	// aloneWith is the room a big step got to be rendered into; negative when it was not alone there.
	aloneWith int
}

func (s *fakeSink) Describe() sinks.Info {
	return sinks.Info{Name: s.name, Suffix: "." + s.name, MediaType: "text/plain", Needs: s.needs}
}

var errSink = errors.New("sink is broken")

func (s *fakeSink) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	if s.failOpen {
		return nil, errSink
	}
	session := &fakeSession{sink: s, request: *req}
	if !s.silent {
		var err error
		if session.w, err = out.Create(req.BaseName+"."+s.name, "text/plain", 0); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	s.sessions = append(s.sessions, session)
	s.mu.Unlock()
	if s.ahead {
		return &fakeRenderer{session}, nil
	}
	return session, nil
}

// state reports how many sessions were closed and aborted.
func (s *fakeSink) state() (opened, closed, aborted int) {
	for _, session := range s.sessions {
		opened++
		if session.closed {
			closed++
		}
		if session.aborted {
			aborted++
		}
	}
	return opened, closed, aborted
}

type fakeSession struct {
	sink            *fakeSink
	request         sinks.Request
	w               io.WriteCloser
	events          int
	failed          bool
	closed, aborted bool
}

func (s *fakeSession) Event(ev *transcriptv1.Event) error {
	out, err := render(nil, ev)
	if err != nil {
		return err
	}
	return s.write(out)
}

func (s *fakeSession) write(out []byte) error {
	if s.failed || s.closed || s.aborted {
		panic("an event after the end")
	}
	s.events++
	if s.events == s.sink.failAt {
		s.failed = true
		return errSink
	}
	if s.w == nil {
		return nil
	}
	_, err := s.w.Write(out)
	return err
}

func (s *fakeSession) Close() error {
	if s.failed || s.closed || s.aborted {
		panic("closed after the end")
	}
	if s.sink.failEnd {
		s.failed = true
		return errSink
	}
	s.closed = true
	if s.w == nil {
		return nil
	}
	return s.w.Close()
}

func (s *fakeSession) Abort() {
	if s.closed || s.aborted {
		panic("aborted after the end")
	}
	s.aborted = true
}

type fakeRenderer struct{ *fakeSession }

func (s *fakeRenderer) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	s.sink.rendered.Add(1)
	if blocks := ev.GetStep().GetBlocks(); len(blocks) > 0 && len(blocks[0].GetText()) > 1<<20 {
		s.sink.aloneWith = cap(dst)
		if len(dst) > 0 {
			s.sink.aloneWith = -1
		}
	}
	return render(dst, ev)
}

func (s *fakeRenderer) Rendered(ev *transcriptv1.Event, out []byte) error {
	fresh, err := render(nil, ev)
	if err != nil {
		return err
	}
	if !bytes.Equal(fresh, out) {
		return fmt.Errorf("rendered ahead %s, but the event is %s", out, fresh)
	}
	return s.write(out)
}

// render is one line of JSON without the random spaces of protojson.
func render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	text, err := protojson.Marshal(ev)
	if err != nil {
		return nil, err
	}
	return append(append(dst, bytes.ReplaceAll(text, []byte(" "), nil)...), '\n'), nil
}

// run converts into a new folder and returns what was published.
func run(t *testing.T, job convert.Job) (map[string]string, *convert.Result, error) {
	t.Helper()
	return runContext(t.Context(), t, job)
}

func runContext(ctx context.Context, t *testing.T, job convert.Job) (map[string]string, *convert.Result, error) {
	t.Helper()
	dir := t.TempDir()
	if job.Out == nil {
		out, err := artifact.Open(dir, artifact.Options{})
		if err != nil {
			t.Fatal(err)
		}
		job.Out = out
	}
	result, err := convert.Run(ctx, job)
	entries, readErr := os.ReadDir(dir)
	if readErr != nil {
		t.Fatal(readErr)
	}
	files := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	if source, ok := job.Source.(*fakeSource); ok {
		if source.opened.Load() != source.closed.Load() {
			t.Errorf("the reader was opened %d times and closed %d times", source.opened.Load(), source.closed.Load())
		}
		if n := source.live.Load(); n != 0 {
			t.Errorf("%d batches are not released", n)
		}
	}
	if err != nil && len(files) > 0 {
		t.Errorf("failed (%v) but published %v", err, files)
	}
	runtime.KeepAlive(job)
	return files, result, err
}

func targets(all ...*fakeSink) []convert.Target {
	var out []convert.Target
	for _, s := range all {
		out = append(out, convert.Target{Sink: s})
	}
	return out
}

// Builders of events.

func stepEvent(index int, role transcriptv1.Role, edit ...func(*transcriptv1.Step)) *transcriptv1.Event {
	st := &transcriptv1.Step{
		Index: uint32(index), Anchor: fmt.Sprintf("step-%d", index), Role: role, Kind: "KIND", Status: "DONE",
		Blocks:      []*transcriptv1.Block{{Kind: "text", Text: fmt.Sprintf("text %d", index), Detail: &transcriptv1.Block_Plain{Plain: &transcriptv1.Text{}}}},
		DisplayJson: fmt.Appendf(nil, `{"display":%d}`, index), NativeJson: fmt.Appendf(nil, `{"native":%d}`, index),
	}
	for _, f := range edit {
		f(st)
	}
	return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: st}}
}

const (
	user      = transcriptv1.Role_ROLE_USER
	assistant = transcriptv1.Role_ROLE_ASSISTANT
	tool      = transcriptv1.Role_ROLE_TOOL
)

func calling(ids ...string) func(*transcriptv1.Step) {
	return func(st *transcriptv1.Step) {
		for _, id := range ids {
			st.Blocks = append(st.Blocks, &transcriptv1.Block{Kind: "tool_call", Text: "call " + id, Detail: &transcriptv1.Block_ToolCall{
				ToolCall: &transcriptv1.ToolCallRef{Call: call(id)},
			}})
		}
	}
}

func answering(id string) func(*transcriptv1.Step) {
	return func(st *transcriptv1.Step) { st.Call = call(id) }
}

func call(id string) *transcriptv1.ToolCall {
	return &transcriptv1.ToolCall{Id: id, Name: "run_command", ArgumentsJson: `{"id":"` + id + `"}`}
}

func using(response string, tokens uint64) func(*transcriptv1.Step) {
	return func(st *transcriptv1.Step) {
		st.Usage = &transcriptv1.Usage{ResponseId: response, InputTokens: proto.Uint64(tokens)}
		st.Model = "model of " + response
	}
}

func begin(h *transcriptv1.Header) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: h}}
}

func end() *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_End{End: &transcriptv1.Footer{}}}
}

func note(n *transcriptv1.Note) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: n}}
}

func record(section string, i int) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Record{Record: &transcriptv1.Record{
		Section: section, Index: uint32(i), Json: fmt.Appendf(nil, `{"%s":%d}`, section, i),
	}}}
}

// split cuts events into batches of n.
func split(events []*transcriptv1.Event, n int) [][]*transcriptv1.Event {
	var out [][]*transcriptv1.Event
	for len(events) > 0 {
		k := min(n, len(events))
		out, events = append(out, events[:k]), events[k:]
	}
	return out
}

// session is a conversation with something of everything.
func session() []*transcriptv1.Event {
	var events []*transcriptv1.Event
	for i := 0; i < 200; i += 4 {
		id := fmt.Sprintf("call-%d", i)
		events = append(events,
			stepEvent(i, user),
			stepEvent(i+1, assistant, calling(id), using("r"+id, 10)),
			stepEvent(i+2, tool, answering(id)),
			stepEvent(i+3, tool, answering(id)))
		if i%20 == 0 {
			nested := stepEvent(0, assistant, using("n"+id, 1), func(st *transcriptv1.Step) { st.Anchor = fmt.Sprintf("step-%d-0", i+3) })
			events = append(events, begin(&transcriptv1.Header{TrajectoryId: "nested"}), nested, end())
		}
		if i%40 == 0 {
			events = append(events, note(&transcriptv1.Note{Kind: "repaired_text", Anchor: fmt.Sprintf("step-%d", i+3), Text: "repaired"}))
		}
	}
	for i := range 3 {
		events = append(events, record("generatorMetadata", i))
	}
	return events
}
