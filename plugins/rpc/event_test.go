package rpc

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func stepOf(st *transcriptv1.Step) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: st}}
}

func recordOf(r *transcriptv1.Record) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Record{Record: r}}
}

// serialized are events, usual and odd.
func serialized(tb testing.TB) map[string][]byte {
	tb.Helper()
	marshal := func(ev *transcriptv1.Event) []byte {
		data, err := proto.Marshal(ev)
		if err != nil {
			tb.Fatal(err)
		}
		return data
	}
	rich := &transcriptv1.Step{
		Index: 3, Anchor: "step-3", Kind: "RUN_COMMAND", NativeJson: []byte(`{"native":1}`), DisplayJson: []byte(`{"display":1}`),
		SourceOnly: []*transcriptv1.SourceOnly{{Path: "p", Value: []byte{0, 255}}},
		Blocks:     []*transcriptv1.Block{{Kind: "code", Text: "x", Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{}}}},
	}
	step := marshal(stepOf(rich))
	return map[string][]byte{
		"nothing":          {},
		"step":             step,
		"large step":       marshal(stepOf(&transcriptv1.Step{Index: 1, DisplayJson: bytes.Repeat([]byte("json"), 1<<18)})),
		"step, stored":     marshal(stepOf(&transcriptv1.Step{NativeJson: []byte("{}"), Status: "DONE"})),
		"step, no JSON":    marshal(stepOf(&transcriptv1.Step{Index: 1, Anchor: "step-1"})),
		"step twice":       append(bytes.Clone(step), step...),
		"step and record":  append(bytes.Clone(step), marshal(recordOf(&transcriptv1.Record{Json: []byte("{}")}))...),
		"JSON twice":       {0x12, 8, 0xaa, 0x01, 1, 'a', 0xaa, 0x01, 1, 'b'},
		"empty JSON":       {0x12, 3, 0xaa, 0x01, 0},
		"JSON as a number": {0x12, 3, 0xa8, 0x01, 1},
		"unknown field":    {0x12, 8, 0xaa, 0x01, 1, 'a', 0xf8, 0x3f, 1, 0},
		"group":            {0x12, 8, 0xaa, 0x01, 1, 'a', 0xfb, 0x3f, 0xfc, 0x3f},
		"open group":       {0x12, 6, 0xaa, 0x01, 1, 'a', 0xfb, 0x3f},
		"not UTF-8":        {0x12, 7, 0x12, 1, 0xff, 0xaa, 0x01, 1, 'a'},
		"cut step":         step[:len(step)-1],
		"record":           marshal(recordOf(&transcriptv1.Record{Section: "generatorMetadata", Index: 2, Json: []byte(`{"g":1}`)})),
		"record, no JSON":  marshal(recordOf(&transcriptv1.Record{Section: "generatorMetadata"})),
		"header":           marshal(&transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{MembersJson: []byte("{}")}}}),
	}
}

func checkEvent(t *testing.T, data []byte) {
	t.Helper()
	// What was read before must not be seen.
	got := stepOf(&transcriptv1.Step{Kind: "before", NativeJson: []byte("before")})
	reader := eventReader{rest: []byte("before")}
	gotErr := reader.read(data, got)
	var want transcriptv1.Event
	if err := proto.Unmarshal(data, &want); (err == nil) != (gotErr == nil) || err == nil && !proto.Equal(&want, got) {
		t.Errorf("event %x is %v, %v, want %v, %v", data[:min(99, len(data))], got, gotErr, &want, err)
	}
}

func TestEventReader(t *testing.T) {
	t.Parallel()
	for name, data := range serialized(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkEvent(t, data)
		})
	}
}

// JSON is not copied.
func TestEventReaderCopiesNoJSON(t *testing.T) {
	t.Parallel()
	var ev transcriptv1.Event
	var reader eventReader
	data := serialized(t)["large step"]
	if err := reader.read(data, &ev); err != nil {
		t.Fatal(err)
	}
	clear(data)
	if json := ev.GetStep().GetDisplayJson(); !bytes.Equal(json, make([]byte, 1<<20)) {
		t.Errorf("%d bytes of JSON lie elsewhere", len(json))
	}
}

func FuzzEventReader(f *testing.F) {
	for _, data := range serialized(f) {
		if len(data) < 1000 {
			f.Add(data)
		}
	}
	f.Fuzz(checkEvent)
}
