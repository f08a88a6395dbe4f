package interpret

import (
	"fmt"
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
)

// FileURI returns the URI of a path, as typed steps have it. Anything else is returned as it is.
func FileURI(path string) string { return uriOf(path) }

// OneLine returns the first line of a text as a title has it: its blanks folded and its length bounded.
func OneLine(text string) string { return firstLine(text) }

// UnifiedDiff makes a diff block of hunks that are already in the unified form, as a log has them: no file headers, and
// nothing behind the last line. change is create, edit or delete. It is nil when the text is no list of hunks.
func UnifiedDiff(uri, change, hunks string) *doc.Block {
	d := &doc.Diff{Uri: uri, Change: change, Language: languageOf(uri)}
	path := headerPath(uri)
	oldPath, newPath := path, path
	switch change {
	case "create":
		oldPath = "/dev/null"
	case "delete":
		newPath = "/dev/null"
	}
	head := "--- " + oldPath + "\n+++ " + newPath + "\n"
	var h *doc.Hunk
	var oldLeft, newLeft uint32
	for at := 0; at < len(hunks); {
		line, _, _ := strings.Cut(hunks[at:], "\n")
		switch {
		case strings.HasPrefix(line, `\ No newline`):
		case h == nil || oldLeft+newLeft == 0:
			if h = hunkOf(line); h == nil {
				return nil
			}
			oldLeft, newLeft = h.OldLines, h.NewLines
			h.TextOffset = uint64(len(head) + at)
			d.Hunks = append(d.Hunks, h)
		case strings.HasPrefix(line, "+") && newLeft > 0:
			d.Additions++
			newLeft--
		case strings.HasPrefix(line, "-") && oldLeft > 0:
			d.Deletions++
			oldLeft--
		case oldLeft > 0 && newLeft > 0 && (line == "" || line[0] == ' '):
			oldLeft, newLeft = oldLeft-1, newLeft-1
		default:
			return nil
		}
		h.TextLength = uint64(len(head)+at+len(line)) - h.TextOffset
		at += len(line) + 1
	}
	if h == nil || oldLeft+newLeft > 0 {
		return nil
	}
	return &doc.Block{Kind: "diff", Text: head + strings.TrimSuffix(hunks, "\n"), Detail: &doc.Block_Diff{Diff: d}}
}

// hunkOf reads «@@ -1,2 +1,3 @@».
func hunkOf(line string) *doc.Hunk {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[0] != "@@" || fields[3] != "@@" {
		return nil
	}
	h := &doc.Hunk{}
	if !rangeOf(fields[1], '-', &h.OldStart, &h.OldLines) || !rangeOf(fields[2], '+', &h.NewStart, &h.NewLines) {
		return nil
	}
	return h
}

func rangeOf(text string, sign byte, start, lines *uint32) bool {
	if text == "" || text[0] != sign {
		return false
	}
	*lines = 1
	first, count, both := strings.Cut(text[1:], ",")
	if _, err := fmt.Sscanf(first, "%d", start); err != nil {
		return false
	}
	if both {
		if _, err := fmt.Sscanf(count, "%d", lines); err != nil {
			return false
		}
	}
	return *start < 1<<31 && *lines < 1<<31
}
