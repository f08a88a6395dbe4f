package sidecar_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/sidecar"
)

var update = flag.Bool("update", false, "write the golden files")

// memory keeps the parts of one artifact and fails the write that makes it larger than room, if room is not negative.
type memory struct {
	parts map[uint32]*part
	names map[string]bool
	room  int
}

type part struct {
	bytes.Buffer
	memory *memory
	closed bool
}

var errFull = errors.New("no space left")

func (p *part) Write(data []byte) (int, error) {
	if p.closed {
		return 0, errors.New("write after close")
	}
	if p.memory.room >= 0 {
		if p.memory.room -= len(data); p.memory.room < 0 {
			return 0, errFull
		}
	}
	return p.Buffer.Write(data)
}

func (p *part) Close() error {
	p.closed = true
	return nil
}

func newMemory() *memory {
	return &memory{parts: map[uint32]*part{}, names: map[string]bool{}, room: -1}
}

func (m *memory) Create(name, mediaType string, n uint32) (io.WriteCloser, error) {
	if m.parts[n] != nil || mediaType != sidecar.MediaType {
		return nil, fmt.Errorf("part %d of %s, %s", n, name, mediaType)
	}
	m.names[name] = true
	m.parts[n] = &part{memory: m}
	return m.parts[n], nil
}

func (m *memory) join(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	left := len(m.parts)
	for n := uint32(0); left > 0; n++ {
		if p := m.parts[n]; p != nil {
			if !p.closed {
				t.Errorf("part %d is not closed", n)
			}
			out.WriteString(p.String())
			left--
		}
	}
	return out.String()
}

// write passes events to a session and returns the document. With ahead, steps go through Render.
func write(t *testing.T, req *sinks.Request, ahead bool, events ...*transcriptv1.Event) (string, error) {
	t.Helper()
	m := newMemory()
	if err := feed(t, m, req, ahead, events); err != nil {
		return "", err
	}
	return m.join(t), nil
}

func feed(t *testing.T, m *memory, req *sinks.Request, ahead bool, events []*transcriptv1.Event) error {
	t.Helper()
	session, err := sidecar.New().Open(t.Context(), req, m)
	if err != nil {
		return err
	}
	for _, ev := range events {
		renderer := session.(sinks.Renderer)
		if ahead && ev.GetStep() != nil {
			var out []byte
			if out, err = renderer.Render(nil, ev); err == nil {
				err = renderer.Rendered(ev, out)
			}
		} else {
			err = session.Event(ev)
		}
		if err != nil {
			session.Abort()
			return err
		}
	}
	return session.Close()
}

func begin(members string) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{
		ConversationId: "conv", MembersJson: []byte(members),
		Provenance: &transcriptv1.Provenance{Source: "sqlite", Location: "conv.db", Profile: "agy-1", SchemaFingerprint: "fp", Unverified: true},
	}}}
}

func step(i int, text string) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: &transcriptv1.Step{
		Index: uint32(i), Anchor: fmt.Sprint("step-", i), DisplayJson: []byte(text), NativeJson: []byte(`{"native":` + text + `}`),
	}}}
}

func record(section, text string) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Record{Record: &transcriptv1.Record{Section: section, Json: []byte(text)}}}
}

func end(f *transcriptv1.Footer) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_End{End: f}}
}

func rich() []*transcriptv1.Event {
	odd := step(1, `{"type":"CORTEX_STEP_TYPE_GENERIC","big":12345678901234567890,"tiny":1e-400,"text":"a\u0000b"}`)
	odd.GetStep().SourceOnly = []*transcriptv1.SourceOnly{
		{Path: `generic.args["a\"b"]`, Value: []byte("value")},
		{Path: "generic.result", Message: "exa.Result", Value: []byte{0, 255}},
	}
	odd.GetStep().Unknown = []*transcriptv1.UnknownField{{Path: "", Number: 999, WireType: 2, Value: []byte("unknown")}}
	strange := record("executorMetadatas", `{"e":1}`)
	strange.GetRecord().Index = 1
	strange.GetRecord().Unknown = []*transcriptv1.UnknownField{{Path: "cascadeConfig", Number: 5, WireType: 0, Value: []byte{1}}}
	first := begin(`{"trajectoryId":"t","cascadeId":"c","metadata":{"n":"9007199254740993"}}`)
	first.GetBegin().Unknown = []*transcriptv1.UnknownField{{Path: "", Number: 77, Value: []byte{1}}}
	return []*transcriptv1.Event{
		first,
		record("executorMetadatas", `{"e":0}`),
		step(0, `{"type":"CORTEX_STEP_TYPE_USER_INPUT"}`),
		record("generatorMetadata", `{"g":0}`),
		odd,
		begin(`{"nested":true}`), step(0, `{"nested":0}`), record("generatorMetadata", `{"nested":0}`), end(&transcriptv1.Footer{}),
		{Body: &transcriptv1.Event_Note{Note: &transcriptv1.Note{Kind: "gap"}}},
		step(2, `{"type":"CORTEX_STEP_TYPE_FINISH"}`),
		strange,
		end(&transcriptv1.Footer{
			SourceDigest: "abc", Completeness: "incomplete: 3 steps", Incomplete: true,
			Gaps: []*transcriptv1.Note{{Text: "rows 4 to 5"}, {Text: "row \"7\""}}, SkippedSections: []string{"x: 3 rows"},
		}),
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		stored bool
		events []*transcriptv1.Event
	}{
		{"rich", false, rich()},
		{"stored", true, rich()},
		{"empty", false, []*transcriptv1.Event{begin(""), end(&transcriptv1.Footer{Completeness: "complete: 0 steps"})}},
		{"members only", false, []*transcriptv1.Event{begin("{ }"), end(&transcriptv1.Footer{})}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, ahead := range []bool{false, true} {
				got, err := write(t, &sinks.Request{BaseName: "conv", KeepWrappers: tc.stored}, ahead, tc.events...)
				if err != nil {
					t.Fatal(err)
				}
				if !json.Valid([]byte(got)) {
					t.Errorf("not JSON:\n%s", got)
				}
				path := filepath.Join("testdata", strings.ReplaceAll(tc.name, " ", "-")+".trajectory.json")
				if *update {
					if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// document is the part of the output that tests read back.
type document struct {
	CascadeID         string            `json:"cascadeId"`
	Steps             []json.RawMessage `json:"steps"`
	GeneratorMetadata []json.RawMessage `json:"generatorMetadata"`
	ExecutorMetadatas []json.RawMessage `json:"executorMetadatas"`
	AgyReader         struct {
		Offline struct {
			SourceOnly    []kept `json:"sourceOnly"`
			UnknownFields []kept `json:"unknownFields"`
		} `json:"offline"`
		Generator string `json:"generator"`
	} `json:"agyReader"`
}

type kept struct {
	Location string `json:"location"`
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	Base64   string `json:"base64"`
}

// TestEverythingComesBack mixes steps, records and kept bytes at random: each list holds its own, in order, unchanged.
func TestEverythingComesBack(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		events := []*transcriptv1.Event{begin(`{"cascadeId":"c"}`)}
		var want document
		want.CascadeID = "c"
		var bytesOnly, bytesUnknown [][]byte
		for range r.IntN(40) {
			text := fmt.Sprintf(`{"n":%d%018d,"s":%q}`, 1+r.IntN(9), r.IntN(1e9), strings.Repeat(`}],"`, r.IntN(4)))
			switch r.IntN(3) {
			case 0:
				events = append(events, record("generatorMetadata", text))
				want.GeneratorMetadata = append(want.GeneratorMetadata, json.RawMessage(text))
			case 1:
				events = append(events, record("executorMetadatas", text))
				want.ExecutorMetadatas = append(want.ExecutorMetadatas, json.RawMessage(text))
			default:
				ev := step(len(want.Steps), text)
				want.Steps = append(want.Steps, json.RawMessage(text))
				for range r.IntN(3) {
					value := []byte(strings.Repeat("\x00\xff", r.IntN(5)))
					ev.GetStep().SourceOnly = append(ev.GetStep().SourceOnly, &transcriptv1.SourceOnly{Path: "a\"\\\n", Value: value})
					bytesOnly = append(bytesOnly, value)
				}
				for range r.IntN(2) {
					value := []byte(fmt.Sprint(r.IntN(99)))
					ev.GetStep().Unknown = append(ev.GetStep().Unknown, &transcriptv1.UnknownField{Path: "u", Value: value})
					bytesUnknown = append(bytesUnknown, value)
				}
				events = append(events, ev)
			}
		}
		text, err := write(t, &sinks.Request{BaseName: "x"}, seed%2 == 0, append(events, end(&transcriptv1.Footer{}))...)
		if err != nil {
			t.Fatal(err)
		}
		var got document
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		compareKept(t, "a\"\\\n", bytesOnly, got.AgyReader.Offline.SourceOnly)
		compareKept(t, "u", bytesUnknown, got.AgyReader.Offline.UnknownFields)
		if got.AgyReader.Generator != "agy-reader" || !strings.HasSuffix(text, "\n\"generator\":\"agy-reader\"}}\n") {
			t.Error("the generator mark is not at the end")
		}
		got.AgyReader = want.AgyReader
		if len(want.Steps) == 0 {
			want.Steps = []json.RawMessage{}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
	}
}

func compareKept(t *testing.T, location string, want [][]byte, got []kept) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%d values of %d", len(got), len(want))
		return
	}
	for i, k := range got {
		value, err := base64.StdEncoding.DecodeString(k.Base64)
		sum := sha256.Sum256(want[i])
		if err != nil || !bytes.Equal(value, want[i]) || k.SHA256 != hex.EncodeToString(sum[:]) || k.Location+k.Path != location {
			t.Errorf("value %d: %+v", i, k)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		req    sinks.Request
		events []*transcriptv1.Event
	}{
		{"options", sinks.Request{Options: []byte(`{"a":1}`)}, rich()},
		{"members are a list", sinks.Request{}, []*transcriptv1.Event{begin("[]"), end(&transcriptv1.Footer{})}},
		{"a step without JSON", sinks.Request{}, []*transcriptv1.Event{begin("{}"), step(0, ""), end(&transcriptv1.Footer{})}},
		{"no end", sinks.Request{}, []*transcriptv1.Event{begin("{}"), step(0, "{}")}},
		{"nested without end", sinks.Request{}, []*transcriptv1.Event{begin("{}"), step(0, "{}"), begin("{}"), end(&transcriptv1.Footer{})}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if text, err := write(t, &tc.req, false, tc.events...); err == nil {
				t.Errorf("wrote %s", text)
			}
		})
	}
}

// TestFullDisk lets the space run out at every byte.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	whole, err := write(t, &sinks.Request{}, false, rich()...)
	if err != nil {
		t.Fatal(err)
	}
	for room := range len(whole) {
		m := newMemory()
		m.room = room
		if err := feed(t, m, &sinks.Request{}, false, rich()); !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
	}
	m := newMemory()
	m.room = len(whole)
	if err := feed(t, m, &sinks.Request{}, false, rich()); err != nil {
		t.Error(err)
	}
}

func BenchmarkSteps(b *testing.B) {
	ev := step(0, `{"type":"`+strings.Repeat("x", 4000)+`"}`)
	b.SetBytes(int64(len(ev.GetStep().DisplayJson)))
	b.ReportAllocs()
	session, err := sidecar.New().Open(b.Context(), &sinks.Request{}, discard{})
	if err != nil {
		b.Fatal(err)
	}
	if err := session.Event(begin("{}")); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := session.Event(ev); err != nil {
			b.Fatal(err)
		}
	}
}

type discard struct{}

func (discard) Create(string, string, uint32) (io.WriteCloser, error) { return discard{}, nil }

func (discard) Write(data []byte) (int, error) { return len(data), nil }

func (discard) Close() error { return nil }
