package interpret

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// FuzzStep gives the interpreter any bytes: it must not panic, its texts must be valid, its Begin and End must match, and
// what it makes must stay in proportion to what it was given.
func FuzzStep(f *testing.F) {
	s := loadSchema(f)
	files, err := filepath.Glob("testdata/steps/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		json, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s.payload(f, string(json)), int64(-1))
	}
	f.Add([]byte("\xff"), int64(21))
	f.Add([]byte{}, int64(14))
	ip := New(load(f))
	f.Fuzz(func(t *testing.T, raw []byte, kind int64) {
		var a Arena
		depth, size, events := 0, 0, 0
		in := &Input{Index: 1, Payload: raw, StepType: kind, Status: kind}
		want := sources.Want{Blocks: true, Native: len(raw)%2 == 0, Display: len(raw)%3 == 0}
		err := ip.Step(&Session{ConversationID: "c", Want: want}, in, &a, func(ev *doc.Event) error {
			events++
			size += proto.Size(ev)
			checkTexts(t, ev.ProtoReflect())
			switch {
			case ev.GetBegin() != nil:
				depth++
			case ev.GetEnd() != nil:
				depth--
			}
			return nil
		})
		if err != nil || depth != 0 || events == 0 {
			t.Fatalf("error %v, depth %d, events %d", err, depth, events)
		}
		if size > 64<<10+200*len(raw) {
			t.Fatalf("%d bytes became %d", len(raw), size)
		}
		want.Strict = true
		if err := ip.Step(&Session{Want: want}, in, &a, func(*doc.Event) error { return nil }); err != nil && !strings.Contains(err.Error(), "step 1") {
			t.Fatalf("error names no step: %v", err)
		}
	})
}

func checkTexts(t *testing.T, m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		check := func(v protoreflect.Value) {
			switch f.Kind() {
			case protoreflect.StringKind:
				if !utf8.ValidString(v.String()) {
					t.Fatalf("%s is not valid UTF-8: %q", f.FullName(), v.String())
				}
			case protoreflect.MessageKind:
				checkTexts(t, v.Message())
			}
		}
		if !f.IsList() {
			check(v)
			return true
		}
		for i := range v.List().Len() {
			check(v.List().Get(i))
		}
		return true
	})
}
