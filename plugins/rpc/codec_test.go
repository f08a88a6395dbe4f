package rpc

import (
	"bytes"
	"testing"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
)

func bufferOf(data []byte) *[]byte {
	buf := buffers.Get(len(data))
	copy(*buf, data)
	return buf
}

func requestOf(body any) *pluginv1.ConvertRequest {
	switch m := body.(type) {
	case *pluginv1.EventBatch:
		return &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Batch{Batch: m}}
	case *pluginv1.EventPart:
		return &pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Part{Part: m}}
	default:
		return &pluginv1.ConvertRequest{}
	}
}

func chunkOf(id uint32, data []byte) *pluginv1.ConvertResponse {
	return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactChunk{ArtifactChunk: &pluginv1.ArtifactChunk{Id: id, Data: data}}}
}

// A framed message has the bytes that the library makes of the same message.
func TestFramed(t *testing.T) {
	t.Parallel()
	part := bytes.Repeat([]byte("part"), MaxBatch/4)
	batch := func(events ...[]byte) (*framed, proto.Message) {
		body := buffers.Get(bufferBytes)
		*body = (*body)[:0]
		for _, event := range events {
			*body = appendEvent(*body, event)
		}
		return framedBatch(body), requestOf(&pluginv1.EventBatch{Events: events})
	}
	full := make([][]byte, MaxBatchEvents)
	for i := range full {
		full[i] = bytes.Repeat([]byte{byte(i)}, MaxBatch/MaxBatchEvents)
	}
	tests := map[string]func() (*framed, proto.Message){
		"batch of one":  func() (*framed, proto.Message) { return batch([]byte("event")) },
		"empty event":   func() (*framed, proto.Message) { return batch([]byte("event"), []byte{}) },
		"full batch":    func() (*framed, proto.Message) { return batch(full...) },
		"largest event": func() (*framed, proto.Message) { return batch(make([]byte, MaxBatch)) },
		"part": func() (*framed, proto.Message) {
			return framedPart(bufferOf(part), false), requestOf(&pluginv1.EventPart{Data: part})
		},
		"last part": func() (*framed, proto.Message) {
			return framedPart(bufferOf(part[:1]), true), requestOf(&pluginv1.EventPart{Data: part[:1], Last: true})
		},
		"chunk":           func() (*framed, proto.Message) { return framedChunk(300, bufferOf(part)), chunkOf(300, part) },
		"chunk of part 0": func() (*framed, proto.Message) { return framedChunk(0, bufferOf(part[:200])), chunkOf(0, part[:200]) },
	}
	for name, makeBoth := range tests {
		f, message := makeBoth()
		if cap(*f.body) != bufferBytes && cap(*f.body) != frameBytes {
			t.Errorf("%s: the buffer was outgrown and goes to no pool", name)
		}
		got, err := newCodec().Marshal(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := encoding.GetCodecV2("proto").Marshal(message)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(got.Materialize(), want.Materialize()) {
			t.Errorf("%s: other bytes than gRPC's codec makes", name)
		}
		got.Free()
	}
}

// pieces cuts bytes as they come in frames.
func pieces(b []byte) (out mem.BufferSlice) {
	for len(b) > 0 {
		n := min(len(b), frameBytes)
		out, b = append(out, mem.NewBuffer(bufferOf(b[:n]), buffers)), b[n:]
	}
	return out
}

// read receives serialized messages as both sides do. The frames are gone afterwards.
func read(data []byte) (*request, error, *response, error) {
	var up request
	frames := pieces(data)
	upErr := newCodec().Unmarshal(frames, &up)
	frames.Free()
	var down response
	frames = pieces(data)
	downErr := newCodec().Unmarshal(frames, &down)
	frames.Free()
	return &up, upErr, &down, downErr
}

// check compares what both sides receive with what the library reads, while buffers are used for other things.
func check(t *testing.T, data []byte) {
	t.Helper()
	up, upErr, down, downErr := read(data)
	for range 4 {
		for _, size := range []int{frameBytes, bufferBytes} {
			buf := buffers.Get(size)
			for i := range (*buf)[:4<<10] {
				(*buf)[i] = 0xee
			}
			defer buffers.Put(buf)
		}
	}
	var wantUp pluginv1.ConvertRequest
	if err := proto.Unmarshal(data, &wantUp); (err == nil) != (upErr == nil) || err == nil && !proto.Equal(&wantUp, up.ConvertRequest) {
		t.Errorf("request %x is %v, %v, want %v, %v", data[:min(99, len(data))], up.ConvertRequest, upErr, &wantUp, err)
	}
	var wantDown pluginv1.ConvertResponse
	if err := proto.Unmarshal(data, &wantDown); (err == nil) != (downErr == nil) || err == nil && !proto.Equal(&wantDown, down.ConvertResponse) {
		t.Errorf("response %x is %v, %v, want %v, %v", data[:min(99, len(data))], down.ConvertResponse, downErr, &wantDown, err)
	}
	up.release()
	down.release()
}

// received are serialized messages, usual and odd.
func received(tb testing.TB) map[string][]byte {
	tb.Helper()
	marshal := func(m proto.Message) []byte {
		data, err := proto.Marshal(m)
		if err != nil {
			tb.Fatal(err)
		}
		return data
	}
	batch := marshal(requestOf(&pluginv1.EventBatch{Events: [][]byte{[]byte("one"), {}, []byte("two")}}))
	chunk := marshal(chunkOf(7, []byte("data")))
	return map[string][]byte{
		"nothing":             {},
		"batch":               batch,
		"batch of many":       marshal(requestOf(&pluginv1.EventBatch{Events: make([][]byte, 3*MaxBatchEvents)})),
		"large batch":         marshal(requestOf(&pluginv1.EventBatch{Events: [][]byte{make([]byte, MaxMessage-100)}})),
		"empty batch":         {0x12, 0},
		"batch twice":         append(bytes.Clone(batch), batch...),
		"batch with more":     append(bytes.Clone(batch), 0x98, 0x06, 1),
		"batch with a number": {0x12, 2, 0x08, 1},
		"long lengths":        {0x92, 0x80, 0x00, 0x83, 0x00, 0x0a, 0x01, 'x'},
		"cut batch":           batch[:len(batch)-1],
		"length too large":    {0x12, 3, 0x0a, 9, 'x'},
		"part":                marshal(requestOf(&pluginv1.EventPart{Data: []byte("part"), Last: true})),
		"chunk":               chunk,
		"chunk of part 0":     marshal(chunkOf(0, []byte("data"))),
		"chunk without data":  marshal(chunkOf(7, nil)),
		"full chunk":          marshal(chunkOf(7, make([]byte, MaxChunk))),
		"chunk twice":         append(bytes.Clone(chunk), chunk...),
		"chunk, data first":   {0x1a, 5, 0x12, 1, 'x', 0x08, 7},
		"chunk, data twice":   {0x1a, 8, 0x08, 7, 0x12, 1, 'x', 0x12, 1, 'y'},
		"chunk, long number":  {0x1a, 9, 0x08, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x12, 1, 'x'},
		"cut number":          {0x1a, 2, 0x08, 0x80},
		"end":                 marshal(&pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_End{End: &pluginv1.End{Events: 3}}}),
		"done":                marshal(&pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Done{Done: &pluginv1.Done{Bytes: 1}}}),
	}
}

func TestReceived(t *testing.T) {
	t.Parallel()
	for name, data := range received(t) {
		t.Run(name, func(t *testing.T) { check(t, data) }) //nolint:paralleltest // quick, and sharing buffers is the point
	}
}

func FuzzReceived(f *testing.F) {
	for _, data := range received(f) {
		if len(data) < 1000 {
			f.Add(data)
		}
	}
	f.Fuzz(check)
}
