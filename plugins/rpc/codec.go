package rpc

import (
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // the codec for all other messages
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
)

// codec serializes as gRPC's own does, but neither copies what is large in a message to send nor what is large in a message
// received: see framed, request and response.
type codec struct{ encoding.CodecV2 }

func newCodec() codec { return codec{encoding.GetCodecV2("proto")} }

// Name is empty so that calls say `application/grpc` as they do without a codec of their own.
func (codec) Name() string { return "" }

// Marshal gives the buffer of a framed message to gRPC, which gives it back to the pool.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	if f, ok := v.(*framed); ok {
		return mem.BufferSlice{mem.SliceBuffer(f.head), mem.NewBuffer(f.body, buffers)}, nil
	}
	return c.CodecV2.Marshal(v)
}

// Unmarshal reads requests and responses in place where that pays.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	switch m := v.(type) {
	case *request:
		buf := data.MaterializeToBuffer(buffers)
		if batch, ok := readBatch(buf.ReadOnlyData()); ok {
			m.ConvertRequest = &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Batch{Batch: batch}}
			m.buf = buf
			return nil
		}
		defer buf.Free()
		m.ConvertRequest = &pluginv1.ConvertRequest{}
		return proto.Unmarshal(buf.ReadOnlyData(), m.ConvertRequest)
	case *response:
		buf := data.MaterializeToBuffer(buffers)
		if chunk, ok := readChunk(buf.ReadOnlyData()); ok {
			m.ConvertResponse = &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactChunk{ArtifactChunk: chunk}}
			m.buf = buf
			return nil
		}
		defer buf.Free()
		m.ConvertResponse = &pluginv1.ConvertResponse{}
		return proto.Unmarshal(buf.ReadOnlyData(), m.ConvertResponse)
	default:
		return c.CodecV2.Unmarshal(data, v)
	}
}
