package mirror

import (
	"fmt"
	"strings"
)

// Headings of a checkpoint's text, in their order.
const (
	headIntent   = "# USER Objective:\n"
	headRequests = "# User Requests\n"
	headSummary  = "# Previous Session Summary:\n"
	headLogs     = "# Conversation Logs\n"
)

// checkpoint writes a checkpoint. One that made a title has an objective and no summary, and claims a cut that never was.
// The summary of a failed one is raw log lines.
func (w *writer) checkpoint() {
	text := w.body
	intent, hasIntent := section(text, headIntent, headRequests)
	summary, hasSummary := section(text, headSummary, headLogs)
	if !hasIntent && !hasSummary || !strings.HasPrefix(strings.TrimSpace(text), "{{ CHECKPOINT ") {
		w.sub(stepCheckpoint, func() { w.str(checkpointSummary, text) })
		return
	}
	failed := rawLines(summary)
	w.sub(stepCheckpoint, func() {
		w.str(checkpointIntent, intent)
		w.yes(checkpointOnly, hasIntent && !hasSummary || failed)
		if !failed {
			w.str(checkpointSummary, summary)
		}
		w.yes(checkpointFailed, failed)
		w.yes(checkpointFallback, failed)
		for _, r := range requests(text) {
			w.str(checkpointRequests, r)
		}
	})
}

// section returns what stands between a heading and the last later one of the next.
func section(text, head, next string) (string, bool) {
	_, rest, ok := strings.Cut(text, "\n"+head)
	if !ok {
		return "", false
	}
	if i := strings.LastIndex(rest, "\n"+next); i >= 0 {
		rest = rest[:i]
	}
	return strings.Trim(rest, "\n"), true
}

// rawLines reports whether a summary is lines of a log.
func rawLines(summary string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(summary), "\n")
	return strings.HasPrefix(first, `{"`) && strings.Contains(first, `"step_index"`)
}

// requests returns the prompts a checkpoint lists. Where a prompt has a numbered list of its own, nothing tells the two
// apart: all stay one text then.
func requests(text string) []string {
	body, ok := section(text, headRequests, headSummary)
	if !ok {
		return nil
	}
	if i := strings.LastIndex(body, "\n"+headLogs); i >= 0 {
		body = body[:i]
	}
	if _, rest, ok := strings.Cut("\n"+body, "\n1. "); ok {
		body = rest
	}
	body = strings.Trim(body, "\n")
	var list []string
	rest := body
	for n := 2; ; n++ {
		mark := fmt.Sprintf("\n%d. ", n)
		if strings.Count(body, mark) > 1 {
			return []string{body}
		}
		one, more, ok := strings.Cut(rest, mark)
		list = append(list, one)
		if !ok {
			return list
		}
		rest = more
	}
}
