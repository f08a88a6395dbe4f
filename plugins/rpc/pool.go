package rpc

import (
	"sync"

	"google.golang.org/grpc/mem"
)

const (
	// frameBytes holds the largest frame gRPC sends.
	frameBytes = 16 << 10
	// bufferBytes holds a full batch or chunk with its envelope.
	bufferBytes = MaxBatch + 8<<10
)

// buffers are those of frames and messages. They are not cleared: everybody who takes one fills it before it is read.
var buffers = &bufferPool{}

// bufferPool keeps buffers of two sizes. The pool of gRPC would set each to zero before every use and give 1 MiB to
// whatever is above a frame.
type bufferPool struct{ frames, messages sync.Pool }

var _ mem.BufferPool = (*bufferPool)(nil)

// Get returns a buffer of size bytes with anything in it.
func (p *bufferPool) Get(size int) *[]byte {
	if size > bufferBytes {
		buf := make([]byte, size)
		return &buf
	}
	pool, room := &p.messages, bufferBytes
	if size <= frameBytes {
		pool, room = &p.frames, frameBytes
	}
	if buf, ok := pool.Get().(*[]byte); ok {
		*buf = (*buf)[:size]
		return buf
	}
	buf := make([]byte, size, room)
	return &buf
}

// Put takes back a buffer. Nothing may refer to it any more.
func (p *bufferPool) Put(buf *[]byte) {
	switch cap(*buf) {
	case frameBytes:
		p.frames.Put(buf)
	case bufferBytes:
		p.messages.Put(buf)
	}
}
