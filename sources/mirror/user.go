package mirror

import "strings"

const (
	requestOpen  = "<USER_REQUEST>\n"
	requestClose = "</USER_REQUEST>"
)

// addedBlocks are blocks that the product puts behind a prompt, with what a reader is told they are.
var addedBlocks = map[string]string{
	"ADDITIONAL_METADATA": "Added by the product", "USER_SETTINGS_CHANGE": "Settings change",
}

// user writes a prompt. The product wraps it for the model; what it adds is kept apart.
func (w *writer) user() {
	prompt, added := request(w.body)
	w.sub(stepUser, func() {
		w.str(userText, prompt)
		w.media(userMedia)
	})
	w.asides = append(w.asides, added...)
}

// request takes the product's shell off a prompt. The closing tag is the last one that only blocks follow: a person may
// have typed one too.
func request(text string) (prompt string, added []aside) {
	inner, ok := strings.CutPrefix(text, requestOpen)
	if !ok {
		return trailing(text)
	}
	for end := len(inner); ; {
		at := strings.LastIndex(inner[:end], requestClose)
		if at < 0 {
			// The end was cut off.
			return inner, nil
		}
		if blocks, ok := blocks(inner[at+len(requestClose):], false); ok {
			return strings.TrimSuffix(inner[:at], "\n"), blocks
		}
		end = at
	}
}

// trailing takes known blocks off the end of a prompt without a shell.
func trailing(text string) (prompt string, added []aside) {
	at := len(text)
	for name := range addedBlocks {
		if i := strings.Index(text, "<"+name+">\n"); i >= 0 && i < at && (i == 0 || text[i-1] == '\n') {
			if list, ok := blocks(text[i:], true); ok {
				at, added = i, list
			}
		}
	}
	if at == len(text) {
		return text, nil
	}
	return strings.TrimRight(text[:at], "\n"), added
}

// blocks reads a text that is nothing but blocks in tags of capitals, known ones only when asked.
func blocks(text string, known bool) (list []aside, ok bool) {
	for {
		text = strings.TrimLeft(text, "\r\n ")
		if text == "" {
			return list, true
		}
		name, rest, ok := strings.Cut(strings.TrimPrefix(text, "<"), ">")
		if !ok || text[0] != '<' || name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			return nil, false
		}
		label := addedBlocks[name]
		if label == "" {
			if known {
				return nil, false
			}
			label = name
		}
		content, rest, ok := strings.Cut(rest, "</"+name+">")
		if !ok {
			return nil, false
		}
		if content = strings.Trim(content, "\r\n"); content != "" {
			list = append(list, aside{label, content})
		}
		text = rest
	}
}
