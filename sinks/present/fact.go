package present

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// join joins the facts that are not empty by Separator.
func join(facts ...string) string {
	var room [128]byte
	b := room[:0]
	for _, fact := range facts {
		if fact == "" {
			continue
		}
		if len(b) > 0 {
			b = append(b, Separator...)
		}
		b = append(b, fact...)
	}
	return string(b)
}

// Change says what happened to a file: `Created`, `Edited`, `Deleted`; another word as words.
func Change(change string) string {
	switch change {
	case "create":
		return "Created"
	case "", "edit":
		return "Edited"
	case "delete":
		return "Deleted"
	default:
		return Kind(change)
	}
}

// LineChanges is `+12 −3`, `+12`, or nothing when no line was counted.
func LineChanges(d *transcriptv1.Diff) string {
	added, removed := "", ""
	if n := d.GetAdditions(); n > 0 {
		added = "+" + Count(uint64(n))
	}
	if n := d.GetDeletions(); n > 0 {
		removed = "−" + Count(uint64(n))
	}
	return strings.TrimSpace(added + " " + removed)
}

// ViewFacts says which part of a file was read: `lines 1–40 of 200 · 2.0 KiB`, `40 lines`, or nothing.
func ViewFacts(v *transcriptv1.FileView) string {
	lines := ""
	switch {
	case v.FirstLine != nil && v.LastLine != nil:
		lines = "lines " + strconv.FormatUint(uint64(v.GetFirstLine()), 10) + "–" + strconv.FormatUint(uint64(v.GetLastLine()), 10)
	case v.FirstLine != nil:
		lines = "from line " + strconv.FormatUint(uint64(v.GetFirstLine()), 10)
	}
	switch {
	case v.TotalLines == nil:
	case lines == "":
		lines = Amount(uint64(v.GetTotalLines()), "line")
	default:
		lines += " of " + Count(uint64(v.GetTotalLines()))
	}
	size := ""
	if v.TotalBytes != nil {
		size = Size(v.GetTotalBytes())
	}
	return join(lines, size)
}

// ListingFacts counts what is in a directory: `2 folders, 4 files`; nothing for a listing without entries.
func ListingFacts(l *transcriptv1.Listing) string {
	folders, files := uint64(0), uint64(0)
	for _, e := range l.GetEntries() {
		if e.GetDirectory() {
			folders++
		} else {
			files++
		}
	}
	switch {
	case folders == 0 && files == 0:
		return ""
	case folders == 0:
		return Amount(files, "file")
	case files == 0:
		return Amount(folders, "folder")
	}
	return Amount(folders, "folder") + ", " + Amount(files, "file")
}

// EntryName is the name of an entry, a folder with a slash.
func EntryName(e *transcriptv1.ListingEntry) string {
	if e.GetDirectory() && !strings.HasSuffix(e.GetName(), "/") {
		return Visible(e.GetName()) + "/"
	}
	return Visible(e.GetName())
}

// EntryFacts is how big an entry is: `120 B`, `3 items`, or nothing.
func EntryFacts(e *transcriptv1.ListingEntry) string {
	size, children := "", ""
	if e.Size != nil {
		size = Size(e.GetSize())
	}
	if e.Children != nil {
		children = Amount(uint64(e.GetChildren()), "item")
	}
	return join(size, children)
}

// HitFacts counts what a search found: `2 hits`, `2 of 9 hits`, or nothing when that is not known.
func HitFacts(h *transcriptv1.SearchHits) string {
	shown := uint64(len(h.GetHits()))
	switch {
	case h.Total != nil && h.GetTotal() != shown && shown > 0:
		return Count(shown) + " of " + Amount(h.GetTotal(), "hit")
	case h.Total != nil:
		return Amount(h.GetTotal(), "hit")
	case shown > 0:
		return Amount(shown, "hit")
	}
	return ""
}

// MediaFacts says what a file is and whether its bytes are there: `image/png · 121 KiB · stored in the conversation`.
func MediaFacts(m *transcriptv1.Media) string {
	size, where := "", "not stored"
	if m.Size != nil {
		size = Size(m.GetSize())
	}
	if m.GetStorePath() != "" {
		where = "in the store as " + m.GetStorePath()
	}
	if _, beside := RelativeHref(m.GetHref()); beside {
		where = "copied beside this document"
	}
	if n := len(m.GetData()); n > 0 {
		size, where = Size(uint64(n)), "stored in the conversation"
	}
	return join(m.GetMimeType(), size, where)
}

// Picture reports whether a file, by what it is said to be, is an image that every browser shows and that cannot run
// anything.
func Picture(m *transcriptv1.Media) bool {
	name := strings.ToLower(m.GetMimeType())
	if name == "" {
		name = strings.ToLower(Name(m.GetUri()))
	}
	for _, kind := range [...]string{"image/png", "image/jpeg", "image/gif", "image/webp", ".png", ".jpg", ".jpeg", ".gif", ".webp"} {
		if name == kind || kind[0] == '.' && strings.HasSuffix(name, kind) {
			return true
		}
	}
	return false
}

// Words about a question.
const (
	QuestionOne     = "Question"
	QuestionSeveral = "Question, several answers allowed"
	WrittenAnswer   = "Written answer"
	Skipped         = "Skipped by the user."
)

// QuestionTitle names a question block that has no label.
func QuestionTitle(q *transcriptv1.Question) string {
	if q.GetMultiSelect() {
		return QuestionSeveral
	}
	return QuestionOne
}

// PromptFacts says how much followed a prompt and what it took: `9 steps, 2 with tools · 1,234 in · 56 out`. Nothing when the document is a selection, which
// does not hold what followed.
func PromptFacts(p *transcriptv1.Prompt, selected bool) string {
	if selected {
		return ""
	}
	facts := Amount(uint64(p.GetStepsAfter()), "step")
	if n := p.GetToolStepsAfter(); n > 0 {
		facts += ", " + Count(uint64(n)) + " with tools"
	}
	if u := p.GetUsage(); u != nil {
		if line := AppendUsage(nil, u); len(line) > 0 {
			facts += Separator + string(line)
		} else if u.GetCalls() > 0 {
			facts += Separator + TotalUsage(u)
		}
	}
	return facts
}

// InBackground is the fact about a command that says nothing about how it ended.
const InBackground = "in the background"

// CommandFacts says how a command ended: `exit code 1`, `timed out`. The first is the exit code, or that none is recorded.
func CommandFacts(c *transcriptv1.Command) []string {
	facts := []string{string(AppendExitCode(nil, c))}
	if c.GetRejected() {
		facts = append(facts, "rejected by the user")
	}
	if c.GetTimedOut() {
		facts = append(facts, "timed out")
	}
	if c.GetBackground() {
		facts = append(facts, InBackground)
	}
	return facts
}

// Words about what is not there or not sound.
const (
	KeptBack    = "The provider kept this thinking back."
	NotJSON     = "Arguments are not valid JSON"
	UnnamedTool = "unnamed tool"
)

// Words about a step that hangs together with others.
const (
	Inherited      = "from the conversation this one was forked from"
	Continues      = "continues"
	BackgroundTask = "task"
	StartsSubagent = "starts subagent"
	FurtherCall    = "further call"
)

// NoteTitle names a note: `Warning, gap`.
func NoteTitle(n *transcriptv1.Note) string {
	title := Severity(n.GetSeverity())
	if n.GetKind() != "" {
		title += ", " + noteKind(n.GetKind())
	}
	return title
}

// NoteSteps says which steps a note says are missing: `steps 16 to 17 are missing`, `step 4 is missing`, or nothing when
// the note's text begins by naming them.
func NoteSteps(n *transcriptv1.Note) string {
	if n.FirstIndex == nil || n.LastIndex == nil {
		return ""
	}
	first, last := strconv.FormatUint(uint64(n.GetFirstIndex()), 10), strconv.FormatUint(uint64(n.GetLastIndex()), 10)
	if strings.HasPrefix(n.GetText(), "step "+first+" ") || strings.HasPrefix(n.GetText(), "steps "+first) {
		return ""
	}
	if first == last {
		return "step " + first + " is missing"
	}
	return "steps " + first + " to " + last + " are missing"
}
