package rpc

import (
	"sync"

	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // the codec for all other messages
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
)

// codec serializes as gRPC's own does, from and into buffers that fit our batches and chunks. Those of gRPC would be of
// 1 MiB, and set to zero before every use, which costs more than all the rest of a message.
type codec struct{ encoding.CodecV2 }

func newCodec() codec { return codec{encoding.GetCodecV2("proto")} }

// Name is empty so that calls say `application/grpc` as they do without a codec of their own.
func (codec) Name() string { return "" }

func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := message(v)
	if !ok {
		return c.CodecV2.Marshal(v)
	}
	size := proto.Size(m)
	buf := buffers.Get(size)
	// The size of nothing inside changes in between.
	if _, err := (proto.MarshalOptions{UseCachedSize: true}).MarshalAppend((*buf)[:0], m); err != nil {
		buffers.Put(buf)
		return nil, err
	}
	return mem.BufferSlice{mem.NewBuffer(buf, buffers)}, nil
}

func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := message(v)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	buf := data.MaterializeToBuffer(buffers)
	defer buf.Free()
	return proto.Unmarshal(buf.ReadOnlyData(), m)
}

// message reports the messages of a conversation.
func message(v any) (proto.Message, bool) {
	switch m := v.(type) {
	case *pluginv1.ConvertRequest:
		return m, true
	case *pluginv1.ConvertResponse:
		return m, true
	}
	return nil, false
}

// bufferBytes holds a full batch or chunk with its envelope.
const bufferBytes = MaxBatch + 8<<10

// buffers are not cleared: both ways of the codec fill a buffer before anybody reads it.
var buffers = &bufferPool{}

type bufferPool struct{ pool sync.Pool }

var _ mem.BufferPool = (*bufferPool)(nil)

func (p *bufferPool) Get(size int) *[]byte {
	if buf, ok := p.pool.Get().(*[]byte); ok && size <= cap(*buf) {
		*buf = (*buf)[:size]
		return buf
	}
	buf := make([]byte, size, max(size, bufferBytes))
	return &buf
}

func (p *bufferPool) Put(buf *[]byte) {
	if cap(*buf) == bufferBytes {
		p.pool.Put(buf)
	}
}
