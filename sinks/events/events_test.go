package events_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/events"
)

var update = flag.Bool("update", false, "write the golden files")

type memory struct{ bytes.Buffer }

func (m *memory) Create(string, string, uint32) (io.WriteCloser, error) { return m, nil }
func (m *memory) Close() error                                          { return nil }

func dump(t testing.TB, req *sinks.Request, all []*tv1.Event, ahead bool) string {
	t.Helper()
	var out memory
	session, err := events.New().Open(t.Context(), req, &out)
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range all {
		if ahead {
			text, err := session.(sinks.Renderer).Render(nil, ev)
			if err == nil {
				err = session.(sinks.Renderer).Rendered(ev, text)
			}
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := session.Event(ev); err != nil {
			t.Fatal(err)
		}
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]func() []*tv1.Event{"sample": sample, "whole": whole} {
		path := filepath.Join("testdata", name+".events.jsonl")
		got := dump(t, &sinks.Request{BaseName: "x"}, all(), false)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("dump (-want +got):\n%s", diff)
		}
		if ahead := dump(t, &sinks.Request{BaseName: "x", TimeZone: "Asia/Tokyo"}, all(), true); ahead != got {
			t.Error("rendering ahead gives other bytes")
		}
	}
}

func TestSampleHasEverything(t *testing.T) {
	t.Parallel()
	seen := map[protoreflect.FullName]bool{}
	for _, ev := range sample() {
		visit(ev.ProtoReflect(), seen)
	}
	for _, name := range []protoreflect.Name{"Event", "Block"} {
		fields := tv1.File_agyreader_transcript_v1_transcript_proto.Messages().ByName(name).Oneofs().Get(0).Fields()
		for i := range fields.Len() {
			if f := fields.Get(i); !seen[f.FullName()] {
				t.Errorf("the sample lacks %s", f.FullName())
			}
		}
	}
}

func visit(m protoreflect.Message, seen map[protoreflect.FullName]bool) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		seen[f.FullName()] = true
		switch {
		case f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				visit(v.List().Get(i).Message(), seen)
			}
		default:
			visit(v.Message(), seen)
		}
		return true
	})
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	all := sample()
	for range 200 {
		ev := new(tv1.Event)
		for ev.GetBody() == nil {
			fill(rng, ev.ProtoReflect(), 0)
		}
		all = append(all, ev)
	}
	text := dump(t, &sinks.Request{}, all, false)
	var got []*tv1.Event
	for ev, err := range events.Read(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ev)
	}
	if diff := cmp.Diff(all, got, protocmp.Transform()); diff != "" {
		t.Fatalf("read back (-want +got):\n%s", diff)
	}
	for i, line := range strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n") {
		var tight bytes.Buffer
		if err := json.Compact(&tight, []byte(line)); err != nil || tight.String() != strings.TrimSuffix(line, "\n") {
			t.Fatalf("line %d is not canonical JSON: %v", i+1, err)
		}
	}
	if again := dump(t, &sinks.Request{}, got, true); again != text {
		t.Error("a second dump differs")
	}
}

// fill sets random fields of m, so that presence varies everywhere.
func fill(rng *rand.Rand, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if rng.IntN(3) == 0 || f.Message() != nil && depth > 4 {
			continue
		}
		if f.IsList() {
			list := m.Mutable(f).List()
			for range rng.IntN(3) {
				if f.Message() == nil {
					list.Append(scalar(rng, f))
					continue
				}
				fill(rng, list.AppendMutable().Message(), depth+1)
			}
			continue
		}
		if f.Message() != nil {
			fill(rng, m.Mutable(f).Message(), depth+1)
			continue
		}
		m.Set(f, scalar(rng, f))
	}
}

func scalar(rng *rand.Rand, f protoreflect.FieldDescriptor) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.StringKind:
		words := []string{"", "a\nb", "\x00\x1b\u2028", "<&>\"\\", "修👩‍💻", "null"}
		return protoreflect.ValueOfString(words[rng.IntN(len(words))])
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte{byte(rng.Uint32()), 0xFF})
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(rng.IntN(2) == 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rng.IntN(9)))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(rng.Uint32()))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(rng.Uint64()))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(rng.Uint32())
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(rng.Uint64())
	}
	panic("the model has a new scalar: " + f.Kind().String())
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const good = `{"note":{"kind":"gap"}}`
	for _, tt := range []struct {
		name, text string
		events     int
		line       string
	}{
		{name: "nothing", text: ""},
		{name: "mark, CR LF, blank lines, no last line feed", text: "\xEF\xBB\xBF" + good + "\r\n\r\n" + good, events: 2},
		{name: "cut", text: good + "\n" + `{"note":{"kind`, events: 1, line: "line 2"},
		{name: "unknown member", text: `{"note":{"kindly":"gap"}}`, line: "line 1"},
		{name: "two in a line", text: good + good, line: "line 1"},
		{name: "empty", text: "{}", line: "line 1"},
		{name: "not an object", text: "\n[]", line: "line 2"},
		{name: "deep", text: strings.Repeat(`{"step":`, 20000), line: "line 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n, failure := 0, error(nil)
			for _, err := range events.Read(strings.NewReader(tt.text)) {
				if failure != nil {
					t.Fatal("something follows an error")
				}
				if failure = err; err == nil {
					n++
				}
			}
			if n != tt.events {
				t.Errorf("%d events, want %d", n, tt.events)
			}
			if (tt.line != "") != errors.Is(failure, events.ErrLine) || tt.line != "" && !strings.HasPrefix(failure.Error(), tt.line+":") {
				t.Errorf("error %v, want one of %q", failure, tt.line)
			}
		})
	}
}

func TestRefusesDamagedText(t *testing.T) {
	t.Parallel()
	if _, err := events.Append(nil, &tv1.Event{Body: &tv1.Event_Note{Note: &tv1.Note{Text: "\xff"}}}); err == nil {
		t.Error("text that is not UTF-8 was written")
	}
}

func FuzzRead(f *testing.F) {
	for _, ev := range sample() {
		line, err := events.Append(nil, ev)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for ev, err := range events.Read(bytes.NewReader(data)) {
			if err != nil {
				return
			}
			line, err := events.Append(nil, ev)
			if err != nil {
				t.Fatal(err)
			}
			for again, err := range events.Read(bytes.NewReader(line)) {
				if err != nil || !proto.Equal(ev, again) {
					t.Fatalf("not read back: %v", err)
				}
			}
		}
	})
}
