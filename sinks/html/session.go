package html

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/present"
)

// Parts of the artifact. The overview is known last and stands first.
const (
	partHead uint32 = iota
	partOverview
	partSteps
)

// session is one page being written. Everything Render needs is in page, which never changes.
type session struct {
	page
	name string
	out  sinks.Artifacts

	header *transcriptv1.Header
	ended  bool
	// open are the trajectories begun and not ended, the conversation itself first.
	open []trajectory
	// sections are the ids of nested conversations written so far.
	sections map[string]bool
	// beside are the attachments of the conversation itself, for the overview.
	beside besideList
	// pictures: the page shows images that lie beside it.
	pictures bool
	steps    io.WriteCloser
	body     *bufio.Writer
	notes    present.NoteRun
	buf      []byte
}

var _ sinks.Renderer = (*session)(nil)

// trajectory is one that was begun and not ended.
type trajectory struct {
	// name is what present.NestedName called it.
	name   string
	beside present.Beside
}

// Render implements sinks.Renderer. The start and the end of a trajectory and attachments depend on what came before, so
// their text is empty here and written in order.
func (s *session) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Step:
		return s.appendStep(dst, body.Step), nil
	case *transcriptv1.Event_Note:
		return s.appendNote(dst, body.Note), nil
	case *transcriptv1.Event_Begin, *transcriptv1.Event_End, *transcriptv1.Event_Record, *transcriptv1.Event_Attachment:
		return dst, nil
	}
	return appendUnknownEvent(dst), nil
}

// Event implements sinks.Session.
func (s *session) Event(ev *transcriptv1.Event) error {
	out, err := s.Render(s.buf[:0], ev)
	if err != nil {
		return err
	}
	s.buf = out
	return s.Rendered(ev, out)
}

// Rendered implements sinks.Renderer.
func (s *session) Rendered(ev *transcriptv1.Event, out []byte) error {
	if listed, err := s.list(ev); listed || err != nil {
		return err
	}
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Begin:
		return s.begin(body.Begin)
	case *transcriptv1.Event_End:
		return s.end(body.End)
	}
	if len(s.open) == 0 {
		return errors.New("html: the stream has content outside of a trajectory")
	}
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Step:
		s.open[len(s.open)-1].beside.Next(ev)
		s.pictures = s.pictures || linksPictures(body.Step.GetBlocks())
	case *transcriptv1.Event_Attachment:
		s.pictures = s.pictures || linksPictures(body.Attachment.GetBlocks())
		s.buf = s.attach(s.buf[:0], ev, body.Attachment)
		return s.write(s.buf)
	}
	return s.write(out)
}

// list writes an event that is one of very many notes, and the end of their list before any other.
func (s *session) list(ev *transcriptv1.Event) (listed bool, err error) {
	if len(s.open) == 0 {
		return false, nil
	}
	begins, listed, ends := s.notes.Next(ev)
	if ends {
		err = s.write(appendNoteListEnd(nil))
	}
	if listed && err == nil {
		err = s.write(s.appendListedNote(nil, ev.GetNote(), begins))
	}
	return listed, err
}

// Close implements sinks.Session. Everything was written at the end of the conversation.
func (s *session) Close() error {
	if !s.ended {
		return errors.New("html: the stream ended before the conversation did")
	}
	return nil
}

// Abort implements sinks.Session.
func (s *session) Abort() {
	if s.steps != nil {
		_ = s.steps.Close()
	}
}

func (s *session) begin(h *transcriptv1.Header) error {
	switch {
	case s.ended:
		return errors.New("html: a trajectory starts after the conversation ended")
	case len(s.open) > 0:
		s.open = append(s.open, trajectory{name: strings.Clone(present.NestedName(h))})
		return s.write(s.appendNestedBegin(nil, h, s.section(h)))
	}
	s.open = append(s.open, trajectory{})
	var err error
	if s.header, err = keep(h); err != nil {
		return err
	}
	steps, err := s.out.Create(s.name, mediaType, partSteps)
	if err != nil {
		return s.failed(err)
	}
	s.steps, s.body = steps, bufio.NewWriterSize(steps, 64<<10)
	return nil
}

func (s *session) end(f *transcriptv1.Footer) error {
	if len(s.open) == 0 {
		return errors.New("html: a trajectory ends that never started")
	}
	last := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if len(s.open) > 0 {
		return s.write(s.appendNestedEnd(nil, last.name, f))
	}
	s.ended = true
	return s.finish(f)
}

// finish writes what stands behind the steps and before them. The footer of a long conversation is large, so it is not kept
// until Close.
func (s *session) finish(f *transcriptv1.Footer) error {
	state := present.StateOf(f)
	if err := s.write(s.appendFoot(nil, s.header, f, state)); err != nil {
		return err
	}
	if err := s.body.Flush(); err != nil {
		return s.failed(err)
	}
	if err := s.steps.Close(); err != nil {
		return s.failed(err)
	}
	err := s.part(partHead, func(*present.Long) []byte { return s.appendHead(nil, s.header, s.pictures) })
	if err != nil {
		return err
	}
	return s.part(partOverview, func(out *present.Long) []byte {
		return s.appendOverview(nil, s.header, f, state, &s.beside, out)
	})
}

// section is the id of a nested conversation's section, or empty when it has none or another section has it.
func (s *session) section(h *transcriptv1.Header) string {
	id := present.NestedAnchor(h)
	if id == "" || s.sections[id] {
		return ""
	}
	if s.sections == nil {
		s.sections = map[string]bool{}
	}
	id = strings.Clone(id)
	s.sections[id] = true
	return id
}

// keep copies a message together with the memory of its strings, which a clone would share with the event.
func keep[M proto.Message](m M) (M, error) {
	kept := m.ProtoReflect().New().Interface().(M)
	encoded, err := proto.Marshal(m)
	if err == nil {
		err = proto.Unmarshal(encoded, kept)
	}
	if err != nil {
		return kept, fmt.Errorf("html: keep %s: %w", m.ProtoReflect().Descriptor().Name(), err)
	}
	return kept, nil
}

func (s *session) write(text []byte) error {
	if _, err := s.body.Write(text); err != nil {
		return s.failed(err)
	}
	return nil
}

// part writes a part: what text passes to out, and what it returns.
func (s *session) part(number uint32, text func(out *present.Long) []byte) error {
	w, err := s.out.Create(s.name, mediaType, number)
	if err != nil {
		return s.failed(err)
	}
	out := &present.Long{Out: w}
	out.Flush(text(out))
	if out.Err != nil {
		return s.failed(errors.Join(out.Err, w.Close()))
	}
	if err := w.Close(); err != nil {
		return s.failed(err)
	}
	return nil
}

func (s *session) failed(err error) error {
	return fmt.Errorf("html: write %s: %w: %w", s.name, sinks.ErrOutput, err)
}
