package mirror

import "strings"

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
		asked, artifacts := requests(text)
		w.str(checkpointRequests, asked)
		for _, a := range artifacts {
			w.sub(checkpointArtifacts, func() {
				w.str(snapshotName, a.name)
				w.str(snapshotURI, a.uri)
			})
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

type snapshot struct{ name, uri string }

// requests returns the prompts a checkpoint lists, as one text: a prompt may have a numbered list of its own, and nothing
// tells the two apart. A single one loses its number. Behind them stand the artifacts that were there.
func requests(text string) (asked string, artifacts []snapshot) {
	body, ok := section(text, headRequests, headSummary)
	if !ok {
		return "", nil
	}
	if i := strings.LastIndex(body, "\n"+headLogs); i >= 0 {
		body = body[:i]
	}
	if i := strings.LastIndex(body, "\n\nYou have the "); i >= 0 {
		if list, ok := snapshots(body[i:]); ok {
			body, artifacts = body[:i], list
		}
	}
	if _, rest, ok := strings.Cut("\n"+body, "\n1. "); ok {
		if body = rest; strings.Contains(body, "\n2. ") {
			body = "1. " + body
		}
	}
	return strings.Trim(body, "\n"), artifacts
}

// snapshots reads the list of artifacts.
func snapshots(text string) (list []snapshot, ok bool) {
	head, rest, ok := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n[ARTIFACT: ")
	if !ok || !strings.HasSuffix(head, " artifacts directory:") {
		return nil, false
	}
	for entry := range strings.SplitSeq(rest, "\n\n[ARTIFACT: ") {
		name, lines, ok := strings.Cut(entry, "]\n")
		uri, more, _ := field(lines, "Path: ")
		_, end, _ := field(more, "Last Edited: ")
		if !ok || uri == "" || strings.TrimSpace(end) != "" {
			return nil, false
		}
		list = append(list, snapshot{name, uri})
	}
	return list, true
}
