package html_test

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/html"
)

// parts collects what a session writes, as the host would join it.
type parts struct {
	text   map[uint32]*bytes.Buffer
	closed map[uint32]bool
}

type part struct {
	*bytes.Buffer
	close func()
}

func (p part) Close() error {
	p.close()
	return nil
}

func (p *parts) Create(_, _ string, number uint32) (io.WriteCloser, error) {
	if p.text == nil {
		p.text, p.closed = map[uint32]*bytes.Buffer{}, map[uint32]bool{}
	}
	p.text[number] = &bytes.Buffer{}
	return part{p.text[number], func() { p.closed[number] = true }}, nil
}

func (p *parts) joined(t testing.TB) string {
	t.Helper()
	var numbers []uint32
	for n := range p.text {
		if !p.closed[n] {
			t.Errorf("part %d was not closed", n)
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var all bytes.Buffer
	for _, n := range numbers {
		all.Write(p.text[n].Bytes())
	}
	return all.String()
}

// render writes events as one page.
func render(t testing.TB, events []*transcriptv1.Event) string {
	t.Helper()
	var out parts
	session := open(t, &out)
	for i, ev := range events {
		if err := session.Event(ev); err != nil {
			t.Fatalf("event %d: %v", i, err)
		}
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	return out.joined(t)
}

func open(t testing.TB, out sinks.Artifacts) sinks.Renderer {
	t.Helper()
	session, err := html.Sink{}.Open(t.Context(), &sinks.Request{BaseName: "c"}, out)
	if err != nil {
		t.Fatal(err)
	}
	return session.(sinks.Renderer)
}

func begin(h *transcriptv1.Header) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: h}}
}

func end(f *transcriptv1.Footer) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_End{End: f}}
}

func step(s *transcriptv1.Step) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: s}}
}

func note(n *transcriptv1.Note) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: n}}
}

// conversation wraps steps in a conversation with nothing else to it.
func conversation(steps ...*transcriptv1.Step) []*transcriptv1.Event {
	events := []*transcriptv1.Event{begin(&transcriptv1.Header{ConversationId: "c"})}
	for _, s := range steps {
		events = append(events, step(s))
	}
	return append(events, end(&transcriptv1.Footer{Steps: uint32(len(steps))}))
}

func markdown(text string) *transcriptv1.Block {
	return &transcriptv1.Block{Kind: "markdown", Text: text, Detail: &transcriptv1.Block_Markdown{Markdown: &transcriptv1.Markdown{}}}
}

func plain(text string) *transcriptv1.Block {
	return &transcriptv1.Block{Kind: "text", Text: text, Detail: &transcriptv1.Block_Plain{Plain: &transcriptv1.Text{}}}
}

func code(label, language, text string) *transcriptv1.Block {
	return &transcriptv1.Block{
		Kind: "code", Label: label, Text: text,
		Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{Language: language}},
	}
}

const second = int64(1e9)

// at is a moment of the made-up conversation.
func at(seconds int64) *int64 { return proto.Int64(1_790_000_000*second + seconds*second) }
