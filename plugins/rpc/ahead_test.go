package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// renders is a sink that renders steps ahead.
type renders struct {
	render func(*transcriptv1.Step) error
	// running counts the calls of Render, rendered those that ended, atAbort is what ran when Abort was called.
	running, rendered, atAbort, aborts atomic.Int32
}

func (*renders) Describe() sinks.Info {
	return sinks.Info{Name: "renders", MediaType: "text/plain", Suffix: ".txt", Needs: sinks.Needs{Blocks: true, Nested: true, Records: true}}
}

func (r *renders) Open(_ context.Context, _ *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	w, err := out.Create("all.txt", "text/plain", 0)
	return &rendering{renders: r, out: w}, err
}

type rendering struct {
	*renders
	out io.WriteCloser
}

var _ sinks.Renderer = (*rendering)(nil)

func (r *rendering) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	r.running.Add(1)
	defer r.running.Add(-1)
	if r.render != nil {
		if err := r.render(ev.GetStep()); err != nil {
			return nil, err
		}
	}
	r.rendered.Add(1)
	return appendStep(dst, ev), nil
}

func appendStep(dst []byte, ev *transcriptv1.Event) []byte {
	return fmt.Appendf(dst, "step %s %d\n", ev.GetStep().GetAnchor(), len(ev.GetStep().GetBlocks()))
}

func (r *rendering) Event(ev *transcriptv1.Event) error {
	text := fmt.Appendf(nil, "%T\n", ev.GetBody())
	if ev.GetStep() != nil { // one too large for a batch
		text = appendStep(nil, ev)
	}
	_, err := r.out.Write(text)
	return err
}

func (r *rendering) Rendered(_ *transcriptv1.Event, text []byte) error {
	_, err := r.out.Write(text)
	return err
}

func (r *rendering) Close() error { return r.out.Close() }

func (r *rendering) Abort() {
	r.atAbort.Store(r.running.Load())
	r.aborts.Add(1)
}

// What workers render comes in the order of the steps, between the events that are not rendered ahead.
func TestRenderedInOrder(t *testing.T) {
	t.Parallel()
	slow := func(st *transcriptv1.Step) error {
		if st.GetIndex()%7 == 0 {
			time.Sleep(time.Duration(st.GetIndex()%3) * time.Millisecond)
		}
		return nil
	}
	events := trial.Conversation(600)
	want, err := trial.Drive(t.Context(), &renders{}, request(), &trial.Memory{}, true, events...)
	if err != nil {
		t.Fatal(err)
	}
	sink := &renders{render: slow}
	got, err := trial.Drive(t.Context(), connect(t, sink, rpc.ClientOptions{}), request(), &trial.Memory{}, false, events...)
	if err != nil {
		t.Fatal(err)
	}
	if string(got["all.txt"]) != string(want["all.txt"]) {
		t.Errorf("a process gives %.300q, the sink itself %.300q", got["all.txt"], want["all.txt"])
	}
	if sink.rendered.Load() == 0 {
		t.Error("nothing was rendered ahead")
	}
}

// A failure is told at once: no worker goes on rendering what nobody wants any more.
func TestFailureDoesNotWait(t *testing.T) {
	t.Parallel()
	failed, later := make(chan struct{}), make(chan struct{}, 3000)
	var after atomic.Int32
	sink := &renders{render: func(st *transcriptv1.Step) error {
		switch index := st.GetIndex(); {
		case index == 20:
			select {
			case <-later: // another worker is in a later batch
			case <-time.After(2 * time.Second): // there is no other one
			}
			close(failed)
			return errors.New("boom")
		case index > rpc.MaxBatchEvents:
			later <- struct{}{}
			<-failed
			after.Add(1)
			time.Sleep(10 * time.Millisecond)
		}
		return nil
	}}
	_, err := trial.Drive(t.Context(), connect(t, sink, rpc.ClientOptions{}), request(), &trial.Memory{}, false, trial.Conversation(3000)...)
	checkFault(t, err, sinks.ErrPlugin, ": boom")
	// A worker that is in a batch when it comes ends after a step or few.
	if n := int(after.Load()); n > 10*runtime.GOMAXPROCS(0) {
		t.Errorf("%d steps were rendered after the failure", n)
	}
}

// However much text steps render to, little of it waits; all of it comes, and in order.
func TestRenderedAheadIsBounded(t *testing.T) {
	t.Parallel()
	const size, batches = 128 << 10, 6
	sink := &fat{text: bytes.Repeat([]byte("x"), size), next: make(chan struct{})}
	session, err := connect(t, sink, rpc.ClientOptions{}).Open(t.Context(), request(), &trial.Memory{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range batches * rpc.MaxBatchEvents {
		if err := session.Event(trial.Sized(i, 10)); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "rendering to stop", func() bool {
		before := sink.ahead.Load()
		time.Sleep(100 * time.Millisecond)
		return before > 0 && before == sink.ahead.Load()
	})
	if n := sink.ahead.Load(); n > batches*(5<<20) {
		t.Errorf("%d MiB were rendered before the first step was taken", n>>20)
	}
	close(sink.next)
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if n := sink.taken.Load(); n != batches*rpc.MaxBatchEvents {
		t.Errorf("%d steps came in order", n)
	}
}

// fat is a sink whose steps are long; it takes the first when next is closed.
type fat struct {
	renders
	text         []byte
	next         chan struct{}
	ahead, taken atomic.Int64
}

func (f *fat) Open(context.Context, *sinks.Request, sinks.Artifacts) (sinks.Session, error) {
	return f, nil
}

func (f *fat) Render(dst []byte, _ *transcriptv1.Event) ([]byte, error) {
	f.ahead.Add(int64(len(f.text)))
	return append(dst, f.text...), nil
}

func (f *fat) Event(ev *transcriptv1.Event) error { return f.Rendered(ev, f.text) }

func (f *fat) Rendered(ev *transcriptv1.Event, out []byte) error {
	<-f.next
	if len(out) == len(f.text) && int64(ev.GetStep().GetIndex()) == f.taken.Load() {
		f.taken.Add(1)
	}
	return nil
}

func (*fat) Close() error { return nil }

func (*fat) Abort() {}

// A failure in a worker is that of the conversation, and no worker is in the session when it is dropped.
func TestRenderFails(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		render func(*transcriptv1.Step) error
		text   string
	}{
		"error": {func(st *transcriptv1.Step) error {
			time.Sleep(time.Millisecond)
			if st.GetIndex() == 20 {
				return errors.New("boom")
			}
			return nil
		}, ": boom"},
		"panic": {func(st *transcriptv1.Step) error {
			time.Sleep(time.Millisecond)
			if st.GetIndex() == 20 {
				panic("oh")
			}
			return nil
		}, "panic in render: oh"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sink, out := &renders{render: test.render}, &trial.Memory{}
			_, err := trial.Drive(t.Context(), connect(t, sink, rpc.ClientOptions{}), request(), out, false, trial.Conversation(3000)...)
			checkFault(t, err, sinks.ErrPlugin, test.text)
			if out.Published() != nil {
				t.Error("something was published")
			}
			waitFor(t, "abort", func() bool { return sink.aborts.Load() == 1 })
			if n := sink.atAbort.Load(); n != 0 {
				t.Errorf("%d calls of Render were running at Abort", n)
			}
		})
	}
}
