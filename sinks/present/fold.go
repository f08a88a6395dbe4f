package present

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// limit is how much of a body is open to read; a longer one is folded away under its title.
type limit struct{ lines, bytes int }

var (
	anyLimit    = limit{40, 8 << 10}
	promptLimit = limit{60, 8 << 10}
	diffLimit   = limit{100, 12 << 10}
	// What the product tells the model is read by few.
	systemLimit = limit{12, 2 << 10}
)

// trace holds the labels of texts that are a stack trace most of the time; what went wrong stands in a notice above.
var trace = map[string]bool{"Full error": true, "Details": true, "Server details": true, "Stack trace": true}

// Folds tells whether block i of a step folds: it is long for what it is, or it repeats the hits before it. What a model
// wrote never does. Thinking folds by itself and is not asked about.
func Folds(blocks []*transcriptv1.Block, i int, role transcriptv1.Role) bool {
	b := blocks[i]
	size := anyLimit
	switch b.GetDetail().(type) {
	case *transcriptv1.Block_Thinking, *transcriptv1.Block_ToolCall, *transcriptv1.Block_Media, *transcriptv1.Block_Question:
		return false
	case *transcriptv1.Block_Markdown:
		if role != transcriptv1.Role_ROLE_USER && role != transcriptv1.Role_ROLE_SYSTEM {
			return false
		}
	case *transcriptv1.Block_Code:
		if i > 0 && blocks[i-1].GetSearchHits() != nil {
			return true
		}
		if trace[b.GetLabel()] {
			size = systemLimit
		}
	case *transcriptv1.Block_Diff:
		size = diffLimit
	case *transcriptv1.Block_KeyValues:
		return anyLimit.exceeded(b.GetText())
	}
	switch role {
	case transcriptv1.Role_ROLE_USER:
		size = promptLimit
	case transcriptv1.Role_ROLE_SYSTEM:
		size = systemLimit
	}
	return size.exceeded(b.GetText())
}

// FoldsText is Folds for a text that is part of a block.
func FoldsText(text string) bool { return anyLimit.exceeded(text) }

func (l limit) exceeded(text string) bool {
	return len(text) > l.bytes || Lines(text) > l.lines
}

// FoldNoun names a folded block that has no label, by what it is and not by how it begins.
func FoldNoun(b *transcriptv1.Block) string {
	switch b.GetDetail().(type) {
	case *transcriptv1.Block_Markdown, *transcriptv1.Block_Plain, *transcriptv1.Block_Notice:
		return "Message"
	case *transcriptv1.Block_Diff:
		return "Changes"
	case *transcriptv1.Block_FileView:
		return "Content"
	case *transcriptv1.Block_Command:
		return "Command"
	case *transcriptv1.Block_Listing:
		return "Entries"
	case *transcriptv1.Block_SearchHits:
		return "Hits"
	case *transcriptv1.Block_WebResults:
		return "Results"
	case *transcriptv1.Block_KeyValues:
		return "Details"
	case *transcriptv1.Block_Json:
		return "JSON"
	default:
		return "Text"
	}
}

// FoldTitle is the line that unfolds a block: its label, or FoldNoun, and how long text is unless the facts above say so.
func FoldTitle(b *transcriptv1.Block, label, text string) string {
	if label = strings.TrimSpace(label); label == "" {
		label = FoldNoun(b)
	}
	return join(label, FoldSize(b, text))
}

// FoldSize is TextSize, or nothing for a block whose facts already say how big it is.
func FoldSize(b *transcriptv1.Block, text string) string {
	if b.GetFileView().GetTotalBytes() > 0 || len(b.GetListing().GetEntries()) > 0 {
		return ""
	}
	return TextSize(text)
}

// TextSize is how long a text is: `36 lines · 2.1 KiB`.
func TextSize(text string) string {
	dst := AppendAmount(make([]byte, 0, short), uint64(Lines(text)), "line")
	return string(AppendSize(append(dst, Separator...), uint64(len(text))))
}

// Lines counts a last line without an end too.
func Lines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}

// Columns tells whether text is set in columns, which must not wrap: at least two of its first lines begin far to the right
// or hold a gap of three spaces, a tab or a line of a table inside.
func Columns(text string) bool {
	const looked = 200
	rows, n := 0, 0
	for line := range strings.Lines(text) {
		if n++; n > looked {
			return false
		}
		inside := strings.TrimSpace(line)
		if strings.HasPrefix(line, "      ") || strings.Contains(inside, "   ") || strings.Contains(inside, "\t") || strings.ContainsAny(inside, "│┃║") || strings.Count(inside, "|") > 1 {
			if rows++; rows == 2 {
				return true
			}
		}
	}
	return false
}
