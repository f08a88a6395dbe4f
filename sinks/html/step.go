package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendStep appends one step as an article. It depends on nothing but the step.
func (p page) appendStep(dst []byte, s *transcriptv1.Step) []byte {
	dst = append(dst, `<article class="step `...)
	dst = append(dst, roleClass(s.GetRole())...)
	if present.Failed(s.GetStatus()) {
		dst = append(dst, " failed"...)
	}
	dst = append(dst, `" id="`...)
	dst = appendAttr(dst, present.Anchor(s.GetAnchor()))
	dst = append(dst, "\">\n<header>\n"...)
	level := stepLevel(s.GetAnchor())
	dst = openHeading(dst, level)
	dst = appendStepLink(dst, s)
	dst = append(dst, ' ')
	heading := present.StepHeading(s)
	dst = appendText(dst, heading.Title)
	dst = closeHeading(dst, level)
	if heading.Detail != "" {
		class := `<p class="sum" dir="auto">`
		if heading.Verbatim {
			class = `<p class="sum code">`
		}
		dst = append(dst, class...)
		dst = appendText(dst, heading.Detail)
		dst = append(dst, "</p>\n"...)
	}
	dst = p.appendMeta(dst, s)
	dst = append(dst, "</header>\n"...)
	dst = appendRelations(dst, s)
	dst = appendStarted(dst, s.GetChildren())
	dst = appendBlocks(dst, s.GetBlocks(), s.GetRole())
	dst = appendCall(dst, s.GetCall())
	dst = appendUnknown(dst, s.GetUnknown())
	return append(dst, "</article>\n"...)
}

// roleClass is part of a class attribute and therefore one of our own words.
func roleClass(r transcriptv1.Role) string {
	switch r {
	case transcriptv1.Role_ROLE_USER:
		return "user"
	case transcriptv1.Role_ROLE_ASSISTANT:
		return "assistant"
	case transcriptv1.Role_ROLE_TOOL:
		return "tool"
	default:
		return "system"
	}
}

func appendStepLink(dst []byte, s *transcriptv1.Step) []byte {
	dst = append(dst, `<a class="no" href="#`...)
	dst = appendAttr(dst, present.Anchor(s.GetAnchor()))
	dst = append(dst, `">`...)
	dst = present.AppendStepNumber(dst, s)
	return append(dst, "</a>"...)
}

// appendMeta appends the line of chips and facts below the heading.
func (p page) appendMeta(dst []byte, s *transcriptv1.Step) []byte {
	dst = append(dst, "<ul class=\"meta\">\n"...)
	if status := present.Status(s.GetStatus()); status != "" {
		class := "warn"
		switch {
		case present.Failed(s.GetStatus()):
			class = "bad"
		case s.GetStatus() == "CLEARED":
			class = "quiet"
		}
		dst = appendChip(dst, class, status)
	}
	for _, b := range s.GetBlocks() {
		if c := b.GetCommand(); c != nil {
			dst = appendCommandChips(dst, c)
		}
	}
	if s.GetOrigin() != "" {
		dst = appendChip(dst, "quiet", present.FoundIn+" "+s.GetOrigin())
	}
	if s.GetInherited() {
		dst = appendChip(dst, "quiet", present.Inherited)
	}
	dst = p.appendTimeItem(dst, present.Started(s), s.GetRole() == transcriptv1.Role_ROLE_USER)
	if took, known := present.Took(s); known {
		dst = appendItem(dst, present.Duration(took))
	}
	dst = appendItem(dst, s.GetModel())
	if s.GetUsage() != nil {
		dst = appendUsage(dst, "Tokens", s.GetUsage())
	}
	for _, u := range s.GetExtraUsage() {
		dst = appendUsage(dst, present.FurtherCall, u)
	}
	return append(dst, "</ul>\n"...)
}

func appendUsage(dst []byte, label string, u *transcriptv1.Usage) []byte {
	dst = append(append(dst, `<li><span class="name">`...), label...)
	dst = append(dst, "</span> "...)
	if line := present.AppendUsage(nil, u); len(line) > 0 {
		dst = append(dst, line...)
	} else {
		dst = append(dst, present.NotRecorded...)
	}
	return append(dst, "</li>\n"...)
}

func (p page) appendTimeItem(dst []byte, ns *int64, full bool) []byte {
	if !present.Recorded(ns) {
		return append(dst, "<li>time not recorded</li>\n"...)
	}
	dst = append(dst, `<li><time datetime="`...)
	dst = append(dst, present.MachineTime(ns)...)
	if !full {
		dst = append(dst, `" title="`...)
		dst = appendAttr(dst, present.Time(ns, p.zone))
	}
	dst = append(dst, `">`...)
	if full {
		dst = appendText(dst, present.Time(ns, p.zone))
	} else {
		dst = present.AppendClock(dst, ns, p.zone)
	}
	return append(dst, "</time></li>\n"...)
}

// appendItem appends one fact; an empty one is left out.
func appendItem(dst []byte, text string) []byte {
	if text == "" {
		return dst
	}
	dst = append(dst, "<li>"...)
	dst = appendText(dst, text)
	return append(dst, "</li>\n"...)
}

// appendChip appends a fact that must be noticed. class is one of quiet, good, warn, bad.
func appendChip(dst []byte, class, text string) []byte {
	dst = append(append(dst, `<li><span class="chip `...), class...)
	dst = append(dst, `">`...)
	dst = appendText(dst, text)
	return append(dst, "</span></li>\n"...)
}

// appendRelations appends what ties a step to other steps, tasks and conversations.
func appendRelations(dst []byte, s *transcriptv1.Step) []byte {
	if to := s.GetContinuesAnchor(); to != "" {
		dst = append(dst, `<p class="hint">`+present.Continues+` `...)
		dst = appendAnchorLink(dst, to)
		dst = append(dst, "</p>\n"...)
	}
	if id := s.GetTaskId(); id != "" {
		dst = append(dst, `<p class="hint">`+present.BackgroundTask+` <code>`...)
		dst = appendText(dst, id)
		dst = append(dst, "</code></p>\n"...)
	}
	if len(s.GetChildren()) > 0 {
		return dst
	}
	for _, id := range s.GetChildConversationIds() {
		dst = append(dst, `<p class="hint">`+present.StartsSubagent+` <code>`...)
		dst = appendText(dst, id)
		dst = append(dst, "</code></p>\n"...)
	}
	return dst
}

// appendStarted appends what became of the conversations a step started.
func appendStarted(dst []byte, children []*transcriptv1.ChildLink) []byte {
	if len(children) == 0 {
		return dst
	}
	dst = append(dst, "<ul class=\"started\">\n"...)
	for _, c := range children {
		dst = append(dst, "<li>"...)
		dst = appendChild(dst, c.GetConversationId(), c.GetTitle(), c.GetState(), c.GetHref())
		dst = append(dst, "</li>\n"...)
	}
	return append(dst, "</ul>\n"...)
}

// appendChild appends a conversation with its title, its id and what became of it.
func appendChild(dst []byte, id, title, state, href string) []byte {
	dst = append(dst, "Subagent "...)
	link, linked := present.ChildHref(id, state, href, suffix)
	if linked {
		dst = append(dst, `<a href="`...)
		dst = appendAttr(dst, link)
		dst = append(dst, `">`...)
	}
	title = present.Clip(title, promptLength)
	dst = appendText(dst, orWord(title, orWord(id, "without id")))
	if linked {
		dst = append(dst, "</a>"...)
	}
	if title != "" && id != "" {
		dst = append(dst, " <code>"...)
		dst = append(appendText(dst, id), "</code>"...)
	}
	if words := present.ChildState(state, linked); words != "" {
		dst = append(dst, ` <span class="dim">`...)
		dst = append(appendText(dst, words), "</span>"...)
	}
	return dst
}

// appendAnchorLink links to a step; the text is the step's number.
func appendAnchorLink(dst []byte, anchor string) []byte {
	dst = append(dst, `<a href="#`...)
	dst = appendAttr(dst, present.Anchor(anchor))
	dst = append(dst, `">`...)
	dst = appendText(dst, present.StepName(anchor))
	return append(dst, "</a>"...)
}
