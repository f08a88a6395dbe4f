package legacypb

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

const (
	testID         = "11111111-2222-4333-8444-555555555555"
	testTrajectory = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
)

func field(raw []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(raw, number, protowire.BytesType), value)
}

// message is a trajectory with some of everything.
func message(t testing.TB, steps ...string) []byte {
	t.Helper()
	raw := field(nil, trajectory.IDField, []byte(testTrajectory))
	for _, step := range steps {
		raw = field(raw, trajectory.StepsField, build.Step(t, step))
	}
	raw = field(raw, trajectory.GenerationsField, build.MustEncode(t, trajectory.GenerationMessage,
		`{"chatModel":{"model":"MODEL_PLACEHOLDER_M16","modelDisplayName":"Gemini X","usage":{"inputTokens":"5","responseId":"r"}}}`))
	raw = protowire.AppendVarint(protowire.AppendTag(raw, trajectory.TypeField, protowire.VarintType), 4)
	raw = field(raw, trajectory.CascadeIDField, []byte(testID))
	raw = field(raw, trajectory.MetadataField, build.MustEncode(t, "exa.cortex_pb.CortexTrajectoryMetadata",
		`{"createdAt":"2026-01-02T03:04:05Z","projectId":"p"}`))
	return field(raw, trajectory.ExecutorsField, build.MustEncode(t, trajectory.ExecutorMessage, `{"terminationReason":3}`))
}

const (
	prompt = `{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","userInput":{"userResponse":"What is here?"}}`
	answer = `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE","plannerResponse":{"response":"A file."}}`
)

// sealed encrypts a message with the first known key.
func sealed(t testing.TB, plain []byte) []byte {
	t.Helper()
	keys, err := profile.FileKeys()
	if err != nil || len(keys) == 0 {
		t.Fatal(keys, err)
	}
	aead, err := aeadOf(keys[0])
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, nonceSize)
	for i := range nonce {
		nonce[i] = byte(i)
	}
	return aead.Seal(nonce, nonce, plain, nil)
}

func write(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), testID+".pb")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// document is everything a reader gave.
type document struct {
	header  *transcriptv1.Header
	events  []*transcriptv1.Event
	footer  *transcriptv1.Footer
	batches int
	gaps    []sources.Missing
}

func read(s sources.Source, path string, want sources.Want) (*document, error) {
	ctx := context.Background()
	r, err := s.Open(ctx, sources.Ref{Path: path}, want)
	if err != nil {
		return nil, err
	}
	d := &document{header: r.Header()}
	err = d.all(ctx, r)
	footer, closeErr := r.Close()
	d.footer = footer
	return d, errors.Join(err, closeErr)
}

func (d *document) all(ctx context.Context, r sources.Reader) error {
	for {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		d.batches++
		if gap, ok := b.(sources.Gap); ok {
			d.gaps = append(d.gaps, gap.Missing())
		}
		err = b.Decode(func(e *transcriptv1.Event) error {
			// Not proto.Clone: it would share the strings, which die with the batch.
			raw, err := proto.Marshal(e)
			if err != nil {
				return err
			}
			kept := &transcriptv1.Event{}
			d.events = append(d.events, kept)
			return proto.Unmarshal(raw, kept)
		})
		b.Release()
		if err != nil {
			return err
		}
	}
}

func mustRead(t testing.TB, data []byte, want sources.Want) *document {
	t.Helper()
	d, err := read(New(), write(t, data), want)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// shape lists the events in short: steps by kind, notes by kind and text, records by section.
func (d *document) shape() []string {
	var list []string
	for _, e := range d.events {
		switch {
		case e.GetStep() != nil:
			list = append(list, "step "+e.GetStep().GetKind())
		case e.GetNote() != nil:
			n := e.GetNote()
			text := "note " + n.GetKind()
			if n.GetIncomplete() {
				text += " incomplete"
			}
			list = append(list, text+": "+n.GetText())
		case e.GetRecord() != nil:
			list = append(list, "record "+e.GetRecord().GetSection())
		case e.GetBegin() != nil:
			list = append(list, "begin")
		case e.GetEnd() != nil:
			list = append(list, "end")
		}
	}
	return list
}

func (d *document) count(start string) int {
	n := 0
	for _, line := range d.shape() {
		if strings.HasPrefix(line, start) {
			n++
		}
	}
	return n
}
