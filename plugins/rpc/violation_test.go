package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	"agy-reader/sinks"
)

// scripted is a plugin that says exactly what a test wants.
type scripted struct {
	pluginv1.UnimplementedPluginServiceServer
	pluginv1.UnimplementedSinkServiceServer
	description *pluginv1.DescribeResponse
	convert     func(stream pluginv1.SinkService_ConvertServer) error
}

func (s *scripted) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	if s.description != nil {
		return s.description, nil
	}
	return rpc.Description((&trial.Script{Info: blocks}).Describe(), rpc.Manifest{Version: "9"}), nil
}

func (s *scripted) Convert(stream pluginv1.SinkService_ConvertServer) error { return s.convert(stream) }

func (s *scripted) register(r grpc.ServiceRegistrar) {
	pluginv1.RegisterPluginServiceServer(r, s)
	pluginv1.RegisterSinkServiceServer(r, s)
}

func say(body any) *pluginv1.ConvertResponse {
	switch m := body.(type) {
	case *pluginv1.Ready:
		return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Ready{Ready: m}}
	case *pluginv1.ArtifactBegin:
		return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactBegin{ArtifactBegin: m}}
	case *pluginv1.ArtifactChunk:
		return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactChunk{ArtifactChunk: m}}
	case *pluginv1.ArtifactEnd:
		return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactEnd{ArtifactEnd: m}}
	case *pluginv1.Diagnostic:
		return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Diagnostic{Diagnostic: m}}
	case *pluginv1.Done:
		return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Done{Done: m}}
	default:
		return &pluginv1.ConvertResponse{}
	}
}

// answer reads everything up to the end of the events and then says what is given; a nil is where the events are read.
func answer(messages ...any) func(pluginv1.SinkService_ConvertServer) error {
	return func(stream pluginv1.SinkService_ConvertServer) error {
		for _, m := range messages {
			switch m := m.(type) {
			case nil:
				for {
					if _, err := stream.Recv(); err != nil {
						if !errors.Is(err, io.EOF) {
							return err
						}
						break
					}
				}
			case error:
				return m
			case time.Duration:
				select {
				case <-time.After(m):
				case <-stream.Context().Done():
				}
			default:
				if err := stream.Send(say(m)); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

func TestPluginBreaksTheProtocol(t *testing.T) {
	t.Parallel()
	type m = []any
	ready, done := &pluginv1.Ready{}, &pluginv1.Done{Events: 7}
	begin := &pluginv1.ArtifactBegin{Id: 1, Name: "a.txt"}
	chunk := &pluginv1.ArtifactChunk{Id: 1, Data: []byte("abc")}
	end := &pluginv1.ArtifactEnd{Id: 1, Bytes: 3}
	const broke = "plugin script 9: it broke the protocol: "
	tests := []struct {
		name     string
		messages m
		text     string
	}{
		{"no message at all", m{}, broke + "the stream ended without done"},
		{"artifact before ready", m{begin, ready, nil}, broke + "artifact begin before ready"},
		{"done before ready", m{done, nil}, broke + "done before ready"},
		{"ready twice", m{ready, ready, nil}, broke + "ready a second time"},
		{"empty message", m{ready, 0, nil}, broke + "a message of a kind the protocol does not have"},
		{"chunk before begin", m{ready, chunk, nil}, broke + "artifact chunk for number 1, which is not open"},
		{"chunk after end", m{ready, begin, chunk, end, chunk, nil}, broke + "artifact chunk for number 1, which is not open"},
		{"end before begin", m{ready, end, nil}, broke + "artifact end for number 1, which is not open"},
		{"two ends", m{ready, begin, chunk, end, end, nil}, broke + "artifact end for number 1, which is not open"},
		{"number used twice", m{ready, begin, chunk, end, begin, nil}, broke + "artifact begin with number 1 a second time"},
		{"number used twice at once", m{ready, begin, begin, nil}, broke + "artifact begin with number 1 a second time"},
		{"wrong size of a part", m{ready, begin, chunk, &pluginv1.ArtifactEnd{Id: 1, Bytes: 4}, nil}, broke + "artifact end counts 4 bytes, 3 came"},
		{
			"large chunk",
			m{ready, begin, &pluginv1.ArtifactChunk{Id: 1, Data: make([]byte, rpc.MaxChunk+1)}, nil},
			broke + "artifact chunk of 262145 bytes, above 262144",
		},
		{"5 MiB message", m{ready, begin, &pluginv1.ArtifactChunk{Id: 1, Data: make([]byte, 5<<20)}, nil}, broke + "a message above 1048576 bytes"},
		{"second file", m{ready, begin, &pluginv1.ArtifactBegin{Id: 2, Name: "b"}, nil}, broke + `a second artifact "b" without`},
		{"done too early", m{ready, done, nil}, broke + "done before the end of the events"},
		{"done with an open part", m{ready, begin, chunk, nil, done}, broke + "done with 1 artifact parts still open"},
		{"two dones", m{ready, nil, done, done}, broke + "done after done"},
		{"artifact after done", m{ready, nil, done, begin}, broke + "artifact begin after done"},
		{"diagnostic after done", m{ready, nil, done, &pluginv1.Diagnostic{}}, broke + "diagnostic after done"},
		{"no done", m{ready, begin, chunk, end, nil}, broke + "the stream ended without done"},
		{"lies about events", m{ready, nil, &pluginv1.Done{Events: 6}}, broke + "done counts 6 events, 7 were sent"},
		{"lies about parts", m{ready, begin, chunk, end, nil, &pluginv1.Done{Events: 7, Bytes: 3}}, broke + "done counts 0 artifact parts, 1 came"},
		{"lies about bytes", m{ready, begin, chunk, end, nil, &pluginv1.Done{Events: 7, Artifacts: 1, Bytes: 2}}, broke + "done counts 2 bytes, 3 came"},
		{"status in place of a diagnostic", m{ready, status.Error(codes.Internal, "oh\x07"), nil}, `Internal: oh\u0007`},
		{"done and then a failure", m{ready, nil, done, status.Error(codes.DataLoss, "late")}, "DataLoss: late"},
		{
			"fatal before ready",
			m{&pluginv1.Diagnostic{Code: "own", Message: "no\x1b[0m", Hint: "try", Anchor: "step-1", Fatal: true}, nil},
			`plugin script 9: no\u001b[0m (at step-1); try`,
		},
		{"fatal and then done", m{ready, nil, &pluginv1.Diagnostic{Code: "own", Message: "no", Fatal: true}, done}, "plugin script 9: no"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			conn := trial.Dial(t, (&scripted{convert: answer(tt.messages...)}).register)
			client, err := rpc.Connect(t.Context(), conn, "x", rpc.ClientOptions{Idle: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			out := &trial.Memory{}
			events := trial.Conversation(1)
			for len(events) < 8 { // a Record is left out
				events = append(events, trial.Sized(len(events), 10))
			}
			_, err = trial.Drive(t.Context(), client, request(), out, false, events[:8]...)
			checkFault(t, err, sinks.ErrPlugin, tt.text)
			if out.Published() != nil {
				t.Error("something was published")
			}
		})
	}
}

func TestPluginThatHangs(t *testing.T) {
	t.Parallel()
	ready := &pluginv1.Ready{}
	tests := []struct {
		name     string
		messages []any
		text     string
	}{
		{"before ready", []any{time.Hour}, "plugin script 9: it did not get ready for the conversation within 1.5s"},
		{"takes nothing", []any{ready, time.Hour}, "it stopped taking events within 1.5s"},
		{"never done", []any{ready, nil, time.Hour}, "it did not finish the conversation within 1.5s"},
		{"done and does not end", []any{ready, nil, &pluginv1.Done{Events: 60}, time.Hour}, "it did not finish the conversation within 1.5s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			conn := trial.Dial(t, (&scripted{convert: answer(tt.messages...)}).register)
			client, err := rpc.Connect(t.Context(), conn, "x", rpc.ClientOptions{Idle: 1500 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			session, err := client.Open(t.Context(), request(), &trial.Memory{})
			for i := 0; err == nil && i < 60; i++ {
				err = session.Event(trial.Sized(i, 200<<10))
			}
			if err == nil {
				err = session.Close()
			}
			if session != nil {
				session.Abort()
			}
			checkFault(t, err, sinks.ErrTimeout, tt.text)
		})
	}
}

// Slow is not dead: a plugin that takes longer than the limit for everything together goes on.
func TestSlowPluginIsNotATimeout(t *testing.T) {
	t.Parallel()
	convert := func(stream pluginv1.SinkService_ConvertServer) error {
		if err := stream.Send(say(&pluginv1.Ready{})); err != nil {
			return err
		}
		n := uint64(0)
		for {
			m, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
			n += uint64(len(m.GetBatch().GetEvents()))
			time.Sleep(40 * time.Millisecond)
		}
		return stream.Send(say(&pluginv1.Done{Events: n}))
	}
	client, err := rpc.Connect(t.Context(), trial.Dial(t, (&scripted{convert: convert}).register), "x", rpc.ClientOptions{Idle: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	session, err := client.Open(t.Context(), request(), &trial.Memory{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 80 {
		if err := session.Event(trial.Sized(i, 250<<10)); err != nil {
			t.Fatal(err)
		}
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDiagnosticsAreLogged(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	warn := &pluginv1.Diagnostic{Severity: "warning", Code: "own", Message: "look\x1b", Anchor: "step-3"}
	conn := trial.Dial(t, (&scripted{convert: answer(warn, &pluginv1.Ready{}, warn, nil, &pluginv1.Done{})}).register)
	client, err := rpc.Connect(t.Context(), conn, "x", rpc.ClientOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trial.Drive(t.Context(), client, request(), &trial.Memory{}, false); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), `level=WARN msg=look\u001b plugin=script code=own hint="" anchor=step-3`); n != 2 {
		t.Errorf("logged %d times:\n%s", n, log.String())
	}
}

func TestDescriptionsRefused(t *testing.T) {
	t.Parallel()
	sink := func() *pluginv1.SinkInfo { return &pluginv1.SinkInfo{MediaType: "text/plain", Suffix: ".x"} }
	suffix := func(s string) *pluginv1.DescribeResponse {
		d := &pluginv1.DescribeResponse{Name: "a", Sink: sink()}
		d.Sink.Suffix = s
		return d
	}
	tests := []struct {
		name string
		d    *pluginv1.DescribeResponse
		text string
	}{
		{"no name", &pluginv1.DescribeResponse{Sink: sink()}, `its name ""`},
		{"capital", &pluginv1.DescribeResponse{Name: "A", Sink: sink()}, `its name "A"`},
		{"long name", &pluginv1.DescribeResponse{Name: strings.Repeat("a", 33), Sink: sink()}, "its name"},
		{"no sink", &pluginv1.DescribeResponse{Name: "a"}, "it does not describe a sink"},
		{"no media type", &pluginv1.DescribeResponse{Name: "a", Sink: &pluginv1.SinkInfo{Suffix: ".x"}}, "its media type"},
		{"suffix without a dot", suffix("x"), `its suffix "x"`},
		{"suffix with a slash", suffix("./x"), "its suffix"},
		{"suffix that climbs", suffix("..x"), "its suffix"},
		{"suffix with a trailing dot", suffix(".x."), "its suffix"},
		{"suffix with a stream", suffix(".x:y"), "its suffix"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			conn := trial.Dial(t, (&scripted{description: tt.d}).register)
			_, err := rpc.Connect(t.Context(), conn, "file", rpc.ClientOptions{})
			checkFault(t, err, sinks.ErrPlugin, "plugin file: it describes itself wrongly: "+tt.text)
		})
	}
	t.Run("serves something else", func(t *testing.T) {
		t.Parallel()
		_, err := rpc.Connect(t.Context(), trial.Dial(t, func(grpc.ServiceRegistrar) {}), "file", rpc.ClientOptions{})
		checkFault(t, err, sinks.ErrPlugin, "it does not serve agyreader.plugin.v1")
	})
}

// The host must keep to the limits, too.
func TestMessagesOfTheHost(t *testing.T) {
	t.Parallel()
	var batches, parts int
	var total uint64
	convert := func(stream pluginv1.SinkService_ConvertServer) error {
		if err := stream.Send(say(&pluginv1.Ready{})); err != nil {
			return err
		}
		var end *pluginv1.End
		for {
			m, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
			size := 0
			for _, ev := range m.GetBatch().GetEvents() {
				size += len(ev)
				total++
			}
			if n := len(m.GetBatch().GetEvents()); n > 256 || size > 256<<10 || m.GetBatch() != nil && n == 0 {
				return fmt.Errorf("a batch of %d events, %d bytes", n, size)
			}
			if m.GetBatch() != nil {
				batches++
			}
			if p := m.GetPart(); p != nil {
				parts++
				if len(p.GetData()) > 256<<10 || len(p.GetData()) == 0 {
					return fmt.Errorf("a part of %d bytes", len(p.GetData()))
				}
				if p.GetLast() {
					total++
				}
			}
			end = m.GetEnd()
		}
		if end.GetEvents() != total {
			return fmt.Errorf("end counts %d, %d came", end.GetEvents(), total)
		}
		return stream.Send(say(&pluginv1.Done{Events: total}))
	}
	client, err := rpc.Connect(t.Context(), trial.Dial(t, (&scripted{convert: convert}).register), "x", rpc.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	events := append(trial.Conversation(2000), trial.Sized(1, 3<<20), trial.Sized(2, 256<<10), trial.Sized(3, 255<<10))
	if _, err := trial.Drive(t.Context(), client, request(), &trial.Memory{}, true, events...); err != nil {
		t.Fatal(err)
	}
	if parts < 13 || batches < 8 {
		t.Errorf("%d batches, %d parts", batches, parts)
	}
}
