package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// A plugin in another language announces and expects `application/grpc`, and knows the codec of gRPC alone.
const announced = "application/grpc"

// foreign is such a plugin: it writes the anchor and the JSON of every step.
func foreign(types chan<- []string) *scripted {
	return &scripted{
		description: rpc.Description(sinks.Info{Name: "foreign", MediaType: "text/plain", Suffix: ".txt", Needs: sinks.Needs{Display: true}}, rpc.Manifest{}),
		convert: func(stream pluginv1.SinkService_ConvertServer) error {
			md, _ := metadata.FromIncomingContext(stream.Context())
			types <- md.Get("content-type")
			return serveForeign(stream)
		},
	}
}

func serveForeign(stream pluginv1.SinkService_ConvertServer) error {
	done := &pluginv1.Done{Artifacts: 1}
	var parts []byte
	event := func(data []byte) error {
		var ev transcriptv1.Event
		if err := proto.Unmarshal(data, &ev); err != nil {
			return err
		}
		done.Events++
		line := fmt.Sprintf("%s %s\n", ev.GetStep().GetAnchor(), ev.GetStep().GetDisplayJson())
		for len(line) > 0 {
			n := min(len(line), rpc.MaxChunk)
			done.Bytes += uint64(n)
			if err := stream.Send(say(&pluginv1.ArtifactChunk{Id: 5, Data: []byte(line[:n])})); err != nil {
				return err
			}
			line = line[n:]
		}
		return nil
	}
	for {
		m, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return stream.Send(say(done))
		case err != nil:
			return err
		case m.GetOpen() != nil:
			if err := stream.Send(say(&pluginv1.Ready{})); err != nil {
				return err
			}
			err = stream.Send(say(&pluginv1.ArtifactBegin{Id: 5, Name: m.GetOpen().GetBaseName() + ".txt", MediaType: "text/plain"}))
		case m.GetPart() != nil:
			if parts = append(parts, m.GetPart().GetData()...); m.GetPart().GetLast() {
				err, parts = event(parts), nil
			}
		case m.GetEnd() != nil:
			err = stream.Send(say(&pluginv1.ArtifactEnd{Id: 5, Bytes: done.GetBytes()}))
		}
		for _, data := range m.GetBatch().GetEvents() {
			err = errors.Join(err, event(data))
		}
		if err != nil {
			return err
		}
	}
}

func foreignEvents() (events []*transcriptv1.Event, want string) {
	for i := range 700 {
		ev := trial.Sized(i, 0)
		size := 100 + i*7
		if i%300 == 3 {
			size = 600 << 10
		}
		ev.GetStep().DisplayJson = fmt.Appendf(nil, `{"a":"%0*d"}`, size, i)
		events = append(events, ev)
		want += fmt.Sprintf("%s %s\n", ev.GetStep().GetAnchor(), ev.GetStep().GetDisplayJson())
	}
	return events, want
}

func TestForeignPlugin(t *testing.T) {
	t.Parallel()
	types := make(chan []string, 1)
	conn := trial.DialAny(t, foreign(types).register, nil, rpc.DialOptions())
	client, err := rpc.Connect(t.Context(), conn, "foreign", rpc.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	events, want := foreignEvents()
	got, err := trial.Drive(t.Context(), client, request(), &trial.Memory{}, true, events...)
	if err != nil {
		t.Fatal(err)
	}
	if string(got["base.txt"]) != want {
		t.Errorf("%d bytes came, want %d", len(got["base.txt"]), len(want))
	}
	if said := <-types; len(said) != 1 || said[0] != announced {
		t.Errorf("the host announced %q", said)
	}
}

// A host in another language.
func TestForeignHost(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server := rpc.NewSinkServer(trial.All(), rpc.Manifest{}, nil)
	conn := trial.DialAny(t, server.Register, rpc.ServerOptions(), []grpc.DialOption{})
	stream, err := pluginv1.NewSinkServiceClient(conn).Convert(ctx)
	if err != nil {
		t.Fatal(err)
	}
	events, _ := foreignEvents()
	want, err := trial.Drive(t.Context(), trial.All(), &sinks.Request{BaseName: "base"}, &trial.Memory{}, false, events...)
	if err != nil {
		t.Fatal(err)
	}
	sent := make(chan error, 1)
	go func() {
		messages := []any{&pluginv1.Open{BaseName: "base"}}
		for _, ev := range events {
			data, err := proto.Marshal(ev)
			if err != nil {
				sent <- err
				return
			}
			if len(data) <= rpc.MaxBatch {
				messages = append(messages, &pluginv1.EventBatch{Events: [][]byte{data}})
				continue
			}
			messages = append(messages, &pluginv1.EventPart{Data: data[:rpc.MaxBatch]}, &pluginv1.EventPart{Data: data[rpc.MaxBatch:], Last: true})
		}
		var err error
		for _, message := range append(messages, &pluginv1.End{Events: uint64(len(events))}) {
			err = errors.Join(err, stream.Send(ask(message)))
		}
		sent <- errors.Join(err, stream.CloseSend())
	}()
	begun, got := map[uint32]*pluginv1.ArtifactBegin{}, map[string]*[3][]byte{}
	var done *pluginv1.Done
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if begin := m.GetArtifactBegin(); begin != nil {
			begun[begin.GetId()] = begin
			if got[begin.GetName()] == nil {
				got[begin.GetName()] = &[3][]byte{}
			}
		}
		if chunk := m.GetArtifactChunk(); chunk != nil {
			part := &got[begun[chunk.GetId()].GetName()][begun[chunk.GetId()].GetPart()]
			*part = append(*part, chunk.GetData()...)
		}
		done = m.GetDone()
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if done.GetEvents() != uint64(len(events)) {
		t.Errorf("the plugin counts %d events", done.GetEvents())
	}
	for name := range want {
		if whole := slices.Concat(got[name][:]...); string(whole) != string(want[name]) {
			t.Errorf("%s: %d bytes came, want %d", name, len(whole), len(want[name]))
		}
	}
	if header, err := stream.Header(); err != nil || len(header.Get("content-type")) != 1 || header.Get("content-type")[0] != announced {
		t.Errorf("the plugin announced %q, %v", header.Get("content-type"), err)
	}
}
