package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// blocks is a sink that gets the large part of events.
var blocks = sinks.Info{Needs: sinks.Needs{Blocks: true}}

var errDisk = fmt.Errorf("%w: no space left", sinks.ErrOutput)

func TestSinkFailures(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	writes := func(out sinks.Artifacts) error {
		w, err := out.Create("a.txt", "text/plain", 0)
		if err != nil {
			return err
		}
		_, err = w.Write([]byte("text"))
		return errors.Join(err, w.Close())
	}
	tests := []struct {
		name   string
		sink   *trial.Script
		kind   error
		text   string
		aborts int32
	}{
		{"open refuses options", &trial.Script{OnOpen: func(context.Context, sinks.Artifacts) error {
			return fmt.Errorf("%w: no such member", sinks.ErrOptions)
		}}, sinks.ErrOptions, "plugin script 1.2.3: sink options are not valid: no such member", 0},
		{
			"open panics", &trial.Script{OnOpen: func(context.Context, sinks.Artifacts) error { panic("oh") }},
			sinks.ErrPlugin, "panic in open: oh; report this to the author of the plugin", 0,
		},
		{"event fails", &trial.Script{OnEvent: func(*transcriptv1.Event) error { return boom }}, sinks.ErrPlugin, ": boom", 1},
		{"event panics", &trial.Script{OnEvent: func(*transcriptv1.Event) error { panic(boom) }}, sinks.ErrPlugin, "panic in event: boom", 1},
		{
			"event panics with a control character", &trial.Script{OnEvent: func(*transcriptv1.Event) error { panic("a\x1b[31mb") }},
			sinks.ErrPlugin, `panic in event: a\u001b[31mb`, 1,
		},
		{"close fails", &trial.Script{OnClose: func() error { return boom }}, sinks.ErrPlugin, ": boom", 0},
		{"close panics", &trial.Script{OnClose: func() error { panic(boom) }}, sinks.ErrPlugin, "panic in close: boom", 0},
		{"unsupported", &trial.Script{OnEvent: func(*transcriptv1.Event) error { return errors.ErrUnsupported }}, sinks.ErrPlugin, "unsupported", 1},
		{"leaves a part open", &trial.Script{OnOpen: func(_ context.Context, out sinks.Artifacts) error {
			_, err := out.Create("a.txt", "", 0)
			return err
		}}, sinks.ErrPlugin, "1 artifact parts still open", 0},
		{"second file without the capability", &trial.Script{OnOpen: func(_ context.Context, out sinks.Artifacts) error {
			if err := writes(out); err != nil {
				return err
			}
			_, err := out.Create("b.txt", "", 0)
			return err
		}}, sinks.ErrPlugin, `a second artifact "b.txt" without the capability many-files`, 1},
		{"name is no text", &trial.Script{OnOpen: func(_ context.Context, out sinks.Artifacts) error {
			_, err := out.Create("\xff", "", 0)
			return err
		}}, sinks.ErrPlugin, `artifact name "\xff"`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var aborts atomic.Int32
			tt.sink.OnAbort = func() { aborts.Add(1) }
			out := &trial.Memory{}
			_, err := trial.Drive(t.Context(), connect(t, tt.sink, rpc.ClientOptions{}), request(), out, false, trial.Conversation(3)...)
			checkFault(t, err, tt.kind, tt.text)
			if out.Published() != nil {
				t.Error("something was published")
			}
			waitFor(t, "abort", func() bool { return aborts.Load() == tt.aborts })
		})
	}
}

func checkFault(t *testing.T, err, kind error, text string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if !errors.Is(err, kind) {
		t.Errorf("%v is not of the kind %q", err, kind)
	}
	if !strings.Contains(err.Error(), text) {
		t.Errorf("error is %q, want in it %q", err, text)
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}

func TestOptionsTooLarge(t *testing.T) {
	t.Parallel()
	req := request()
	req.Options = []byte(`{"a":"` + strings.Repeat("x", rpc.MaxMessage) + `"}`)
	_, err := trial.Drive(t.Context(), connect(t, &trial.Script{}, rpc.ClientOptions{}), req, &trial.Memory{}, false)
	checkFault(t, err, sinks.ErrOptions, "they are above 524288 bytes")
}

// The host's own trouble with the output is no fault of the plugin, and the plugin learns of it.
func TestOutputFails(t *testing.T) {
	t.Parallel()
	var aborted atomic.Bool
	sink := &trial.Script{
		OnOpen: func(_ context.Context, out sinks.Artifacts) error {
			_, err := out.Create("../evil", "text/plain", 0)
			return err
		},
		OnAbort: func() { aborted.Store(true) },
	}
	out := &trial.Memory{Refuse: func(string) error { return errDisk }}
	_, err := trial.Drive(t.Context(), connect(t, sink, rpc.ClientOptions{}), request(), out, false, trial.Conversation(3)...)
	checkFault(t, err, errDisk, `create artifact "../evil"`)
	if errors.Is(err, sinks.ErrPlugin) {
		t.Error("the plugin is blamed")
	}
	waitFor(t, "abort", aborted.Load)
}

func TestCancel(t *testing.T) {
	t.Parallel()
	stop := errors.New("the user stopped it")
	for _, at := range []string{"open", "event", "close"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			block := func(here string) error {
				if here == at {
					cancel(stop)
					time.Sleep(20 * time.Millisecond)
				}
				return nil
			}
			var aborted atomic.Bool
			sink := &trial.Script{
				OnOpen:  func(context.Context, sinks.Artifacts) error { return block("open") },
				OnEvent: func(*transcriptv1.Event) error { return block("event") },
				OnClose: func() error { return block("close") },
				OnAbort: func() { aborted.Store(true) },
			}
			_, err := trial.Drive(ctx, connect(t, sink, rpc.ClientOptions{}), request(), &trial.Memory{}, false, trial.Conversation(1)...)
			checkFault(t, err, stop, "plugin script")
			if errors.Is(err, sinks.ErrPlugin) {
				t.Error("the plugin is blamed")
			}
			if at != "close" {
				waitFor(t, "abort", aborted.Load)
			}
		})
	}
}

// A sink that takes nothing stops the host after a bounded amount of events; the host goes on as soon as it does.
func TestSlowSinkStopsTheHost(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	sink := &trial.Script{Info: blocks, OnEvent: func(*transcriptv1.Event) error { <-release; return nil }}
	session, err := connect(t, sink, rpc.ClientOptions{}).Open(t.Context(), request(), &trial.Memory{})
	if err != nil {
		t.Fatal(err)
	}
	var accepted atomic.Int64
	finished := make(chan error, 1)
	ev := trial.Sized(0, 100<<10)
	go func() {
		for range 400 {
			if err := session.Event(ev); err != nil {
				finished <- err
				return
			}
			accepted.Add(100 << 10)
		}
		finished <- session.Close()
	}()
	before := int64(-1)
	waitFor(t, "the host to stand still", func() bool {
		time.Sleep(100 * time.Millisecond)
		now := accepted.Load()
		still := now == before && now > 0
		before = now
		return still
	})
	if before > 16<<20 {
		t.Errorf("%d MiB were accepted before the host stood still", before>>20)
	}
	close(release)
	if err := <-finished; err != nil {
		t.Error(err)
	}
	if accepted.Load() != 400*100<<10 {
		t.Errorf("%d bytes were accepted at last", accepted.Load())
	}
}

// Both sides have far more to send than fits anywhere.
func TestFloodBothWays(t *testing.T) {
	t.Parallel()
	const pieces, size = 60, 512 << 10
	var sent int64
	var w interface {
		Write([]byte) (int, error)
		Close() error
	}
	block := []byte(strings.Repeat("x", size))
	sink := &trial.Script{
		Info: blocks,
		OnOpen: func(_ context.Context, out sinks.Artifacts) (err error) {
			w, err = out.Create("flood", "text/plain", 0)
			return err
		},
		OnEvent: func(*transcriptv1.Event) error { sent += size; _, err := w.Write(block); return err },
		OnClose: func() error { return w.Close() },
	}
	events := make([]*transcriptv1.Event, pieces)
	for i := range events {
		events[i] = trial.Sized(i, size)
	}
	out := &trial.Memory{Slow: func() { time.Sleep(time.Millisecond) }}
	files, err := trial.Drive(t.Context(), connect(t, sink, rpc.ClientOptions{}), request(), out, false, events...)
	if err != nil {
		t.Fatal(err)
	}
	if len(files["flood"]) != pieces*size {
		t.Errorf("%d bytes came, %d were sent", len(files["flood"]), pieces*size)
	}
}
