package interpret

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/host/corpus"
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/proto/antigravity"
	"agy-reader/sources"
	"agy-reader/sources/profile"

	_ "modernc.org/sqlite"
)

var update = flag.Bool("update", false, "write golden files")

const profileName = "agy-1.0.4"

func load(t testing.TB) *profile.Profile {
	t.Helper()
	p, err := profile.Load(profileName)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// schema is the profile's schema as the official library sees it.
type schema struct {
	step  protoreflect.MessageDescriptor
	types *dynamicpb.Types
}

func loadSchema(t testing.TB) schema {
	t.Helper()
	raw, err := fs.ReadFile(antigravity.Profiles(), profileName+"/schema.binpb")
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(raw, set); err != nil {
		t.Fatal(err)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		t.Fatal(err)
	}
	d, err := files.FindDescriptorByName(stepMessage)
	if err != nil {
		t.Fatal(err)
	}
	return schema{d.(protoreflect.MessageDescriptor), dynamicpb.NewTypes(files)}
}

// payload encodes a step that is given as JSON by protojson rules.
func (s schema) payload(t testing.TB, json string) []byte {
	t.Helper()
	m := dynamicpb.NewMessage(s.step)
	if err := (protojson.UnmarshalOptions{Resolver: s.types}).Unmarshal([]byte(json), m); err != nil {
		t.Fatalf("%v in %s", err, json)
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// decode is the official decoding of a payload.
func (s schema) decode(t testing.TB, raw []byte) *dynamicpb.Message {
	t.Helper()
	m := dynamicpb.NewMessage(s.step)
	if err := (proto.UnmarshalOptions{Resolver: s.types}).Unmarshal(raw, m); err != nil {
		t.Fatal(err)
	}
	return m
}

var everything = sources.Want{Blocks: true}

// interpret runs one step and returns copies of its events.
func interpret(t testing.TB, ip *Interpreter, want sources.Want, in *Input) []*doc.Event {
	t.Helper()
	var a Arena
	var events []*doc.Event
	s := &Session{ConversationID: "conv", TrajectoryID: "traj", Want: want, Models: map[string]string{"resp-1": "Gemini 3.1 Pro (High)"}}
	err := ip.Step(s, in, &a, func(ev *doc.Event) error {
		events = append(events, proto.Clone(ev).(*doc.Event))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	a.Reset()
	return events
}

func input(index uint32, raw []byte) *Input {
	return &Input{Index: index, Payload: raw, StepType: -1, Status: -1}
}

// readable writes events so that a person can review them: members in schema order, texts as they are.
func readable(events ...*doc.Event) string {
	var out strings.Builder
	for _, ev := range events {
		writeMessage(&out, ev.ProtoReflect(), "")
		out.WriteString("----\n")
	}
	return out.String()
}

func writeMessage(out *strings.Builder, m protoreflect.Message, indent string) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		if f.IsList() {
			list := m.Get(f).List()
			for j := range list.Len() {
				writeValue(out, f, list.Get(j), indent)
			}
			continue
		}
		writeValue(out, f, m.Get(f), indent)
	}
}

func writeValue(out *strings.Builder, f protoreflect.FieldDescriptor, v protoreflect.Value, indent string) {
	switch f.Kind() {
	case protoreflect.MessageKind:
		fmt.Fprintf(out, "%s%s:\n", indent, f.Name())
		writeMessage(out, v.Message(), indent+"  ")
	case protoreflect.EnumKind:
		fmt.Fprintf(out, "%s%s: %s\n", indent, f.Name(), f.Enum().Values().ByNumber(v.Enum()).Name())
	case protoreflect.StringKind:
		text := v.String()
		if !strings.Contains(text, "\n") {
			fmt.Fprintf(out, "%s%s: %s\n", indent, f.Name(), text)
			return
		}
		fmt.Fprintf(out, "%s%s: |\n", indent, f.Name())
		for _, line := range strings.Split(text, "\n") {
			fmt.Fprintf(out, "%s  > %s\n", indent, line)
		}
	case protoreflect.BytesKind:
		fmt.Fprintf(out, "%s%s: %q\n", indent, f.Name(), v.Bytes())
	default:
		fmt.Fprintf(out, "%s%s: %v\n", indent, f.Name(), v.Interface())
	}
}

// stored is one step of the corpus.
type stored struct {
	label string
	in    *Input
}

// corpusSteps returns every step row of the eleven databases and the three single payloads.
func corpusSteps(t testing.TB) []stored {
	t.Helper()
	var all []stored
	for _, file := range corpus.Databases(t, corpus.Copy(t)) {
		all = append(all, databaseSteps(t, file)...)
	}
	files, err := filepath.Glob(filepath.Join(corpus.Payloads(t), "*.bin"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stored{filepath.Base(file), input(0, raw)})
	}
	return all
}

func databaseSteps(t testing.TB, file string) []stored {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT idx, step_type, status, metadata, error_details, task_details, step_payload FROM steps ORDER BY idx")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []stored
	for rows.Next() {
		in := new(Input)
		if err := rows.Scan(&in.Index, &in.StepType, &in.Status, &in.Metadata, &in.Error, &in.TaskDetails, &in.Payload); err != nil {
			t.Fatal(err)
		}
		all = append(all, stored{fmt.Sprintf("%s step %d", filepath.Base(file)[:8], in.Index), in})
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// golden compares text with a golden file, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(got)) {
		t.Errorf("%s differs (run with -update and review)\n--- want\n%s\n--- got\n%s", file, want, got)
	}
}
