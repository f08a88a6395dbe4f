package interpret

import "strings"

// wrapped are the blocks that the product puts around or behind a prompt.
var wrapped = []string{"ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE"}

const (
	requestStart = "<USER_REQUEST>"
	requestEnd   = "</USER_REQUEST>"
)

// PromptText is what the person typed of a prompt as the model got it: the text between the outermost marks of the request,
// or, without them, everything but the blocks the product adds. Marks inside belong to the person.
func PromptText(s string) string {
	trimmed := strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(trimmed, requestStart); ok {
		if at := strings.LastIndex(rest, requestEnd); at >= 0 {
			rest = rest[:at]
		}
		return strings.TrimSpace(rest)
	}
	for {
		cut := false
		for _, name := range wrapped {
			end := "</" + name + ">"
			if start := strings.LastIndex(trimmed, "<"+name+">"); start >= 0 && strings.HasSuffix(trimmed, end) {
				trimmed, cut = strings.TrimSpace(trimmed[:start]), true
			}
			if strings.HasPrefix(trimmed, "<"+name+">") {
				if at := strings.Index(trimmed, end); at >= 0 {
					trimmed, cut = strings.TrimSpace(trimmed[at+len(end):]), true
				}
			}
		}
		if !cut {
			return trimmed
		}
	}
}
