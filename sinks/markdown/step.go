package markdown

import (
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendStep appends a step from the words of its heading on; the `#` before them are the session's.
func (st style) appendStep(dst []byte, s *transcriptv1.Step) []byte {
	dst = present.AppendStepNumber(dst, s)
	dst = append(dst, present.Separator...)
	heading := present.StepHeading(s)
	dst = appendText(dst, heading.Title)
	switch detail := present.Clip(heading.Detail, summaryLimit); {
	case detail == "":
	case heading.Verbatim:
		dst = appendSpan(append(dst, present.Separator...), detail)
	default:
		dst = appendText(append(dst, present.Separator...), detail)
	}
	dst = append(dst, "\n\n"...)
	dst = st.appendStepFacts(dst, s, commandOf(s))
	dst = appendStarted(dst, s)
	dst = st.appendBlocks(dst, s.GetBlocks(), s.GetRole())
	if len(s.GetBlocks()) == 0 && s.GetCall() != nil {
		dst = appendCall(dst, s.GetCall())
	}
	if reason := s.GetCall().GetInvalidJson(); reason != "" {
		dst = append(dst, "**"+present.NotJSON+":** "...)
		dst = append(appendText(dst, reason), "\n\n"...)
	}
	if len(s.GetUnknown()) > 0 {
		dst = append(dst, "**Unknown fields:** "...)
		dst = append(appendUnknown(dst, s.GetUnknown()), "\n\n"...)
	}
	return dst
}

// commandOf returns the first command of a step, or nil.
func commandOf(s *transcriptv1.Step) *transcriptv1.Command {
	for _, b := range s.GetBlocks() {
		if c := b.GetCommand(); c != nil {
			return c
		}
	}
	return nil
}

// appendStepFacts appends one line of facts; it begins with the time, so that no other text begins the line.
func (st style) appendStepFacts(dst []byte, s *transcriptv1.Step, command *transcriptv1.Command) []byte {
	switch at := present.Started(s); {
	case at == nil:
		dst = append(dst, "Time "+present.NotRecorded...)
	case s.GetRole() == transcriptv1.Role_ROLE_USER:
		dst = present.AppendTime(dst, at, st.zone)
	default:
		dst = present.AppendClock(dst, at, st.zone)
	}
	if status := present.Status(s.GetStatus()); status != "" {
		dst = appendStrong(append(dst, present.Separator...), status)
	}
	if name := s.GetCall().GetName(); name != "" {
		dst = appendSpan(append(dst, present.Separator...), name)
	}
	if command != nil {
		dst = appendCommandFacts(dst, command)
	}
	if took, known := present.Took(s); known {
		dst = present.AppendDuration(append(dst, present.Separator...), took)
	}
	if s.GetModel() != "" {
		dst = appendText(append(dst, present.Separator...), s.GetModel())
	}
	dst = appendUsageFact(dst, "", s.GetUsage())
	for _, extra := range s.GetExtraUsage() {
		dst = appendUsageFact(dst, present.FurtherCall+": ", extra)
	}
	dst = appendRelations(dst, s)
	return append(dst, "\n\n"...)
}

func appendUsageFact(dst []byte, words string, u *transcriptv1.Usage) []byte {
	if u == nil {
		return dst
	}
	dst = append(append(dst, present.Separator...), words...)
	start := len(dst)
	if dst = present.AppendUsage(dst, u); len(dst) == start {
		return append(dst, present.NoTokens...)
	}
	return dst
}

func appendCommandFacts(dst []byte, c *transcriptv1.Command) []byte {
	for _, fact := range present.CommandFacts(c) {
		dst = append(append(dst, present.Separator...), fact...)
	}
	if c.GetCwd() != "" {
		dst = appendSpan(append(dst, present.Separator+"in "...), present.Path(c.GetCwd()))
	}
	return dst
}

// appendRelations appends how a step hangs together with others.
func appendRelations(dst []byte, s *transcriptv1.Step) []byte {
	if s.GetOrigin() != "" {
		dst = appendText(append(dst, present.Separator+present.FoundIn+" "...), s.GetOrigin())
	}
	if s.GetInherited() {
		dst = append(dst, present.Separator+present.Inherited...)
	}
	if s.GetContinuesAnchor() != "" {
		dst = appendAnchorLink(append(dst, present.Separator+present.Continues+" "...), s.GetContinuesAnchor())
	}
	if s.GetTaskId() != "" {
		dst = appendSpan(append(dst, present.Separator+present.BackgroundTask+" "...), s.GetTaskId())
	}
	if len(s.GetChildren()) > 0 {
		return dst
	}
	for _, id := range s.GetChildConversationIds() {
		dst = appendSpan(append(dst, present.Separator+present.StartsSubagent+" "...), id)
	}
	return dst
}

// appendStarted appends what became of the conversations the step started.
func appendStarted(dst []byte, s *transcriptv1.Step) []byte {
	for _, c := range s.GetChildren() {
		dst = appendChild(append(dst, "- Subagent "...), c.GetConversationId(), c.GetTitle(), c.GetState(), c.GetHref())
		dst = append(dst, '\n')
	}
	if len(s.GetChildren()) > 0 {
		dst = append(dst, '\n')
	}
	return dst
}

// appendChild appends a conversation with its title, its id and what became of it.
func appendChild(dst []byte, id, title, state, href string) []byte {
	link, linked := present.ChildHref(id, state, href, Suffix)
	if linked {
		dst = append(dst, '[')
	}
	name := present.Clip(title, summaryLimit)
	if name != "" {
		dst = appendText(dst, name)
	} else {
		dst = appendSpan(dst, orWord(id, "without id"))
	}
	if linked {
		dst = appendDestination(append(dst, ']'), link)
	}
	if id != "" && name != "" {
		dst = appendSpan(append(dst, ' '), id)
	}
	if words := present.ChildState(state, linked); words != "" {
		dst = appendText(append(dst, ", "...), words)
	}
	return dst
}

// appendUnknown appends what the decoder profile does not know: where it stood and how much it is.
func appendUnknown(dst []byte, fields []*transcriptv1.UnknownField) []byte {
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if f.GetPath() != "" {
			dst = append(appendSpan(dst, f.GetPath()), ' ')
		}
		dst = strconv.AppendUint(append(dst, "field "...), uint64(f.GetNumber()), 10)
		dst = append(present.AppendSize(append(dst, " ("...), uint64(len(f.GetValue()))), ')')
	}
	return dst
}

// appendCall appends a tool call in full.
func appendCall(dst []byte, c *transcriptv1.ToolCall) []byte {
	dst = appendSpan(append(dst, "Call of "...), orWord(c.GetName(), present.UnnamedTool))
	if c.GetId() != "" {
		dst = append(appendSpan(append(dst, " ("...), c.GetId()), ')')
	}
	for _, words := range [...]string{c.GetAction(), c.GetSummary()} {
		if words != "" {
			dst = appendText(append(dst, present.Separator...), words)
		}
	}
	dst = append(dst, ":\n\n"...)
	return appendFence(dst, c.GetArgumentsJson(), "json")
}
