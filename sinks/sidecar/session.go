package sidecar

import (
	"fmt"
	"io"
	"slices"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// Parts of the document in the order they stand in it. Sections take the numbers from partSections on, as they appear.
const (
	partSteps    = 0
	partSections = 1
	partOffline  = 1 << 16
	partLists    = partOffline + 1
	partChildren = 1 << 17
	partEnd      = 1 << 20
	maxSections  = partOffline - partSections
)

// session writes one document. Each list grows in its own part, so the source may mix them.
type session struct {
	out    sinks.Artifacts
	name   string
	stored bool

	header *transcriptv1.Header
	footer *transcriptv1.Footer
	// open are the nested trajectories begun and not ended. One that lies whole inside its step is nil here.
	open     []*child
	children uint32

	steps    *list
	sections []*list
	offline  *lists
	buf      []byte
}

// list is one JSON array in a part of its own.
type list struct {
	name  string
	w     io.WriteCloser
	items int
}

func (s *session) create(part uint32) (*list, error) {
	w, err := s.out.Create(s.name, MediaType, part)
	if err != nil {
		return nil, err
	}
	return &list{w: w}, nil
}

func (l *list) write(pieces ...[]byte) error {
	for _, piece := range pieces {
		if _, err := l.w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// item starts one more element on a line of its own.
func (l *list) item() error {
	between := ",\n"
	if l.items == 0 {
		between = "\n"
	}
	l.items++
	return l.write([]byte(between))
}

// end closes the array and its part.
func (l *list) end() error {
	closing := "\n]"
	if l.items == 0 {
		closing = "]"
	}
	if err := l.write([]byte(closing)); err != nil {
		return err
	}
	return l.w.Close()
}

// Event implements sinks.Session.
func (s *session) Event(ev *transcriptv1.Event) error {
	switch body := ev.Body.(type) {
	case *transcriptv1.Event_Begin:
		return s.begin(body.Begin)
	case *transcriptv1.Event_End:
		if len(s.open) > 0 {
			return s.endChild(body.End)
		}
		s.footer = body.End
		return s.finish()
	case *transcriptv1.Event_Note:
		return s.offline.add(s, listNotes, appendNote(nil, body.Note, s.inside()))
	case *transcriptv1.Event_Attachment:
		return s.offline.add(s, listAttachments, appendAttachment(nil, body.Attachment, s.inside()))
	case *transcriptv1.Event_Step:
		var err error
		if s.buf, err = s.Render(s.buf[:0], ev); err != nil {
			return err
		}
		return s.Rendered(ev, s.buf)
	case *transcriptv1.Event_Record:
		return s.record(body.Record)
	}
	return nil
}

// begin writes the trajectory's own members, or begins a nested trajectory.
func (s *session) begin(h *transcriptv1.Header) error {
	if s.header != nil {
		return s.beginChild(h)
	}
	s.header = keepHeader(h)
	members, err := membersOf(h.GetMembersJson())
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	if err := s.steps.write([]byte("{"), members, []byte(`"steps":[`)); err != nil {
		return err
	}
	return s.unknownFields([]byte{'{'}, h.GetUnknown())
}

// Render implements sinks.Renderer: what the step leaves to agyReader.offline, ready to be written.
func (s *session) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	for i, only := range ev.GetStep().GetSourceOnly() {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = appendSourceOnly(appendStepOrigin(dst, ev.GetStep()), only)
	}
	return dst, nil
}

// Rendered implements sinks.Renderer.
func (s *session) Rendered(ev *transcriptv1.Event, sourceOnly []byte) error {
	step, to := ev.GetStep(), s.steps
	if n := len(s.open); n > 0 {
		if s.open[n-1] == nil {
			if len(step.GetUnknown()) == 0 {
				return nil
			}
			// The step lies in another one's JSON, which does not hold what is unknown in it.
			return s.unknownFields(appendStepOrigin(nil, step), step.GetUnknown())
		}
		to = s.open[n-1].steps
	}
	text := step.GetDisplayJson()
	if s.stored {
		text = step.GetNativeJson()
	}
	if len(text) == 0 {
		return fmt.Errorf("%s: step %d carries no JSON", s.name, step.GetIndex())
	}
	if err := to.item(); err != nil {
		return err
	}
	if err := to.write(text); err != nil {
		return err
	}
	if err := s.where(step); err != nil {
		return err
	}
	if len(sourceOnly) > 0 {
		if err := s.offline.add(s, listSourceOnly, sourceOnly); err != nil {
			return err
		}
	}
	if len(step.GetUnknown()) == 0 {
		return nil
	}
	return s.unknownFields(appendStepOrigin(nil, step), step.GetUnknown())
}

// add writes one more element to a list that is only there when it has any.
func (s *session) add(l **list, part uint32, opening string, item []byte) error {
	if *l == nil {
		created, err := s.create(part)
		if err != nil {
			return err
		}
		if err := created.write([]byte(opening)); err != nil {
			return err
		}
		*l = created
	}
	if err := (*l).item(); err != nil {
		return err
	}
	return (*l).write(item)
}

// unknownFields lists fields that the decoder profile does not know. origin begins each element.
func (s *session) unknownFields(origin []byte, fields []*transcriptv1.UnknownField) error {
	for _, f := range fields {
		item := appendUnknown(slices.Clone(origin), f)
		if err := s.offline.add(s, listUnknown, item); err != nil {
			return err
		}
	}
	return nil
}

// record writes one record to its section. Records of nested trajectories lie inside their step.
func (s *session) record(r *transcriptv1.Record) error {
	if len(s.open) > 0 {
		return nil
	}
	var section *list
	for _, l := range s.sections {
		if l.name == r.GetSection() {
			section = l
		}
	}
	at := section
	if at == nil {
		if len(s.sections) == maxSections {
			return fmt.Errorf("%s: more than %d record sections", s.name, maxSections)
		}
		opening := string(appendString([]byte(",\n"), r.GetSection())) + ":["
		if err := s.add(&at, partSections+uint32(len(s.sections)), opening, r.GetJson()); err != nil {
			return err
		}
		at.name = r.GetSection()
		s.sections = append(s.sections, at)
	} else if err := s.add(&at, 0, "", r.GetJson()); err != nil {
		return err
	}
	if len(r.GetUnknown()) == 0 {
		return nil
	}
	return s.unknownFields(appendRecordOrigin(nil, r), r.GetUnknown())
}

// finish ends every list and writes agyReader around the last ones.
func (s *session) finish() error {
	if err := s.steps.end(); err != nil {
		return err
	}
	for _, section := range s.sections {
		if err := section.end(); err != nil {
			return err
		}
	}
	offline, err := s.create(partOffline)
	if err != nil {
		return err
	}
	if err := offline.write(s.appendOffline([]byte(",\n\"agyReader\":{\"offline\":{"))); err != nil {
		return err
	}
	if err := offline.w.Close(); err != nil {
		return err
	}
	if err := s.offline.end(); err != nil {
		return err
	}
	if err := s.endChildren(); err != nil {
		return err
	}
	last, err := s.create(partEnd)
	if err != nil {
		return err
	}
	if err := last.write([]byte("},\n" + `"generator":"agy-reader"}}` + "\n")); err != nil {
		return err
	}
	return last.w.Close()
}

// Close implements sinks.Session. Everything was written with the last event.
func (s *session) Close() error {
	if s.footer == nil {
		return fmt.Errorf("%s: the conversation does not end", s.name)
	}
	return nil
}

// Abort implements sinks.Session.
func (s *session) Abort() {
	all := append([]*list{s.steps}, s.sections...)
	for _, c := range s.open {
		if c != nil {
			all = append(all, c.steps)
		}
	}
	for _, l := range append(all, s.offline.all[:]...) {
		if l != nil {
			_ = l.w.Close() // nothing will be published
		}
	}
}
