package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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
