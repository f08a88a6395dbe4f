package rpc

import (
	"bytes"
	"testing"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
)

// Bytes and messages are those of gRPC's own codec, and a message refers to no buffer that is used again.
func TestCodec(t *testing.T) {
	t.Parallel()
	ours, own := newCodec(), encoding.GetCodecV2("proto")
	batch := &pluginv1.EventBatch{}
	for i := range MaxBatchEvents {
		batch.Events = append(batch.Events, bytes.Repeat([]byte{byte(i)}, MaxBatch/MaxBatchEvents))
	}
	chunk := &pluginv1.ArtifactChunk{Id: 7, Data: bytes.Repeat([]byte("chunk"), MaxChunk/5)}
	large := &pluginv1.EventPart{Data: make([]byte, MaxMessage)}
	for name, m := range map[string]proto.Message{
		"batch":    &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Batch{Batch: batch}},
		"part":     &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Part{Part: large}},
		"end":      &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_End{End: &pluginv1.End{Events: 3}}},
		"nothing":  &pluginv1.ConvertRequest{},
		"chunk":    &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactChunk{ArtifactChunk: chunk}},
		"done":     &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Done{Done: &pluginv1.Done{Bytes: 1}}},
		"describe": &pluginv1.DescribeResponse{Name: "x"},
	} {
		got, err := ours.Marshal(m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := own.Marshal(m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(got.Materialize(), want.Materialize()) {
			t.Errorf("%s: other bytes than gRPC's codec makes", name)
		}
		back := m.ProtoReflect().New().Interface()
		if err := ours.Unmarshal(pieces(got.Materialize()), back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got.Free()
		for range 4 {
			buf := buffers.Get(bufferBytes)
			for i := range *buf {
				(*buf)[i] = 0xee
			}
			defer buffers.Put(buf)
		}
		if !proto.Equal(m, back) {
			t.Errorf("%s: comes back as another message", name)
		}
	}
}

// pieces cuts bytes as they come in frames.
func pieces(b []byte) (out mem.BufferSlice) {
	const frame = 16 << 10
	for len(b) > 0 {
		n := min(len(b), frame)
		out, b = append(out, mem.SliceBuffer(b[:n])), b[n:]
	}
	return out
}

func TestCodecRefusesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	for _, m := range []proto.Message{&pluginv1.ConvertRequest{}, &pluginv1.ConvertResponse{}} {
		if err := newCodec().Unmarshal(pieces([]byte{0x0a, 0x7f}), m); err == nil {
			t.Errorf("%T: a cut message is read", m)
		}
	}
}
