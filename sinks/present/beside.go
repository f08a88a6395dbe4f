package present

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// BesideSteps is the heading of everything that belongs to a conversation and to none of its steps.
const BesideSteps = "Beside the steps"

// besideWords are kinds of attachments, one and several.
var besideWords = map[string][2]string{
	"artifact":      {"Artifact", "Artifacts"},
	"revision":      {"Earlier version", "Earlier versions of artifacts"},
	"upload":        {"Upload", "Uploads"},
	"image":         {"Generated image", "Generated images"},
	"task_log":      {"Task log", "Task logs"},
	"output":        {"Tool output", "Tool outputs"},
	"message":       {"Agent message", "Agent messages"},
	"prompt":        {"Prompt", "Prompts"},
	"queued_prompt": {"Queued prompt", "Queued prompts"},
	"scratch":       {"Scratch file", "Scratch files"},
	"":              {"Attachment", "Attachments"},
}

// AttachmentKind names what an attachment is: `Artifact`, `Task log`.
func AttachmentKind(kind string) string {
	if words, known := besideWords[kind]; known {
		return words[0]
	}
	return Kind(kind)
}

// AttachmentKinds names several of a kind: `Artifacts`.
func AttachmentKinds(kind string) string {
	if words, known := besideWords[kind]; known {
		return words[1]
	}
	return Kind(kind)
}

// AttachmentName is what an attachment is called, or `without a name`. Of what the product itself names, the folders say
// nothing.
func AttachmentName(a *transcriptv1.Attachment) string {
	switch a.GetKind() {
	case "task_log", "message", "queued_prompt":
		if name := Name(a.GetName()); name != "" {
			return name
		}
	}
	for _, name := range [...]string{a.GetName(), Name(a.GetUri())} {
		if strings.TrimSpace(name) != "" {
			return name
		}
	}
	return "without a name"
}

// Beside follows the events of one trajectory and tells where its attachments stand. The zero value is ready for use.
type Beside struct {
	last  []byte
	begun bool
	kind  string
}

// Next takes the next event. For an attachment, ofStep says that it belongs to the step just before; any other belongs to
// the list beside the steps, which begins before it, and group says that it is the first of its kind there in a row. A step
// ends the list.
func (b *Beside) Next(ev *transcriptv1.Event) (begins, group, ofStep bool) {
	if st := ev.GetStep(); st != nil {
		*b = Beside{last: append(b.last[:0], st.GetAnchor()...)}
	}
	a := ev.GetAttachment()
	if a == nil {
		return false, false, false
	}
	if !b.begun && a.GetAnchor() != "" && a.GetAnchor() == string(b.last) {
		return false, false, true
	}
	begins = !b.begun
	group = begins || b.kind != a.GetKind()
	b.begun = true
	b.kind = strings.Clone(a.GetKind())
	return begins, group, false
}

// PartLine says how much was read from where: `sqlite 5b1d.db · 30 steps`.
func PartLine(p *transcriptv1.SourcePart) string {
	return join(strings.TrimSpace(p.GetSource()+" "+p.GetLocation()), Amount(uint64(p.GetSteps()), "step"))
}

// MediaCount says how many images and other files a conversation has, and how many of them are not there:
// `14, 2 not there`. Nothing when it has none.
func MediaCount(f *transcriptv1.Footer) string {
	if f.GetMedia() == 0 {
		return ""
	}
	line := Count(uint64(f.GetMedia()))
	if n := len(f.GetMissingFiles()); n > 0 {
		line += ", " + Count(uint64(n)) + " not there"
	}
	return line
}

// Words about where something was found.
const (
	FoundIn    = "from"
	MissingFew = "Files that are not there"
	Copied     = "Files beside this document"
)
