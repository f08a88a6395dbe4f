package mirror_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

const conversation = "0f0e0d0c-0000-4000-8000-000000000001"

// store writes files below the folder of one conversation and returns where it is.
func store(t testing.TB, files map[string]string) sources.Ref {
	t.Helper()
	root := t.TempDir()
	brain := filepath.Join(root, "brain", conversation)
	if err := os.MkdirAll(filepath.Join(brain, ".system_generated", "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(brain, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return sources.Ref{ID: conversation, Root: root, Brain: brain}
}

// Where logs lie.
const (
	shortLog = ".system_generated/logs/transcript.jsonl"
	fullLog  = ".system_generated/logs/transcript_full.jsonl"
)

// lines joins lines, each with a line break.
func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

// document is what one conversation gave.
type document struct {
	header *transcriptv1.Header
	events []*transcriptv1.Event
	steps  []*transcriptv1.Step
	notes  []*transcriptv1.Note
	footer *transcriptv1.Footer
}

// everything is what a run with all sinks asks for.
var everything = sources.Want{Blocks: true, Native: true, Display: true, Records: true, Digest: true}

// convert reads a conversation to its end.
func convert(t testing.TB, ref sources.Ref) *document {
	t.Helper()
	d, err := read(t, ref, everything)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t testing.TB, ref sources.Ref, want sources.Want) (*document, error) {
	t.Helper()
	r, err := mirror.New().Open(t.Context(), ref, want)
	if err != nil {
		return nil, err
	}
	d := &document{header: r.Header()}
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = d.add(b)
		}
		if err != nil {
			_, _ = r.Close()
			return nil, err
		}
	}
	d.footer, err = r.Close()
	return d, err
}

func (d *document) add(b sources.Batch) error {
	events, err := copied(b)
	depth := 0
	for _, ev := range events {
		d.events = append(d.events, ev)
		switch body := ev.GetBody().(type) {
		case *transcriptv1.Event_Begin:
			depth++
		case *transcriptv1.Event_End:
			depth--
		case *transcriptv1.Event_Step:
			if depth == 0 {
				d.steps = append(d.steps, body.Step)
			}
		case *transcriptv1.Event_Note:
			d.notes = append(d.notes, body.Note)
		}
	}
	return err
}

// indexes returns the indexes of the steps.
func (d *document) indexes() []uint32 {
	var list []uint32
	for _, s := range d.steps {
		list = append(list, s.GetIndex())
	}
	return list
}

// note returns the first note of a kind, or nil.
func (d *document) note(kind string) *transcriptv1.Note {
	for _, n := range d.notes {
		if n.GetKind() == kind {
			return n
		}
	}
	return nil
}

// shown returns all a reader sees of a step.
func shown(s *transcriptv1.Step) string {
	var list []string
	for _, b := range s.GetBlocks() {
		list = append(list, block(b))
	}
	return strings.Join(list, "\n")
}

// prompt is a line with a prompt.
func prompt(index, text string) string {
	return `{"step_index":` + index + `,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":"2026-10-03T13:00:00Z","content":` +
		quote(text) + `}`
}

// said is a line of the model, with calls as JSON.
func said(index, text, calls string) string {
	line := `{"step_index":` + index + `,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-10-03T13:00:01Z","content":` + quote(text)
	if calls != "" {
		line += `,"tool_calls":` + calls
	}
	return line + `}`
}

// result is a line with the answer of a tool.
func result(index, kind, text string) string {
	return `{"step_index":` + index + `,"source":"MODEL","type":"` + kind + `","status":"DONE","created_at":"2026-10-03T13:00:02Z","content":` + quote(text) + `}`
}
