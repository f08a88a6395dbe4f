package interpret

import (
	"strings"

	"agy-reader/sources/profile"
)

// Where a title was found.
const (
	TitleFromCheckpoint = "title checkpoint"
	TitleFromPrompt     = "first prompt"
)

// titleRunes bounds a title; a prompt can be any length.
const titleRunes = 100

// Title returns the title one stored step gives its conversation, and where it stands: a checkpoint that made a title, or
// a prompt. It is one line. Any other step, and one that cannot be decoded, gives none.
func (ip *Interpreter) Title(payload []byte) (title, origin string) {
	var f profile.Findings
	if err := ip.profile.Check(stepMessage, payload, "", &f); err != nil {
		return "", ""
	}
	_, body, ok := ip.res.View(stepMessage, payload, &f).Which("step")
	if !ok {
		return "", ""
	}
	switch body.Message() {
	case cortex + "CortexStepCheckpoint":
		title, origin = checkpointName(body), TitleFromCheckpoint
	case cortex + "CortexStepUserInput":
		title, origin = PromptText(promptText(body)), TitleFromPrompt
	}
	if title = firstLine(title); title == "" {
		return "", ""
	}
	return title, origin
}

// firstLine returns a copy of the first line with text, its blanks folded and its length bounded.
func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.Join(strings.Fields(text), " ")
	n := 0
	for i := range text {
		if n == titleRunes {
			return text[:i] + "…"
		}
		n++
	}
	return strings.Clone(text)
}

// checkpointName is the title of a checkpoint that made one. What a failed one holds is raw log text.
func checkpointName(v profile.View) string {
	if !v.Bool(checkpointOnly) || v.Bool(checkpointFailed) {
		return ""
	}
	if title := v.Str(checkpointTitle); title != "" {
		return title
	}
	return v.Str(checkpointIntent)
}

func promptText(v profile.View) string {
	text := v.Str(userText)
	if text == "" {
		v.Each(userItems, func(item profile.View) bool {
			text = item.Str(chunkText)
			return text == ""
		})
	}
	if text == "" {
		text = v.Str(userQuery)
	}
	return text
}
