package html

import (
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// Limits of the lists beside the steps. What is left out is counted.
const (
	promptLength = 180
	linksShown   = 12
)

func appendPrompts(dst []byte, o *transcriptv1.Overview, selected bool, out *present.Long) []byte {
	prompts := o.GetPrompts()
	if len(prompts) == 0 {
		return dst
	}
	dst = append(dst, "<nav aria-labelledby=\"list-prompts\">\n<h2 id=\"list-prompts\">Prompts</h2>\n<ol class=\"prompts\">\n"...)
	for _, prompt := range prompts {
		dst = append(out.Pass(dst), `<li><a dir="auto" href="#`...)
		dst = appendAttr(dst, present.Anchor(prompt.GetAnchor()))
		dst = append(dst, `">`...)
		text := present.Clip(prompt.GetText(), promptLength)
		if text == "" {
			text = "Prompt without text"
		}
		dst = appendText(dst, text)
		dst = append(dst, "</a>"...)
		if facts := present.PromptFacts(prompt, selected); facts != "" {
			dst = append(dst, ` <span class="dim">`...)
			dst = append(append(dst, facts...), "</span>"...)
		}
		dst = append(dst, "</li>\n"...)
	}
	dst = append(dst, "</ol>\n"...)
	if more := o.GetMorePrompts(); more > 0 {
		dst = append(dst, "<p class=\"hint\">"+present.More(uint64(more))+", each in its place below</p>\n"...)
	}
	return append(dst, "</nav>\n"...)
}

func appendProblems(dst []byte, problems []*transcriptv1.Problem) []byte {
	if len(problems) == 0 {
		return dst
	}
	dst = openList(dst, "Problems", uint64(len(problems)))
	for _, problem := range problems {
		dst = append(dst, "<li>"...)
		dst = appendAnchorLink(dst, problem.GetAnchor())
		dst = append(dst, ` <span dir="auto">`...)
		dst = appendText(dst, present.Clip(problem.GetText(), promptLength))
		dst = append(dst, "</span></li>\n"...)
	}
	return append(dst, "</ul>\n</details>\n"...)
}

func appendFiles(dst []byte, o *transcriptv1.Overview, out *present.Long) []byte {
	files, more := o.GetFiles(), o.GetMoreFiles()
	if len(files) == 0 && more == 0 {
		return dst
	}
	dst = openList(dst, "Files", present.All(len(files), more))
	for _, file := range files {
		dst = append(out.Pass(dst), `<li><span class="path">`...)
		dst = appendText(dst, present.Path(file.GetUri()))
		dst = append(dst, "</span>"...)
		dst = appendAnchors(dst, "changed in", file.GetChangedAnchors(), file.GetMoreChanged())
		dst = appendAnchors(dst, "read in", file.GetReadAnchors(), file.GetMoreRead())
		dst = append(dst, "</li>\n"...)
	}
	dst = appendMore(dst, more)
	return append(dst, "</ul>\n</details>\n"...)
}

// appendMore ends a list that does not have everything.
func appendMore(dst []byte, n uint32) []byte {
	if n == 0 {
		return dst
	}
	return append(dst, "<li>"+present.More(uint64(n))+"</li>\n"...)
}

// appendAnchors appends links to steps; unlisted is how many there are beyond.
func appendAnchors(dst []byte, label string, anchors []string, unlisted uint32) []byte {
	if len(anchors) == 0 && unlisted == 0 {
		return dst
	}
	dst = append(append(dst, ` <span class="dim">`...), label...)
	for _, anchor := range anchors[:min(len(anchors), linksShown)] {
		dst = append(dst, ` <a href="#`...)
		dst = appendAttr(dst, present.Anchor(anchor))
		dst = append(dst, `">`...)
		dst = appendText(dst, present.StepNumber(anchor))
		dst = append(dst, "</a>"...)
	}
	if more := present.All(max(0, len(anchors)-linksShown), unlisted); more > 0 {
		dst = append(dst, " "+present.More(more)...)
	}
	return append(dst, "</span>"...)
}

func appendChildren(dst []byte, o *transcriptv1.Overview, out *present.Long) []byte {
	children := o.GetChildren()
	if len(children) == 0 {
		return dst
	}
	dst = openList(dst, "Subagents", present.All(len(children), o.GetMoreChildren()))
	for _, child := range children {
		dst = append(out.Pass(dst), "<li>"...)
		dst = appendChild(dst, child.GetConversationId(), child.GetTitle(), child.GetState(), child.GetHref())
		if child.GetAnchor() != "" {
			dst = append(dst, ` <span class="dim">started by `...)
			dst = appendAnchorLink(dst, child.GetAnchor())
			dst = append(dst, "</span>"...)
		}
		dst = append(dst, "</li>\n"...)
	}
	dst = appendMore(dst, o.GetMoreChildren())
	return append(dst, "</ul>\n</details>\n"...)
}

// appendReferences appends where the conversation was cut or forked from.
func appendReferences(dst []byte, references []*transcriptv1.Reference) []byte {
	if len(references) == 0 {
		return dst
	}
	dst = openList(dst, "Rewinds and forks", uint64(len(references)))
	for _, r := range references {
		dst = append(dst, "<li>"...)
		dst = appendText(dst, present.ReferenceName(r))
		dst = append(dst, " <code>"...)
		dst = appendText(dst, orWord(r.GetConversationId(), r.GetTrajectoryId()))
		dst = append(dst, "</code>"...)
		if r.GetConversationId() != "" && r.GetTrajectoryId() != "" {
			dst = append(dst, ", trajectory <code>"...)
			dst = append(appendText(dst, r.GetTrajectoryId()), "</code>"...)
		}
		if r.StepIndex != nil && r.GetStepIndex() >= 0 {
			dst = append(dst, " at step "...)
			dst = strconv.AppendInt(dst, r.GetStepIndex(), 10)
		}
		dst = append(dst, "</li>\n"...)
	}
	return append(dst, "</ul>\n</details>\n"...)
}

// openList opens a list that unfolds; the caller closes it.
func openList(dst []byte, name string, n uint64) []byte {
	dst = append(dst, "<details class=\"index\"><summary><h2>"...)
	dst = append(dst, name...)
	dst = append(dst, "</h2> <span class=\"dim\">"...)
	dst = present.AppendCount(dst, n)
	return append(dst, "</span></summary>\n<ul>\n"...)
}
