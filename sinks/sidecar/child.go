package sidecar

import (
	"fmt"
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// child is a subagent that goes with its parent, while it is being written.
type child struct {
	id    string
	steps *list
}

// maxChildren is how many subagents one document takes.
const maxChildren = partEnd - partChildren - 1

// beginChild begins a nested trajectory. One of the same conversation lies inside its step and is passed over.
func (s *session) beginChild(h *transcriptv1.Header) error {
	if !s.apart(h) {
		s.open = append(s.open, nil)
		return nil
	}
	if s.children == maxChildren {
		return fmt.Errorf("%s: more than %d subagents", s.name, maxChildren)
	}
	steps, err := s.create(partChildren + s.children)
	if err != nil {
		return err
	}
	opening := `,"childTrajectories":[` + "\n{"
	if s.children > 0 {
		opening = ",\n{"
	}
	s.children++
	s.open = append(s.open, &child{id: strings.Clone(h.GetConversationId()), steps: steps})
	dst := append([]byte(opening), `"depth":`...)
	dst = strconv.AppendUint(dst, uint64(h.GetDepth()), 10)
	dst = appendMember(dst, "conversationId", h.GetConversationId())
	dst = appendMember(dst, "parentConversationId", h.GetParentConversationId())
	dst = appendMember(dst, "parentAnchor", h.GetParentAnchor())
	dst = appendMember(dst, "trajectoryType", h.GetTrajectoryType())
	dst = appendMember(dst, "source", h.GetProvenance().GetSource())
	dst = appendMember(dst, "location", h.GetProvenance().GetLocation())
	dst = appendHead(dst, h)
	members, err := membersOf(h.GetMembersJson())
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	if len(members) > 0 {
		// The trajectory's own members stand in an object of their own: two of them may have a name that is ours.
		dst = append(append(dst, `,"members":{`...), members[:len(members)-len(",\n")]...)
		dst = append(dst, '}')
	}
	if err := steps.write(append(dst, `,"steps":[`...)); err != nil {
		return err
	}
	origin := appendMember([]byte(`{"depth":`+strconv.FormatUint(uint64(h.GetDepth()), 10)), "conversation", h.GetConversationId())
	return s.unknownFields(append(origin, ','), h.GetUnknown())
}

// apart reports whether a nested trajectory is no part of the step before it: it is another conversation, or was read
// from elsewhere.
func (s *session) apart(h *transcriptv1.Header) bool {
	around := s.header.GetConversationId()
	if n := len(s.open); n > 0 {
		if s.open[n-1] == nil {
			return false
		}
		around = s.open[n-1].id
	}
	id := h.GetConversationId()
	return id != "" && (id != around && id != h.GetParentConversationId() || h.GetProvenance().GetLocation() != "")
}

// inside is the subagent that is open, or empty.
func (s *session) inside() string {
	if n := len(s.open); n > 0 && s.open[n-1] != nil {
		return s.open[n-1].id
	}
	return ""
}

// endChild ends the innermost nested trajectory.
func (s *session) endChild(f *transcriptv1.Footer) error {
	last := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if last == nil {
		return nil
	}
	closing := []byte("]")
	if last.steps.items > 0 {
		closing = []byte("\n]")
	}
	closing = append(appendFoot(closing, f), '}')
	if err := last.steps.write(closing); err != nil {
		return err
	}
	return last.steps.w.Close()
}

// endChildren ends the list of subagents.
func (s *session) endChildren() error {
	if s.children == 0 {
		return nil
	}
	last, err := s.create(partChildren + s.children)
	if err != nil {
		return err
	}
	if err := last.write([]byte("\n]")); err != nil {
		return err
	}
	return last.w.Close()
}
