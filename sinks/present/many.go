package present

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Limits from which what comes in great numbers is shown in one line each and without form: a step that asks for a
// hundred thousand calls would else make a document of many times its size.
const (
	mostCalls = 500
	mostNotes = 500
)

// Labels of what is shown in one line each.
const (
	ManyCalls = "Calls"
	ManyNotes = "Further notes, one line each"
)

// CallRun is how many blocks from i on are calls in a row, when these are so many that they are shown as one CallList;
// else 0.
func CallRun(blocks []*transcriptv1.Block, i int) int {
	n := 0
	for _, b := range blocks[i:] {
		if b.GetToolCall().GetCall() == nil || b.GetLabel() != "" {
			break
		}
		n++
	}
	if n <= mostCalls {
		return 0
	}
	return n
}

// CallList is the calls of a CallRun, one a line: `run_command · go test ./...`. As with a stub, the complete call stands
// on the step that answers it or on the note that nothing did. Every line has passed Visible.
func CallList(blocks []*transcriptv1.Block) string {
	const shown = 160
	var list strings.Builder
	for _, b := range blocks {
		c := b.GetToolCall().GetCall()
		name := c.GetName()
		if name == "" {
			name = UnnamedTool
		}
		list.WriteString(Visible(name))
		if line, _ := CallLine(c); line != "" {
			list.WriteString(Separator)
			list.WriteString(Visible(Clip(line, shown)))
		}
		list.WriteByte('\n')
	}
	return list.String()
}

// NoteRun follows the events of a document and tells which notes about calls are shown in one line each. The zero value
// is ready for use; it is not safe for concurrent use.
type NoteRun struct {
	title string
	notes int
}

// Next takes the next event; records are not shown and change nothing. begins: it is the first note of the list; listed: it is a NoteLine of the
// list; ends: the list ends before it.
func (r *NoteRun) Next(ev *transcriptv1.Event) (begins, listed, ends bool) {
	if ev.GetRecord() != nil {
		return false, false, false
	}
	n, title := ev.GetNote(), ""
	if n.GetCall() != nil {
		title = NoteTitle(n)
	}
	if title != r.title {
		ends = r.notes > mostNotes
		*r = NoteRun{title: title}
	}
	if title == "" {
		return false, false, ends
	}
	r.notes++
	return r.notes == mostNotes+1, r.notes > mostNotes, ends
}

// NoteLine is everything a note about a call says, in one line that has passed Visible.
func NoteLine(n *transcriptv1.Note) string {
	c, step := n.GetCall(), ""
	if n.GetAnchor() != "" {
		step = StepName(n.GetAnchor())
	}
	return Visible(join(step, n.GetText(), NoteSteps(n), c.GetName(), c.GetId(), c.GetAction(), c.GetSummary(), c.GetInvalidJson(), c.GetArgumentsJson()))
}
