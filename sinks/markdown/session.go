package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/present"
)

// Parts of the artifact.
const (
	partHead  = 0
	partSteps = 1
)

// flushAt is how much is collected before it is written.
const flushAt = 64 << 10

// session writes one conversation. It keeps of the events only the head's text, so memory does not grow with the steps.
type session struct {
	style
	name   string
	notice string
	out    sinks.Artifacts
	body   io.WriteCloser
	buf    []byte
	// head is the text of part 0, facts the list in it as far as the header knows it.
	head, facts []byte
	// open are the trajectories begun and not ended, outermost first.
	open  []trajectory
	ended bool
	notes present.NoteRun
}

// trajectory is what its end must repeat.
type trajectory struct {
	name   string
	beside present.Beside
}

// Event takes the next event.
func (s *session) Event(ev *transcriptv1.Event) error {
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Begin:
		s.list(ev)
		return s.begin(body.Begin)
	case *transcriptv1.Event_End:
		s.list(ev)
		return s.end(body.End)
	}
	start := len(s.buf)
	level, err := s.level(ev)
	if err != nil {
		return err
	}
	if s.list(ev) {
		return s.flush(flushAt)
	}
	s.buf = s.appendEvent(s.appendOpening(s.buf, ev, level), ev)
	if len(s.buf) == start {
		return nil
	}
	return s.flush(flushAt)
}

// Render appends the text of a step, note or attachment, without what stands before its heading's words: that depends on
// how deep the trajectory is nested. Other events have no text of their own yet.
func (s *session) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	return s.appendEvent(dst, ev), nil
}

// Rendered writes what Render made.
func (s *session) Rendered(ev *transcriptv1.Event, out []byte) error {
	switch ev.GetBody().(type) {
	case *transcriptv1.Event_Begin, *transcriptv1.Event_End:
		return s.Event(ev)
	}
	level, err := s.level(ev)
	if err != nil {
		return err
	}
	if s.list(ev) {
		return s.flush(flushAt)
	}
	s.buf = s.appendOpening(s.buf, ev, level)
	if len(out) < flushAt {
		s.buf = append(s.buf, out...)
		return s.flush(flushAt)
	}
	if err := s.flush(0); err != nil {
		return err
	}
	return s.write(out)
}

// level is the heading level of a step now, and refuses events outside of a trajectory.
func (s *session) level(ev *transcriptv1.Event) (int, error) {
	if len(s.open) == 0 {
		return 0, fmt.Errorf("markdown: %T outside of a trajectory", ev.GetBody())
	}
	return min(2*len(s.open), 6), nil
}

// list collects an event that is one of very many notes, and the end of their list before any other.
func (s *session) list(ev *transcriptv1.Event) (listed bool) {
	begins, listed, ends := s.notes.Next(ev)
	if ends {
		s.buf = append(s.buf, '\n')
	}
	if begins {
		s.buf = append(appendStrong(s.buf, present.NoteTitle(ev.GetNote())+": "+present.ManyNotes), "\n\n"...)
	}
	if listed {
		s.buf = append(appendSpan(append(s.buf, "- "...), present.NoteLine(ev.GetNote())), '\n')
	}
	return listed
}

// appendOpening appends what stands before the words of a heading: the anchor, so that outlines show the words only, and
// a rule where a prompt begins a new turn of the conversation.
func (s *session) appendOpening(dst []byte, ev *transcriptv1.Event, level int) []byte {
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Step:
		s.open[len(s.open)-1].beside.Next(ev)
		if len(s.open) == 1 && body.Step.GetRole() == transcriptv1.Role_ROLE_USER {
			dst = append(dst, "---\n\n"...)
		}
		if anchor := present.Anchor(body.Step.GetAnchor()); anchor != "" {
			dst = append(dst, `<a id="`...)
			dst = append(dst, anchor...)
			dst = append(dst, "\"></a>\n\n"...)
		}
	case *transcriptv1.Event_Attachment:
		last := &s.open[len(s.open)-1]
		begins, group, ofStep := last.beside.Next(ev)
		if begins {
			dst = append(append(appendRun(dst, '#', level), ' '), present.BesideSteps+"\n\n"...)
		}
		level = min(level+1, 6)
		if group {
			dst = append(appendRun(dst, '#', level), ' ')
			dst = append(appendText(dst, orWord(present.Clip(present.AttachmentKinds(body.Attachment.GetKind()), titleLimit), "Attachments")), "\n\n"...)
		}
		if !ofStep {
			level = min(level+1, 6)
		}
	default:
		return dst
	}
	return append(appendRun(dst, '#', level), ' ')
}

// appendEvent is Render.
func (s *session) appendEvent(dst []byte, ev *transcriptv1.Event) []byte {
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Step:
		return s.appendStep(dst, body.Step)
	case *transcriptv1.Event_Note:
		return s.appendNote(dst, body.Note)
	case *transcriptv1.Event_Attachment:
		return s.appendAttachment(dst, body.Attachment)
	}
	return dst
}

func (s *session) begin(h *transcriptv1.Header) error {
	if s.ended {
		return errors.New("markdown: a trajectory begins after the end")
	}
	if len(s.open) == 0 {
		s.head = appendTitle(s.head, h)
		if s.notice != "" {
			s.head = append(appendText(append(s.head, "**Notice:** "...), s.notice), "\n\n"...)
		}
		s.facts = s.appendHeader(s.facts, h)
		s.open = append(s.open, trajectory{})
		return nil
	}
	level := min(2*len(s.open)+1, 6)
	s.open = append(s.open, trajectory{name: strings.Clone(present.NestedName(h))})
	if anchor := present.NestedAnchor(h); anchor != "" {
		s.buf = append(append(append(s.buf, `<a id="`...), anchor...), "\"></a>\n\n"...)
	}
	s.buf = append(appendRun(s.buf, '#', level), ' ')
	s.buf = append(appendText(s.buf, present.NestedTitle(h, titleLimit)), "\n\n"...)
	s.buf = append(s.appendNestedHeader(s.buf, h), '\n')
	return s.flush(flushAt)
}

func (s *session) end(f *transcriptv1.Footer) error {
	if len(s.open) == 0 {
		return errors.New("markdown: an end without a begin")
	}
	last := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if len(s.open) > 0 {
		s.buf = append(appendStrong(s.buf, present.NestedEnd(last.name, f)), "\n\n"...)
		return s.flush(flushAt)
	}
	s.ended = true
	rest := &present.Long{Out: s.body}
	s.buf = append(bytes.TrimRight(s.appendFooter(s.buf, f, rest), "\n"), '\n')
	if s.buf = rest.Flush(s.buf); rest.Err != nil {
		return fmt.Errorf("write %s: %w", s.name, rest.Err)
	}
	return s.finish(f)
}

// finish writes the head. The footer of a long conversation is large, so it is not kept until Close.
func (s *session) finish(f *transcriptv1.Footer) error {
	if err := s.body.Close(); err != nil {
		return fmt.Errorf("close %s: %w", s.name, err)
	}
	head, err := s.out.Create(s.name, MediaType, partHead)
	if err != nil {
		return err // it names the artifact
	}
	out := &present.Long{Out: head}
	s.head = append(s.appendTotals(append(s.head, s.facts...), f), '\n')
	s.head = out.Flush(appendPrompts(s.head, f, out))
	if out.Err != nil {
		return errors.Join(fmt.Errorf("write the head of %s: %w", s.name, out.Err), head.Close())
	}
	if err := head.Close(); err != nil {
		return fmt.Errorf("close the head of %s: %w", s.name, err)
	}
	return nil
}

// Close does nothing: everything was written at the end of the conversation.
func (s *session) Close() error {
	if !s.ended {
		return errors.New("markdown: the conversation has no end")
	}
	return nil
}

// Abort drops everything.
func (s *session) Abort() {
	_ = s.body.Close() // the host publishes nothing after Abort
}

// flush writes what was collected when it is more than limit.
func (s *session) flush(limit int) error {
	if len(s.buf) <= limit {
		return nil
	}
	err := s.write(s.buf)
	s.buf = s.buf[:0]
	return err
}

func (s *session) write(p []byte) error {
	if _, err := s.body.Write(p); err != nil {
		return fmt.Errorf("write %s: %w", s.name, err)
	}
	return nil
}
