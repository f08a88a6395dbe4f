package rpc_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// connect serves sink in memory and returns it as the host sees it.
func connect(tb testing.TB, sink sinks.Sink, opts rpc.ClientOptions) *rpc.SinkClient {
	tb.Helper()
	server := rpc.NewSinkServer(sink, rpc.Manifest{Version: "1.2.3", SDK: "test"}, nil)
	client, err := rpc.Connect(tb.Context(), trial.Dial(tb, server.Register), "under test", opts)
	if err != nil {
		tb.Fatal(err)
	}
	return client
}

func request() *sinks.Request {
	return &sinks.Request{BaseName: "base", Options: []byte(`{"a":1}`), TimeZone: "Europe/Berlin", KeepWrappers: true}
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	sized := func(sizes ...int) (events []*transcriptv1.Event) {
		for i, n := range sizes {
			events = append(events, trial.Sized(i, n))
		}
		return events
	}
	const limit = rpc.MaxBatch
	tests := []struct {
		name   string
		events []*transcriptv1.Event
	}{
		{"no event", nil},
		{"one step", trial.Conversation(1)},
		{"a few", trial.Conversation(9)},
		{"more than a batch of events", trial.Conversation(rpc.MaxBatchEvents + 2)},
		{"many", trial.Conversation(1200)},
		{"around the batch limit", sized(limit-100, limit-40, limit-39, limit-38, limit-37, limit-36, limit-30, limit, limit+1, 10)},
		{"half batches", sized(limit/2, limit/2, limit/2-30, limit/2-30, limit/2-60, limit/2-60)},
		{"large between small", sized(1, 3<<20, 1, 2, 1<<20, 1<<20+7, 4)},
		{"8 MiB", sized(8 << 20)},
	}
	for _, tt := range tests {
		for _, ahead := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/ahead=%t", tt.name, ahead), func(t *testing.T) {
				t.Parallel()
				want, err := trial.Drive(t.Context(), trial.All(), request(), &trial.Memory{}, ahead, tt.events...)
				if err != nil {
					t.Fatal(err)
				}
				got, err := trial.Drive(t.Context(), connect(t, trial.All(), rpc.ClientOptions{}), request(), &trial.Memory{}, ahead, tt.events...)
				if err != nil {
					t.Fatal(err)
				}
				if len(want["base.lines"]) == 0 {
					t.Fatal("the sink wrote nothing")
				}
				for name := range want {
					if string(want[name]) != string(got[name]) {
						t.Errorf("%s differs: %d bytes direct, %d over gRPC", name, len(want[name]), len(got[name]))
					}
				}
				if len(want) != len(got) {
					t.Errorf("%d artifacts direct, %d over gRPC", len(want), len(got))
				}
			})
		}
	}
}

func TestDescribeIsCarried(t *testing.T) {
	t.Parallel()
	client := connect(t, trial.All(), rpc.ClientOptions{})
	if diff := cmp.Diff(trial.All().Describe(), client.Describe()); diff != "" {
		t.Error(diff)
	}
	if client.Version() != "1.2.3" {
		t.Errorf("version %q", client.Version())
	}
}

// A member added to the request must travel, too.
func TestRequestIsCarried(t *testing.T) {
	t.Parallel()
	want := &sinks.Request{}
	for field, value := range reflect.ValueOf(want).Elem().Fields() {
		switch value.Kind() {
		case reflect.String:
			value.SetString("a " + field.Name)
		case reflect.Bool:
			value.SetBool(true)
		case reflect.Slice:
			value.SetBytes([]byte(`{"a":1}`))
		default:
			t.Fatalf("%s: teach this test a %s", field.Name, value.Kind())
		}
	}
	got := make(chan *sinks.Request, 1)
	if _, err := trial.Drive(t.Context(), connect(t, asked(got), rpc.ClientOptions{}), want, &trial.Memory{}, false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, <-got); diff != "" {
		t.Error(diff)
	}
}

// asked is a sink that passes its request on.
type asked chan *sinks.Request

func (asked) Describe() sinks.Info { return (&trial.Script{}).Describe() }

func (a asked) Open(_ context.Context, req *sinks.Request, _ sinks.Artifacts) (sinks.Session, error) {
	a <- req
	return &trial.Script{}, nil
}

func TestSeveralConversationsAtOnce(t *testing.T) {
	t.Parallel()
	client := connect(t, trial.All(), rpc.ClientOptions{})
	for i := range 6 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			events := trial.Conversation(200 + i)
			want, err := trial.Drive(t.Context(), trial.All(), request(), &trial.Memory{}, false, events...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := trial.Drive(t.Context(), client, request(), &trial.Memory{}, true, events...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error("outputs differ")
			}
		})
	}
}

// A batch must not wait for more events than come: the host may be reading from a slow store.
func TestBatchAge(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	sink := &trial.Script{OnEvent: func(*transcriptv1.Event) error { close(arrived); return nil }}
	session, err := connect(t, sink, rpc.ClientOptions{}).Open(t.Context(), request(), &trial.Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Event(trial.Sized(0, 10)); err != nil {
		t.Fatal(err)
	}
	select {
	case <-arrived:
	case <-time.After(10 * time.Second):
		t.Error("the event did not arrive before the end of the conversation")
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

func TestStrip(t *testing.T) {
	t.Parallel()
	events := trial.Conversation(12)
	tests := []struct {
		name  string
		needs sinks.Needs
		keep  bool
		// want says what must be seen at least once; everything else must never be.
		want map[string]bool
	}{
		{"nothing", sinks.Needs{}, false, nil},
		{"blocks", sinks.Needs{Blocks: true}, false, map[string]bool{"blocks": true, "usage": true, "call": true, "attached": true}},
		{"native", sinks.Needs{Native: true}, false, map[string]bool{"native": true, "members": true}},
		{"display", sinks.Needs{Display: true}, false, map[string]bool{"display": true, "source_only": true, "members": true}},
		{
			"display with wrappers kept",
			sinks.Needs{Display: true},
			true,
			map[string]bool{"native": true, "display": true, "source_only": true, "members": true},
		},
		{"records", sinks.Needs{Records: true}, false, map[string]bool{"record": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			steps := 0
			sink := &trial.Script{Info: sinks.Info{Needs: tt.needs}, OnEvent: func(ev *transcriptv1.Event) error {
				see := func(what string, yes bool) {
					if yes {
						seen[what] = true
					}
				}
				st := ev.GetStep()
				if st != nil {
					steps++
					if st.GetKind() == "" || st.GetAnchor() == "" || len(st.GetUnknown()) == 0 || st.CreatedNs == nil {
						t.Errorf("step %d lost more than it should", st.GetIndex())
					}
				}
				see("blocks", len(st.GetBlocks()) > 0 || st.GetSummary() != "")
				see("usage", st.GetUsage() != nil)
				see("call", st.GetCall() != nil)
				see("native", len(st.GetNativeJson()) > 0)
				see("display", len(st.GetDisplayJson()) > 0)
				see("source_only", len(st.GetSourceOnly()) > 0)
				see("members", len(ev.GetBegin().GetMembersJson()) > 0)
				see("attached", len(ev.GetAttachment().GetBlocks()) > 0)
				see("record", ev.GetRecord() != nil)
				return nil
			}}
			req := request()
			req.KeepWrappers = tt.keep
			if _, err := trial.Drive(t.Context(), connect(t, sink, rpc.ClientOptions{}), req, &trial.Memory{}, false, events...); err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == nil {
				want = map[string]bool{}
			}
			if diff := cmp.Diff(want, seen); diff != "" {
				t.Error(diff)
			}
			if steps != 13 {
				t.Errorf("%d steps", steps)
			}
		})
	}
	if step := events[1].GetStep(); len(step.GetBlocks()) == 0 || len(step.GetNativeJson()) == 0 {
		t.Error("stripping changed the event of the host")
	}
}

// Whatever a sink asks for, it gets that and nothing else.
func TestOnlyWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	events := trial.Conversation(9)
	for bits := range 16 {
		needs := sinks.Needs{Blocks: bits&1 > 0, Native: bits&2 > 0, Display: bits&4 > 0, Records: bits&8 > 0, Nested: true, ManyFiles: true}
		sink := trial.Show{Needs: needs}
		req := &sinks.Request{BaseName: "base"}
		want, err := trial.Drive(t.Context(), sink, req, &trial.Memory{}, false, trial.Only(needs, events...)...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.Drive(t.Context(), connect(t, sink, rpc.ClientOptions{}), req, &trial.Memory{}, bits%2 == 0, events...)
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(want, got) {
			t.Errorf("%+v: other bytes", needs)
		}
	}
}
