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
// the document, so every anchor in it leads somewhere. Until the end it holds prompts and files in a form of its own, since
// a conversation can have very many of both.
type overview struct {
	result  transcriptv1.Overview
	anchors anchors
	turns   []turn
	// current is one more than the place of the prompt that steps follow; 0 when it is not listed.
	current int
	files   []touched
	// known has one more than the place of each file by the hash of its name, 0 when it is not listed.
	known table
	// names is how many bytes the names of files have, places how many steps are listed for all of them.
	names, places int
	moreProblems  int
}

// Bounds of the lists; what is beyond is counted. The steps themselves all stand in the document.
const (
	maxPrompts   = 10_000
	maxFiles     = 10_000
	maxFileNames = 4 << 20
	maxPlaces    = 100_000
	maxChildren  = 10_000
)

// step takes a step of this trajectory, and returns one more than the place of a prompt; 0 when it is none, or not listed.
func (o *overview) step(st *transcriptv1.Step) (prompt int) {
	switch {
	case st.Role == transcriptv1.Role_ROLE_USER:
		o.current = o.ask(st)
		prompt = o.current
	case o.current > 0:
		t := &o.turns[o.current-1]
		t.steps++
		if st.Role == transcriptv1.Role_ROLE_TOOL {
			t.tools++
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

// ask lists a prompt.
func (o *overview) ask(st *transcriptv1.Step) int {
	if len(o.turns) == maxPrompts {
		o.result.MorePrompts++
		return 0
	}
	o.turns = append(o.turns, turn{anchor: o.anchors.number(st), text: excerpt(firstText(st))})
	return len(o.turns)
}

// child takes a link of the host's own.
func (o *overview) child(link *transcriptv1.ChildLink, anchor string) {
	if len(o.result.Children) == maxChildren {
		o.result.MoreChildren++
		return
	}
	o.result.Children = append(o.result.Children, &transcriptv1.Child{
		ConversationId: link.ConversationId, Anchor: strings.Clone(anchor), Title: link.Title, State: link.State, Href: link.Href,
	})
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
		o.moreProblems++
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

// finish returns the overview and forgets it. Nothing may be added afterwards.
func (o *overview) finish() *transcriptv1.Overview {
	r := &o.result
	if o.moreProblems > 0 {
		r.Problems = append(r.Problems, &transcriptv1.Problem{Text: "and " + strconv.Itoa(o.moreProblems) + " more"})
	}
	r.Prompts, r.Files = o.prompts(), o.touchedFiles()
	o.turns, o.files, o.known, o.anchors = nil, nil, table{}, anchors{}
	return r
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
