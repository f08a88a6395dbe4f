package rpc

import "google.golang.org/protobuf/encoding/protowire"

// framed is a serialized message in two pieces, so that the large one need not be copied behind its length. body comes from
// buffers and belongs to gRPC once the message is sent.
type framed struct {
	head []byte
	body *[]byte
}

// framedBatch makes a ConvertRequest of events that appendEvent appended to body.
func framedBatch(body *[]byte) *framed {
	return &framed{head: nest(fieldBatch, nil, len(*body)), body: body}
}

// appendEvent appends one serialized event to the body of a batch.
func appendEvent(body, event []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(body, fieldEvents, protowire.BytesType), event)
}

// framedPart makes a ConvertRequest of the data of an event's part.
func framedPart(body *[]byte, last bool) *framed {
	inner := protowire.AppendTag(nil, fieldPartData, protowire.BytesType)
	inner = protowire.AppendVarint(inner, uint64(len(*body)))
	if last {
		*body = protowire.AppendVarint(protowire.AppendTag(*body, fieldPartLast, protowire.VarintType), 1)
	}
	return &framed{head: nest(fieldPart, inner, len(*body)), body: body}
}

// framedChunk makes a ConvertResponse of the data of an artifact's chunk.
func framedChunk(id uint32, body *[]byte) *framed {
	var inner []byte
	if id != 0 {
		inner = protowire.AppendVarint(protowire.AppendTag(inner, fieldChunkID, protowire.VarintType), uint64(id))
	}
	inner = protowire.AppendTag(inner, fieldChunkData, protowire.BytesType)
	inner = protowire.AppendVarint(inner, uint64(len(*body)))
	return &framed{head: nest(fieldChunk, inner, len(*body)), body: body}
}

// nest returns the head of a message of one field, which begins with inner and goes on for rest bytes.
func nest(field protowire.Number, inner []byte, rest int) []byte {
	head := protowire.AppendTag(nil, field, protowire.BytesType)
	return append(protowire.AppendVarint(head, uint64(len(inner)+rest)), inner...)
}
