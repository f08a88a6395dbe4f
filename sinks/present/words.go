package present

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// StepTitle is what a step is called in headings: `Prompt`, `Assistant`, or the kind in words. It says nothing about the
// content and needs no escaping beyond what Kind says.
func StepTitle(s *transcriptv1.Step) string {
	switch s.GetKind() {
	case "USER_INPUT":
		return "Prompt"
	case "PLANNER_RESPONSE":
		return "Assistant"
	case "":
		return "Step of unknown kind"
	case "GENERIC":
		if name := s.GetCall().GetName(); name != "" {
			return Kind(name)
		}
	}
	return Kind(s.GetKind())
}

// AppendStepNumber appends the number people cite: the step's anchor without its prefix (`12`, nested `12-3`), or the
// index when the anchor has another form.
func AppendStepNumber(dst []byte, s *transcriptv1.Step) []byte {
	number, found := strings.CutPrefix(s.GetAnchor(), "step-")
	if !found || number == "" || strings.Trim(number, "0123456789-") != "" {
		return strconv.AppendUint(dst, uint64(s.GetIndex()), 10)
	}
	return append(dst, number...)
}

// Anchor reduces an anchor to letters, digits, `-` and `_`, so that it is safe as a fragment and an id. Anchors of the
// host already are; those of a plugin source may not be.
func Anchor(anchor string) string {
	if strings.IndexFunc(anchor, notInAnchor) < 0 {
		return anchor
	}
	return strings.Map(func(r rune) rune {
		if notInAnchor(r) {
			return '_'
		}
		return r
	}, anchor)
}

func notInAnchor(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

// Kind turns an enum name into words: `RUN_COMMAND` is `Run command`. Letters outside ASCII and control characters are
// kept, so the result needs the same care as any text.
func Kind(kind string) string {
	if words, known := kindWords[kind]; known {
		return words
	}
	words := strings.ToLower(strings.ReplaceAll(kind, "_", " "))
	if words == "" || words[0] < 'a' || words[0] > 'z' {
		return words
	}
	return string(words[0]-'a'+'A') + words[1:]
}

// Kinds whose plain lower-casing reads badly, and the common ones, so that they cost no allocation.
var kindWords = map[string]string{
	"RUN_COMMAND":          "Run command",
	"VIEW_FILE":            "View file",
	"CODE_ACTION":          "Edit file",
	"GREP_SEARCH":          "Search text",
	"FIND":                 "Find files",
	"LIST_DIRECTORY":       "List directory",
	"SEARCH_WEB":           "Search the web",
	"READ_URL_CONTENT":     "Read URL",
	"MCP_TOOL":             "MCP tool",
	"CHECKPOINT":           "Checkpoint",
	"SYSTEM_MESSAGE":       "System message",
	"EPHEMERAL_MESSAGE":    "Ephemeral message",
	"ERROR_MESSAGE":        "Error message",
	"CONVERSATION_HISTORY": "Conversation history",
	"ASK_QUESTION":         "Ask question",
	"INVOKE_SUBAGENT":      "Start subagent",
	"GENERATE_IMAGE":       "Generate image",
	"COMMAND_STATUS":       "Command status",
	"SEND_COMMAND_INPUT":   "Send command input",
}

// Status says in words how a step stands, or nothing when it is simply done. An unknown number is named as such.
func Status(status string) string {
	switch status {
	case "DONE":
		return ""
	case "", "UNSPECIFIED":
		return "status not recorded"
	case "CLEARED":
		return "text deleted by the product"
	case "ERROR":
		return "failed"
	case "CANCELED":
		return "canceled"
	case "INTERRUPTED":
		return "interrupted"
	case "RUNNING":
		return "did not finish (RUNNING when saved)"
	case "WAITING":
		return "waiting when recorded"
	case "PENDING":
		return "pending when recorded"
	case "QUEUED":
		return "queued when recorded"
	case "GENERATING":
		return "being generated when recorded"
	case "INVALID":
		return "invalid"
	}
	if strings.Trim(status, "0123456789-") == "" {
		return "unknown status " + status
	}
	return strings.ToLower(Kind(status))
}

// Failed says whether a status stands for something that went wrong.
func Failed(status string) bool {
	return status == "ERROR" || status == "INVALID"
}

// Surface names the product that wrote a conversation.
func Surface(surface string) string {
	switch surface {
	case "cli":
		return "Antigravity CLI"
	case "ide":
		return "Antigravity IDE"
	case "ide2":
		return "Antigravity 2.0"
	case "acp":
		return "agent client (ACP)"
	case "":
		return NotRecorded
	default:
		return surface
	}
}

// AppendExitCode appends `exit code 1` or `exit code not recorded`.
func AppendExitCode(dst []byte, c *transcriptv1.Command) []byte {
	dst = append(dst, "exit code "...)
	if c == nil || c.ExitCode == nil {
		return append(dst, NotRecorded...)
	}
	return strconv.AppendInt(dst, int64(*c.ExitCode), 10)
}

// Severity names how serious a note or notice is.
func Severity(s transcriptv1.Severity) string {
	switch s {
	case transcriptv1.Severity_SEVERITY_ERROR:
		return "Error"
	case transcriptv1.Severity_SEVERITY_WARNING:
		return "Warning"
	default:
		return "Note"
	}
}

// noteKind names what a note is about.
func noteKind(kind string) string {
	return strings.ToLower(strings.ReplaceAll(kind, "_", " "))
}
