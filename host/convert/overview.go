package convert

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

const (
	// excerptSize bounds a text in the overview; the whole text stands in its step.
	excerptSize = 400
	// maxProblems bounds the list of problems; one more entry says how many there are beyond.
	maxProblems = 500
	// maxModels bounds the list of models; one more entry says that there are more.
	maxModels = 500
)

// overview collects what index pages and tables of contents show. It copies what it keeps and only knows steps that are in
// the document, so every anchor in it leads somewhere.
type overview struct {
	result transcriptv1.Overview
	files  map[string]*transcriptv1.TouchedFile
	more   int
	prompt *transcriptv1.Prompt
}

// step takes a step of this trajectory, and returns what it keeps of a prompt.
func (o *overview) step(st *transcriptv1.Step) (prompt *transcriptv1.Prompt) {
	switch {
	case st.Role == transcriptv1.Role_ROLE_USER:
		o.prompt = &transcriptv1.Prompt{Anchor: strings.Clone(st.Anchor), Text: excerpt(firstText(st))}
		o.result.Prompts = append(o.result.Prompts, o.prompt)
		prompt = o.prompt
	case o.prompt != nil:
		o.prompt.StepsAfter++
		if st.Role == transcriptv1.Role_ROLE_TOOL {
			o.prompt.ToolStepsAfter++
		}
	}
	o.touch(st)
	for _, link := range st.Children {
		o.child(link, st.Anchor)
	}
	if text, bad := trouble(st); bad {
		o.trouble(st.Anchor, text)
	}
	return prompt
}

// child takes a link of the host's own.
func (o *overview) child(link *transcriptv1.ChildLink, anchor string) {
	o.result.Children = append(o.result.Children, &transcriptv1.Child{
		ConversationId: link.ConversationId, Anchor: strings.Clone(anchor), Title: link.Title, State: link.State, Href: link.Href,
	})
}

// touch notes the files a step read or changed.
func (o *overview) touch(st *transcriptv1.Step) {
	for _, b := range st.Blocks {
		uri, changed := b.GetFileView().GetUri(), false
		if b.GetDiff() != nil {
			uri, changed = b.GetDiff().GetUri(), true
		}
		if uri == "" {
			continue
		}
		f := o.files[uri]
		if f == nil {
			f = &transcriptv1.TouchedFile{Uri: strings.Clone(uri)}
			if o.files == nil {
				o.files = map[string]*transcriptv1.TouchedFile{}
			}
			o.files[f.Uri] = f
			o.result.Files = append(o.result.Files, f)
		}
		list := &f.ReadAnchors
		if changed {
			list = &f.ChangedAnchors
		}
		if n := len(*list); n == 0 || (*list)[n-1] != st.Anchor {
			*list = append(*list, strings.Clone(st.Anchor))
		}
	}
}

// trouble reports whether a step went wrong, and in what words.
func trouble(st *transcriptv1.Step) (text string, bad bool) {
	for _, b := range st.Blocks {
		if b.GetNotice().GetSeverity() == transcriptv1.Severity_SEVERITY_ERROR {
			return b.Text, true
		}
	}
	if st.Status == "ERROR" || st.Status == "INVALID" {
		return st.Summary, true
	}
	for _, b := range st.Blocks {
		switch c := b.GetCommand(); {
		case c.GetTimedOut():
			return "timed out: " + b.Text, true
		case c.GetExitCode() != 0:
			return "exit code " + strconv.Itoa(int(c.GetExitCode())) + ": " + b.Text, true
		}
	}
	return "", false
}

func (o *overview) trouble(anchor, text string) {
	if len(o.result.Problems) == maxProblems {
		o.more++
		return
	}
	o.result.Problems = append(o.result.Problems, &transcriptv1.Problem{Anchor: strings.Clone(anchor), Text: excerpt(text)})
}

// note takes a note that is more than information.
func (o *overview) note(n *transcriptv1.Note) {
	if n.Severity >= transcriptv1.Severity_SEVERITY_WARNING {
		o.trouble(n.Anchor, n.Text)
	}
}

// model notes a model's name.
func (o *overview) model(name string) {
	if name == "" || len(o.result.Models) > maxModels || slices.Contains(o.result.Models, name) {
		return
	}
	if len(o.result.Models) == maxModels {
		name = "and more"
	}
	o.result.Models = append(o.result.Models, strings.Clone(name))
}

// finish returns the overview. Nothing may be added afterwards.
func (o *overview) finish() *transcriptv1.Overview {
	if o.more > 0 {
		o.result.Problems = append(o.result.Problems, &transcriptv1.Problem{Text: "and " + strconv.Itoa(o.more) + " more"})
	}
	return &o.result
}

// firstText is what a person wrote in a prompt: its first block of text. Notices, mentions and media speak only where there
// is none.
func firstText(st *transcriptv1.Step) string {
	other := ""
	for _, b := range st.Blocks {
		switch {
		case strings.TrimSpace(b.Text) == "":
		case b.GetMarkdown() != nil || b.GetPlain() != nil:
			return b.Text
		case other == "":
			other = b.Text
		}
	}
	if other == "" {
		return st.Summary
	}
	return other
}

// excerpt copies the beginning of a text, cut at a rune and marked when something is missing.
func excerpt(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= excerptSize {
		return strings.Clone(text)
	}
	end := excerptSize
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
