package rpc

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/experimental"
)

// Sizes and times of the wire contract.
const (
	// MaxMessage is the largest message either side accepts.
	MaxMessage = 1 << 20
	// MaxBatch closes a batch of events; an event above it travels in parts.
	MaxBatch = 256 << 10
	// MaxBatchEvents closes a batch of events, too.
	MaxBatchEvents = 256
	// MaxBatchAge closes a batch that waits for more events.
	MaxBatchAge = 50 * time.Millisecond
	// MaxChunk is the largest piece of an artifact.
	MaxChunk = 256 << 10
	// MaxEvent is the largest event, the limit of the serialized form itself.
	MaxEvent = 1<<31 - 1
	// MaxParts and MaxOpenParts bound the artifact parts of one conversation, in all and at the same time.
	MaxParts, MaxOpenParts = 1 << 16, 256
)

// The windows are fixed: left to themselves, servers let them grow to 16 MiB a stream.
const (
	streamWindow     = 4 << 20
	connectionWindow = 8 << 20
	socketBuffer     = 256 << 10
)

// DialOptions are what a host must dial with: message limits, flow-control windows, socket buffers and the codec.
func DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithStaticStreamWindowSize(streamWindow),
		grpc.WithStaticConnWindowSize(connectionWindow),
		grpc.WithReadBufferSize(socketBuffer),
		grpc.WithWriteBufferSize(socketBuffer),
		experimental.WithBufferPool(buffers),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessage), grpc.MaxCallSendMsgSize(MaxMessage), grpc.ForceCodecV2(newCodec())),
	}
}

// ServerOptions are the same for the side that serves.
func ServerOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.StaticStreamWindowSize(streamWindow),
		grpc.StaticConnWindowSize(connectionWindow),
		grpc.ReadBufferSize(socketBuffer),
		grpc.WriteBufferSize(socketBuffer),
		experimental.BufferPool(buffers),
		grpc.MaxRecvMsgSize(MaxMessage),
		grpc.MaxSendMsgSize(MaxMessage),
		grpc.ForceServerCodecV2(newCodec()),
	}
}
