package lineage_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	"agy-reader/host/lineage"
	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// outline is a sink that keeps the shape of a document: a line an event, indented by nesting.
type outline struct {
	nested   bool
	sessions []*outlined
}

type outlined struct {
	name  string
	lines []string
	depth int
	// footers are those of all trajectories, the outermost last.
	footers []*transcriptv1.Footer
	headers []*transcriptv1.Header
	w       io.WriteCloser
}

func (o *outline) Describe() sinks.Info {
	return sinks.Info{Name: "outline", Suffix: ".outline", MediaType: "text/plain", Needs: sinks.Needs{Blocks: true, Nested: o.nested}}
}

func (o *outline) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	w, err := out.Create(req.BaseName+".outline", "text/plain", 0)
	s := &outlined{name: req.BaseName, w: w}
	o.sessions = append(o.sessions, s)
	return s, err
}

func (s *outlined) Event(ev *transcriptv1.Event) error {
	switch body := ev.Body.(type) {
	case *transcriptv1.Event_Begin:
		h := body.Begin
		s.headers = append(s.headers, proto.CloneOf(h))
		s.line("begin %s depth %d%s", short(h.ConversationId), h.Depth, behind(" behind ", h.ParentAnchor))
		s.depth++
	case *transcriptv1.Event_Step:
		st := body.Step
		links := ""
		for _, c := range st.Children {
			links += fmt.Sprintf(" [%s %s%s]", short(c.ConversationId), c.State, behind(" ", c.Href))
		}
		s.line("%s %s%s%s", st.Anchor, st.Kind, links, behind(" continues ", st.ContinuesAnchor))
	case *transcriptv1.Event_Note:
		s.line("note %s%s: %s", body.Note.Kind, behind(" at ", body.Note.Anchor), body.Note.Text)
	case *transcriptv1.Event_End:
		s.footers = append(s.footers, proto.CloneOf(body.End))
		s.depth--
		s.line("end %s", body.End.Completeness)
	}
	return nil
}

func (s *outlined) line(format string, args ...any) {
	s.lines = append(s.lines, strings.Repeat("  ", s.depth)+fmt.Sprintf(format, args...))
}

func (s *outlined) Close() error { return s.w.Close() }
func (s *outlined) Abort()       {}

// text is the outline without what the test does not look at.
func (s *outlined) text() string { return "\n" + strings.Join(s.lines, "\n") + "\n" }

func behind(word, value string) string {
	if value == "" {
		return ""
	}
	return word + value
}

// id makes a conversation id of a letter; short is the way back.
func id(letter string) string { return strings.Repeat(letter, 8) + "-0000-4000-8000-000000000000" }

func short(conversation string) string {
	if len(conversation) > 8 && strings.Count(conversation, conversation[:1]) >= 8 {
		return strings.ToUpper(conversation[:1])
	}
	return conversation
}

// family is a Family over the databases of a store.
func family(root string, change ...func(*lineage.Options)) *lineage.Family {
	opt := lineage.Options{
		Sessions: func() ([]store.Session, error) { return store.All([]store.Root{{Path: root, Surface: "cli"}}, false) },
		Source:   func(store.Session) (sources.Source, error) { return sqlite.New(), nil },
	}
	for _, f := range change {
		f(&opt)
	}
	return lineage.New(opt)
}

// convertOne converts one conversation of a store and returns what the sink saw and what was published.
func convertOne(t *testing.T, root, conversation string, change ...func(*convert.Job)) (*outline, *convert.Result) {
	t.Helper()
	sink, result, err := tryConvert(t, root, conversation, change...)
	if err != nil {
		t.Fatal(err)
	}
	return sink, result
}

func tryConvert(t *testing.T, root, conversation string, change ...func(*convert.Job)) (*outline, *convert.Result, error) {
	t.Helper()
	sink := &outline{nested: true}
	out, err := artifact.Open(t.TempDir(), artifact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	job := convert.Job{
		Source: sqlite.New(), Targets: []convert.Target{{Sink: sink}}, Out: out,
		Subagents: convert.SubagentsInline, Family: family(root),
	}
	find := store.NewFinder([]store.Root{{Path: root, Surface: "cli"}})
	session, err := find.Find(conversation)
	if err != nil {
		t.Fatal(err)
	}
	job.Ref = session.Ref()
	for _, f := range change {
		f(&job)
	}
	result, err := convert.Run(t.Context(), job)
	return sink, result, err
}
