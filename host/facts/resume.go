package facts

import (
	"regexp"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// resume is the command that goes on with a conversation of the CLI in its workspace: `cd WORKSPACE && agy --conversation
// ID`. A path of a Unix is quoted for a POSIX shell; a path of Windows for cmd, with `cd /d "…"`, or `pushd "…"` for a share.
// A folder that is not known, lies on another machine or cannot be quoted (line breaks and other controls; in cmd also % and ") is
// left out: the command works from any folder. A conversation of which only logs are left cannot be gone on with.
func resume(id string, h *transcriptv1.Header, p Project) string {
	if h.GetSurface() != "cli" || h.GetProvenance().GetSource() == "mirror" || !safeName(id) || strings.HasPrefix(id, "-") || control(id) {
		return ""
	}
	command := "agy --conversation " + shellQuote(id)
	folder := p.Path
	switch {
	case folder == "" || control(folder):
	case windows(folder):
		if strings.ContainsAny(folder, `"%`) || shellQuote(id) != id {
			break
		}
		enter := "cd /d"
		if folder = strings.ReplaceAll(folder, "/", `\`); strings.HasPrefix(folder, `\\`) {
			enter = "pushd" // cd takes no share
		}
		return enter + ` "` + folder + `" && ` + command
	case strings.HasPrefix(folder, "/"):
		return "cd " + shellQuote(folder) + " && " + command
	}
	return command
}

func control(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 })
}

// plain are the words a POSIX shell takes as they are.
var plain = regexp.MustCompile(`^[-a-zA-Z0-9_./:@+,]+$`)

// shellQuote quotes a word for a POSIX shell if it needs to be.
func shellQuote(s string) string {
	if plain.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
