package convert_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/sinks"
	"agy-reader/sources"
)

func TestFailuresPublishNothing(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	events := split(session(), 5)
	good := func() *fakeSink { return &fakeSink{name: "good", needs: all, ahead: true} }
	for _, tc := range []struct {
		name   string
		source *fakeSource
		sink   *fakeSink
		want   error
	}{
		{"open source", &fakeSource{openErr: broken}, good(), broken},
		{"read first", &fakeSource{batches: events, nextErr: map[int]error{0: broken}}, good(), broken},
		{"read second", &fakeSource{batches: events, nextErr: map[int]error{1: broken}}, good(), broken},
		{"read late", &fakeSource{batches: events, nextErr: map[int]error{20: broken}}, good(), broken},
		{"read after the last", &fakeSource{batches: events, nextErr: map[int]error{len(events): broken}}, good(), broken},
		{"decode", &fakeSource{batches: events, decodeErr: broken}, good(), broken},
		{"decode inline", &fakeSource{batches: events[:1], decodeErr: broken}, good(), broken},
		{"close", &fakeSource{batches: events, closeErr: broken}, good(), broken},
		{"close inline", &fakeSource{batches: events[:1], closeErr: broken}, good(), broken},
		{"open sink", &fakeSource{batches: events}, &fakeSink{name: "bad", failOpen: true}, errSink},
		{"header", &fakeSource{batches: events}, &fakeSink{name: "bad", failAt: 1}, errSink},
		{"step", &fakeSource{batches: events}, &fakeSink{name: "bad", failAt: 50, needs: all}, errSink},
		{"step inline", &fakeSource{batches: events[:1]}, &fakeSink{name: "bad", failAt: 2, needs: all}, errSink},
		{"rendered step", &fakeSource{batches: events}, &fakeSink{name: "bad", failAt: 50, needs: all, ahead: true}, errSink},
		{"close sink", &fakeSource{batches: events}, &fakeSink{name: "bad", failEnd: true, needs: all}, errSink},
		{"nothing written", &fakeSource{batches: events}, &fakeSink{name: "bad", silent: true, needs: all}, sinks.ErrOutput},
		{"not nested", &fakeSource{batches: events}, &fakeSink{name: "bad", failAt: 2}, errSink},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			first, last := &fakeSink{name: "first", needs: all}, &fakeSink{name: "last", needs: all, ahead: true}
			_, result, err := run(t, convert.Job{Source: tc.source, Ref: sources.Ref{Path: "/x/file.db"}, Targets: targets(first, tc.sink, last)})
			if !errors.Is(err, tc.want) || result != nil {
				t.Fatalf("want %v, got %v", tc.want, err)
			}
			if !strings.Contains(err.Error(), "file.db") {
				t.Errorf("no file in %q", err)
			}
			if errors.Is(err, context.Canceled) {
				t.Errorf("reported as cancelled: %v", err)
			}
			for _, s := range []*fakeSink{first, tc.sink, last} {
				opened, closed, aborted := s.state()
				if opened != closed+aborted {
					t.Errorf("%s: opened %d, closed %d, aborted %d", s.name, opened, closed, aborted)
				}
			}
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 1, 2, 10, 30} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			source := &fakeSource{batches: split(session(), 5), onNext: func(n int) {
				if n == at {
					cancel()
				}
			}}
			sink := &fakeSink{name: "x", needs: all, ahead: true}
			_, _, err := runContext(ctx, t, convert.Job{Source: source, Targets: targets(sink)})
			if code, _, _ := diag.Explain(err); code != diag.Cancelled {
				t.Errorf("code %d, %v", code, err)
			}
			if _, closed, _ := sink.state(); closed > 0 {
				t.Error("the session was closed as if complete")
			}
		})
	}
}

// blockedSink waits for the cancellation in Event, as a plugin that hangs would.
type blockedSink struct {
	fakeSink
	inside chan struct{}
}

func (b *blockedSink) Open(ctx context.Context, _ *sinks.Request, _ sinks.Artifacts) (sinks.Session, error) {
	return &blockedSession{ctx: ctx, sink: b}, nil
}

type blockedSession struct {
	ctx    context.Context
	sink   *blockedSink
	events int
}

func (s *blockedSession) Event(*transcriptv1.Event) error {
	if s.events++; s.events < 3 {
		return nil
	}
	close(s.sink.inside)
	<-s.ctx.Done()
	return s.ctx.Err()
}

func (s *blockedSession) Close() error { return nil }

func (s *blockedSession) Abort() {}

func TestCancelWhileASinkHangs(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	sink := &blockedSink{fakeSink: fakeSink{name: "x"}, inside: make(chan struct{})}
	go func() {
		<-sink.inside
		cancel()
	}()
	_, _, err := runContext(ctx, t, convert.Job{Source: &fakeSource{batches: split(session(), 5)}, Targets: []convert.Target{{Sink: sink}}})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRefusedJobs(t *testing.T) {
	t.Parallel()
	sink := func(needs sinks.Needs) *fakeSink { return &fakeSink{name: "x", needs: needs} }
	for _, tc := range []struct {
		name string
		job  convert.Job
		kind error
	}{
		{"no target", convert.Job{}, diag.ErrUsage},
		{"time zone", convert.Job{TimeZone: "Mars/Olympus", Targets: targets(sink(all))}, diag.ErrUsage},
		{"named twice", convert.Job{Targets: targets(sink(all), sink(all))}, diag.ErrUsage},
		{"options not JSON", convert.Job{Targets: []convert.Target{{Sink: sink(all), Options: []byte("{")}}}, sinks.ErrOptions},
		{"options no object", convert.Job{Targets: []convert.Target{{Sink: sink(all), Options: []byte("[]")}}}, sinks.ErrOptions},
		{"options of a sink without", convert.Job{Targets: []convert.Target{{Sink: sink(all), Options: []byte(`{"a":1}`)}}}, sinks.ErrOptions},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			source := &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user)}}}
			tc.job.Source = source
			_, _, err := run(t, tc.job)
			if !errors.Is(err, tc.kind) {
				t.Errorf("got %v", err)
			}
			if source.opened.Load() > 0 {
				t.Error("the source was opened for nothing")
			}
		})
	}
}

// choosy is a sink with options.
type choosy struct{ fakeSink }

func (*choosy) Describe() sinks.Info {
	return sinks.Info{Name: "choosy", OptionsSchema: []byte(`{"type":"object","properties":{"width":{"type":"integer"}},"additionalProperties":false}`)}
}

func TestOptionsReachTheSink(t *testing.T) {
	t.Parallel()
	sink := &choosy{fakeSink{name: "choosy"}}
	job := convert.Job{
		Source: &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user)}}}, BaseName: "a/b", TimeZone: "Europe/Vienna", NoThinking: true, KeepWrappers: true,
		Targets: []convert.Target{{Sink: sink, Options: []byte(`{"width":3}`)}},
	}
	if _, _, err := run(t, job); err != nil {
		t.Fatal(err)
	}
	want := sinks.Request{BaseName: "a_b", Options: []byte(`{"width":3}`), TimeZone: "Europe/Vienna", KeepWrappers: true}
	if diff := cmp.Diff(want, sink.sessions[0].request); diff != "" {
		t.Error(diff)
	}
}

func TestSinksCannotShareAFile(t *testing.T) {
	t.Parallel()
	thief := &thief{fakeSink{name: "thief"}}
	_, _, err := run(t, convert.Job{
		Source: &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user)}}}, Targets: []convert.Target{{Sink: &fakeSink{name: "x"}}, {Sink: thief}},
	})
	if !errors.Is(err, sinks.ErrOutput) {
		t.Errorf("got %v", err)
	}
}

type thief struct{ fakeSink }

func (s *thief) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	w, err := out.Create(req.BaseName+".x", "text/plain", 1)
	if err != nil {
		return nil, err
	}
	return &fakeSession{sink: &s.fakeSink, w: w}, nil
}

func TestStdoutGetsOneArtifact(t *testing.T) {
	t.Parallel()
	nested := []*transcriptv1.Event{stepEvent(0, user), begin(&transcriptv1.Header{}), stepEvent(0, user), end()}
	out, err := artifact.OpenStream(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = run(t, convert.Job{Source: &fakeSource{batches: split(nested, 1)}, Targets: targets(&fakeSink{name: "x"}), Out: out})
	if code, _, _ := diag.Explain(err); code != diag.Usage {
		t.Errorf("code %d, %v", code, err)
	}
}
