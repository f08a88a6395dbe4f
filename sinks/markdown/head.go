package markdown

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// titleLimit and summaryLimit are how many characters of a one-line text a heading takes.
const (
	titleLimit   = 120
	summaryLimit = 100
)

func appendTitle(dst []byte, h *transcriptv1.Header) []byte {
	dst = append(dst, "# "...)
	if title := h.GetTitle().GetValue(); title != "" {
		dst = appendText(dst, present.Clip(title, titleLimit))
	} else {
		dst = append(dst, "Conversation "...)
		dst = appendText(dst, h.GetConversationId())
	}
	return append(dst, "\n\n"...)
}

// appendHeader appends the facts list of the conversation; what is not recorded is stated.
func (st style) appendHeader(dst []byte, h *transcriptv1.Header) []byte {
	dst = appendIdentity(dst, h)
	if origin := h.GetTitle().GetOrigin(); h.GetTitle().GetValue() != "" && origin != "" {
		dst = appendTextFact(dst, "Title from", origin)
	}
	dst = appendProject(appendFact(dst, "Project"), h)
	dst = appendTextFact(dst, "Product", present.Surface(h.GetSurface()))
	dst = st.appendTimes(dst, h)
	dst = appendResume(dst, h)
	dst = appendReferences(dst, h)
	dst = appendProvenance(dst, h.GetProvenance())
	return appendHeaderUnknown(dst, h)
}

// appendNestedHeader appends the facts list of a nested trajectory: only what is known and is not its parent's.
func (st style) appendNestedHeader(dst []byte, h *transcriptv1.Header) []byte {
	dst = appendIdentity(dst, h)
	if h.GetParentAnchor() != "" {
		dst = appendAnchorLink(appendFact(dst, "Started in"), h.GetParentAnchor())
		dst = append(dst, '\n')
	}
	if h.GetProject().GetValue() != "" {
		dst = appendProject(appendFact(dst, "Project"), h)
	}
	if present.Recorded(h.CreatedNs) {
		dst = st.appendTimes(dst, h)
	}
	dst = appendResume(dst, h)
	if h.GetProvenance().GetLocation() != "" {
		dst = appendProvenance(dst, h.GetProvenance())
	}
	return appendHeaderUnknown(appendReferences(dst, h), h)
}

func appendIdentity(dst []byte, h *transcriptv1.Header) []byte {
	if h.GetDepth() == 0 || h.GetConversationId() != h.GetParentConversationId() {
		dst = appendIDFact(dst, "Conversation", h.GetConversationId())
	}
	if id := h.GetTrajectoryId(); id != "" && id != h.GetConversationId() {
		dst = appendIDFact(dst, "Trajectory", id)
	}
	if id := h.GetParentConversationId(); id != "" && id != h.GetConversationId() {
		dst = appendSpan(appendFact(dst, "Parent conversation"), id)
		if href, safe := present.DocumentHref(h.GetParentHref(), Suffix); safe {
			dst = appendDestination(append(dst, present.Separator+"[its document]"...), href)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendResume appends the command that goes on with the conversation, ready to be copied.
func appendResume(dst []byte, h *transcriptv1.Header) []byte {
	if h.GetResumeCommand() == "" {
		return dst
	}
	return append(appendSpan(appendFact(dst, "Go on with it"), h.GetResumeCommand()), '\n')
}

// appendOrigin appends where a value was found, in parentheses; nothing where it was not.
func appendOrigin(dst []byte, origin string) []byte {
	if origin == "" || origin == present.NotRecorded {
		return dst
	}
	return append(appendText(append(dst, " ("...), origin), ')')
}

func (st style) appendTimes(dst []byte, h *transcriptv1.Header) []byte {
	dst = present.AppendTime(appendFact(dst, "Started"), h.CreatedNs, st.zone)
	dst = append(appendOrigin(dst, h.GetCreatedOrigin()), '\n')
	if present.Recorded(h.UpdatedNs) {
		dst = present.AppendTime(appendFact(dst, "Last change"), h.UpdatedNs, st.zone)
		dst = append(appendOrigin(dst, h.GetUpdatedOrigin()), '\n')
	}
	return dst
}

func appendHeaderUnknown(dst []byte, h *transcriptv1.Header) []byte {
	if len(h.GetUnknown()) == 0 {
		return dst
	}
	return append(appendUnknown(appendFact(dst, "Unknown fields of the trajectory"), h.GetUnknown()), '\n')
}

func appendProject(dst []byte, h *transcriptv1.Header) []byte {
	switch project := h.GetProject(); {
	case project.GetValue() != "":
		dst = appendLink(dst, present.Path(project.GetValue()), project.GetValue())
		dst = appendOrigin(dst, project.GetOrigin())
	case len(h.GetWorkspaceUris()) > 0:
		for i, uri := range h.GetWorkspaceUris() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendLink(dst, present.Path(uri), uri)
		}
	default:
		dst = appendOrigin(append(dst, present.NotRecorded...), h.GetProject().GetOrigin())
	}
	return append(dst, '\n')
}

// appendReferences appends where the trajectory was cut or forked from.
func appendReferences(dst []byte, h *transcriptv1.Header) []byte {
	for _, ref := range h.GetReferences() {
		dst = appendSpan(appendFact(dst, present.ReferenceName(ref)), orWord(ref.GetConversationId(), ref.GetTrajectoryId()))
		if ref.GetConversationId() != "" && ref.GetTrajectoryId() != "" {
			dst = appendSpan(append(dst, ", trajectory "...), ref.GetTrajectoryId())
		}
		if ref.StepIndex != nil && ref.GetStepIndex() >= 0 {
			dst = strconv.AppendInt(append(dst, " at step "...), ref.GetStepIndex(), 10)
		}
		dst = append(dst, '\n')
	}
	return dst
}

func appendProvenance(dst []byte, p *transcriptv1.Provenance) []byte {
	dst = appendFact(dst, "Source")
	if p.GetSource() == "" {
		dst = append(dst, present.NotRecorded...)
	} else {
		dst = appendText(dst, p.GetSource())
	}
	if p.GetLocation() != "" {
		dst = appendSpan(append(dst, ' '), p.GetLocation())
	}
	dst = appendFact(append(dst, '\n'), "Profile")
	if p.GetProfile() == "" {
		dst = append(dst, present.NotRecorded...)
	} else {
		dst = appendText(dst, p.GetProfile())
	}
	if p.GetUnverified() {
		dst = append(dst, ", not verified for this version"...)
	} else if p.GetProfile() != "" {
		dst = append(dst, ", verified"...)
	}
	if p.GetProfileReason() != "" {
		dst = append(appendText(append(dst, " ("...), p.GetProfileReason()), ')')
	}
	return appendTextFact(append(dst, '\n'), "Product version", orNotRecorded(p.GetProductVersion()))
}

// appendTotals appends the facts only the footer knows.
func (st style) appendTotals(dst []byte, f *transcriptv1.Footer) []byte {
	dst = appendTextFact(dst, "Steps", present.StepCount(f))
	if f.GetSelection() != "" {
		dst = appendTextFact(dst, "Totals", present.WholeTotals)
	}
	dst = appendFact(dst, "Models")
	if len(f.GetOverview().GetModels()) == 0 {
		dst = append(dst, present.NotRecorded...)
	}
	for i, model := range f.GetOverview().GetModels() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendText(dst, model)
	}
	dst = append(append(appendFact(append(dst, '\n'), "Tokens"), present.TotalUsage(f.GetUsage())...), '\n')
	if u := f.GetUsageWithChildren(); u != nil {
		dst = append(append(appendFact(dst, "Tokens with subagents"), present.TotalUsage(u)...), '\n')
	}
	for _, part := range f.GetParts() {
		dst = appendTextFact(dst, "Read from", present.PartLine(part))
	}
	if media := present.MediaCount(f); media != "" {
		dst = appendTextFact(dst, "Images and files", media)
	}
	return appendTextFact(dst, "Completeness", present.StateOf(f).Line)
}

// appendPrompts appends the table of contents: what was asked, and how much followed. out may take some of it.
func appendPrompts(dst []byte, f *transcriptv1.Footer, out *present.Long) []byte {
	prompts := f.GetOverview().GetPrompts()
	if len(prompts) < 2 {
		return dst
	}
	dst = append(dst, "## Prompts\n\n"...)
	for i, p := range prompts {
		dst = strconv.AppendInt(out.Pass(dst), int64(i+1), 10)
		dst = append(dst, ". "...)
		text := orWord(present.Clip(p.GetText(), summaryLimit), p.GetAnchor())
		if text == "x" || text == "X" {
			text = "“" + text + "”" // else it would be the box of a task
		}
		dst = appendStepLink(dst, text, p.GetAnchor())
		if facts := present.PromptFacts(p, f.GetSelection() != ""); facts != "" {
			dst = append(append(dst, " — "...), facts...)
		}
		dst = append(dst, '\n')
	}
	if more := f.GetOverview().GetMorePrompts(); more > 0 {
		dst = append(dst, "\n"+present.More(uint64(more))+", each in its place below\n"...)
	}
	return append(dst, '\n')
}

// appendFact begins an entry of a facts list; the caller appends the value and the line feed.
func appendFact(dst []byte, label string) []byte {
	dst = append(dst, "- **"...)
	dst = appendText(dst, label)
	return append(dst, ":** "...)
}

func appendTextFact(dst []byte, label, value string) []byte {
	return append(appendText(appendFact(dst, label), value), '\n')
}

func appendIDFact(dst []byte, label, id string) []byte {
	if id == "" {
		return appendTextFact(dst, label, present.NotRecorded)
	}
	return append(appendSpan(appendFact(dst, label), id), '\n')
}

func orNotRecorded(s string) string { return orWord(s, present.NotRecorded) }

// orWord is s, or word where s shows nothing: a line must begin with something to see.
func orWord(s, word string) string {
	if strings.TrimSpace(s) == "" {
		return word
	}
	return s
}
