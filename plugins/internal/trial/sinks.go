package trial

import (
	"context"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// Show is a sink that writes every event it sees in full: wire bytes with their length to one artifact, and a line for
// each to a second one, whose first part is written last.
type Show struct{ Needs sinks.Needs }

// All is a Show that asks for everything.
func All() Show {
	return Show{Needs: sinks.Needs{Blocks: true, Native: true, Display: true, Records: true, Nested: true, ManyFiles: true}}
}

var _ sinks.Sink = Show{}

// Describe is the same for every Show but the needs.
func (s Show) Describe() sinks.Info {
	return sinks.Info{
		Name: "show", Summary: "shows all it sees", MediaType: "application/octet-stream", Suffix: ".show", Needs: s.Needs,
		OptionsSchema: []byte(`{"type":"object"}`),
	}
}

// Open writes the request, too.
func (s Show) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	if string(req.Options) == `{"bad":true}` {
		return nil, fmt.Errorf("%w: bad", sinks.ErrOptions)
	}
	main, err := out.Create(req.BaseName+".show", "application/octet-stream", 0)
	if err != nil {
		return nil, err
	}
	session := &showSession{sink: s, req: req, out: out, main: main}
	if s.Needs.ManyFiles {
		session.lines, err = out.Create(req.BaseName+".lines", "text/plain; charset=utf-8", 2)
	}
	return session, err
}

type showSession struct {
	sink        Show
	req         *sinks.Request
	out         sinks.Artifacts
	main, lines io.WriteCloser
	events      int
}

func (s *showSession) Event(ev *transcriptv1.Event) error {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(ev)
	if err != nil {
		return err
	}
	s.events++
	if _, err := fmt.Fprintf(s.main, "%d\n", len(data)); err != nil {
		return err
	}
	if _, err := s.main.Write(data); err != nil {
		return err
	}
	if s.lines == nil {
		return nil
	}
	_, err = fmt.Fprintf(s.lines, "%T %s\n", ev.GetBody(), ev.GetStep().GetAnchor())
	return err
}

func (s *showSession) Close() error {
	if err := s.main.Close(); err != nil || s.lines == nil {
		return err
	}
	if err := s.lines.Close(); err != nil {
		return err
	}
	head, err := s.out.Create(s.req.BaseName+".lines", "text/plain; charset=utf-8", 1)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(head, "%d events, options %s, zone %s, wrappers %t\n",
		s.events, s.req.Options, s.req.TimeZone, s.req.KeepWrappers); err != nil {
		return err
	}
	return head.Close()
}

func (s *showSession) Abort() {}

// Script is a sink made of functions, for tests that need one to misbehave. A nil function does nothing.
type Script struct {
	Info    sinks.Info
	OnOpen  func(ctx context.Context, out sinks.Artifacts) error
	OnEvent func(ev *transcriptv1.Event) error
	OnClose func() error
	OnAbort func()
}

var _ sinks.Sink = (*Script)(nil)

// Describe fills in what the test left out.
func (s *Script) Describe() sinks.Info {
	info := s.Info
	if info.Name == "" {
		info.Name = "script"
	}
	info.MediaType, info.Suffix = "text/plain", ".txt"
	return info
}

// Open makes the script its own session.
func (s *Script) Open(ctx context.Context, _ *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	if s.OnOpen != nil {
		if err := s.OnOpen(ctx, out); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Event runs OnEvent.
func (s *Script) Event(ev *transcriptv1.Event) error {
	if s.OnEvent == nil {
		return nil
	}
	return s.OnEvent(ev)
}

// Close runs OnClose.
func (s *Script) Close() error {
	if s.OnClose == nil {
		return nil
	}
	return s.OnClose()
}

// Abort runs OnAbort.
func (s *Script) Abort() {
	if s.OnAbort != nil {
		s.OnAbort()
	}
}
