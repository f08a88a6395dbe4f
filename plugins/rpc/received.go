package rpc

import (
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
)

// request is a message of the host as a plugin receives it. The events of a batch lie in the buffer.
type request struct {
	*pluginv1.ConvertRequest
	held
}

// response is a message of the plugin as the host receives it. The data of a chunk lies in the buffer.
type response struct {
	*pluginv1.ConvertResponse
	held
}

// held is the buffer of a received message.
type held struct{ buf mem.Buffer }

// release gives the buffer back. The message must not be used any more. A buffer that is not released is garbage.
func (h *held) release() {
	if h.buf != nil {
		h.buf.Free()
		h.buf = nil
	}
}

// Numbers of the fields below.
const (
	fieldBatch = 2 // ConvertRequest.batch
	fieldPart  = 3 // ConvertRequest.part
	fieldChunk = 3 // ConvertResponse.artifact_chunk

	fieldEvents = 1 // EventBatch.events

	fieldPartData = 1 // EventPart.data
	fieldPartLast = 2 // EventPart.last

	fieldChunkID   = 1 // ArtifactChunk.id
	fieldChunkData = 2 // ArtifactChunk.data
)

// readBatch reads a request that is a batch and nothing else. The events refer to data. Whatever is unusual in it is not
// ok, and left to the library.
func readBatch(data []byte) (*pluginv1.EventBatch, bool) {
	inner, ok := onlyField(data, fieldBatch)
	if !ok {
		return nil, false
	}
	batch := &pluginv1.EventBatch{Events: make([][]byte, 0, MaxBatchEvents)}
	for len(inner) > 0 {
		event, n := bytesField(inner, fieldEvents)
		if n < 0 {
			return nil, false
		}
		batch.Events = append(batch.Events, event)
		inner = inner[n:]
	}
	return batch, true
}

// readChunk is the same for a response that is an artifact chunk.
func readChunk(data []byte) (*pluginv1.ArtifactChunk, bool) {
	inner, ok := onlyField(data, fieldChunk)
	if !ok {
		return nil, false
	}
	chunk := &pluginv1.ArtifactChunk{}
	if number, kind, n := protowire.ConsumeTag(inner); n > 0 && number == fieldChunkID && kind == protowire.VarintType {
		id, m := protowire.ConsumeVarint(inner[n:])
		if m < 0 {
			return nil, false
		}
		chunk.Id, inner = uint32(id), inner[n+m:]
	}
	chunk.Data, ok = onlyField(inner, fieldChunkData)
	return chunk, ok
}

// onlyField returns the content of a message that consists of one field of bytes.
func onlyField(message []byte, want protowire.Number) ([]byte, bool) {
	content, n := bytesField(message, want)
	return content, n == len(message) && n > 0
}

// bytesField returns the content of the field at the start of message, and how long the field is: negative when it is another
// one.
func bytesField(message []byte, want protowire.Number) ([]byte, int) {
	number, kind, n := protowire.ConsumeTag(message)
	if n < 0 || number != want || kind != protowire.BytesType {
		return nil, -1
	}
	content, m := protowire.ConsumeBytes(message[n:])
	if m < 0 {
		return nil, -1
	}
	return content[:len(content):len(content)], n + m
}
