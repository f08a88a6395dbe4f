package rpc_test

import (
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
)

func ask(body any) *pluginv1.ConvertRequest {
	switch m := body.(type) {
	case *pluginv1.Open:
		return &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Open{Open: m}}
	case *pluginv1.EventBatch:
		return &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Batch{Batch: m}}
	case *pluginv1.EventPart:
		return &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Part{Part: m}}
	case *pluginv1.End:
		return &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_End{End: m}}
	default:
		return &pluginv1.ConvertRequest{}
	}
}

// A host that breaks the protocol gets a status, and the sink an abort.
func TestHostBreaksTheProtocol(t *testing.T) {
	t.Parallel()
	type m = []any
	event, err := proto.Marshal(trial.Sized(0, 10))
	if err != nil {
		t.Fatal(err)
	}
	open, batch, part := &pluginv1.Open{}, &pluginv1.EventBatch{Events: [][]byte{event}}, &pluginv1.EventPart{Data: event[:4]}
	tests := []struct {
		name     string
		messages m
		text     string
	}{
		{"nothing", m{}, "the stream ended where open was expected"},
		{"batch before open", m{batch}, "a message where open was expected"},
		{"open twice", m{open, open}, "a message where a batch, a part or end was expected"},
		{"no end", m{open, batch}, "the stream ended where a batch, a part or end was expected"},
		{"empty message", m{open, 0}, "a message where a batch"},
		{"wrong count", m{open, batch, &pluginv1.End{Events: 2}}, "end counts 2 events, 1 came"},
		{"batch after end", m{open, batch, &pluginv1.End{Events: 1}, batch}, "a message after end"},
		{"batch between parts", m{open, part, batch}, "a batch between the parts of an event"},
		{"end between parts", m{open, part, &pluginv1.End{}}, "end between the parts of an event"},
		{"no event", m{open, &pluginv1.EventBatch{Events: [][]byte{{0xff}}}}, "event 0 cannot be read"},
		{"5 MiB message", m{open, &pluginv1.EventBatch{Events: [][]byte{make([]byte, 5<<20)}}}, "larger than max"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var closed, aborted atomic.Int32
			sink := &trial.Script{OnClose: func() error { closed.Add(1); return nil }, OnAbort: func() { aborted.Add(1) }}
			stream, err := pluginv1.NewSinkServiceClient(trial.Dial(t, rpc.NewSinkServer(sink, rpc.Manifest{}, nil).Register)).Convert(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, message := range tt.messages {
				// The status tells what went wrong, also when the server ended the stream before all was sent.
				if err := stream.Send(ask(message)); err != nil && !errors.Is(err, io.EOF) {
					if !strings.Contains(err.Error(), tt.text) {
						t.Fatal(err)
					}
					return
				}
			}
			_ = stream.CloseSend()
			for err == nil {
				var m *pluginv1.ConvertResponse
				if m, err = stream.Recv(); m.GetDone() != nil {
					t.Error("done")
				}
			}
			if status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("status is %v, want in it %q", err, tt.text)
			}
			if closed.Load() != 0 {
				t.Error("the sink was closed")
			}
			if len(tt.messages) > 0 && tt.messages[0] == any(open) && aborted.Load() != 1 {
				t.Errorf("aborted %d times", aborted.Load())
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "Größe — 世界\n\tx", "Größe — 世界\n\tx"},
		{"escape sequence", "\x1b[2Jx", `\u001b[2Jx`},
		{"right to left override", "a\u202eb", `a\u202eb`},
		{"carriage return", "a\rb", `a\u000db`},
		{"not UTF-8", "a\xffb", `a\xffb`},
		{"long", strings.Repeat("é", 9000), strings.Repeat("é", 8192) + " …"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := rpc.Printable(tt.in); got != tt.want {
				t.Errorf("%q", got)
			}
		})
	}
}
