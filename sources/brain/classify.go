package brain

import (
	"path"
	"strconv"
	"strings"
)

// Kinds of attachments.
const (
	kindArtifact = "artifact"
	kindRevision = "revision"
	kindUpload   = "upload"
	kindImage    = "image"
	kindTaskLog  = "task_log"
	kindOutput   = "output"
	kindMessage  = "message"
	kindQueued   = "queued_prompt"
	kindScratch  = "scratch"
	kindPrompt   = "prompt"

	// Files that stand for themselves nowhere: metadata with its artifact, records of what was delivered, of subagents, and
	// logs, which are another package's.
	kindMetadata = "metadata"
	kindRecord   = "record"
	kindLog      = "log"
)

const metadataSuffix = ".metadata.json"

// kindOf tells what a file is by its place and name.
func kindOf(name string) string {
	base := path.Base(name)
	if rest, ok := strings.CutPrefix(name, generated); ok {
		return generatedKind(rest)
	}
	switch {
	case strings.HasSuffix(base, metadataSuffix):
		return kindMetadata
	case name == base && isLog(base):
		return kindLog
	case isUpload(name):
		return kindUpload
	case revisedBy(name) != "":
		return kindRevision
	case strings.HasPrefix(mimeOf(base), "image/") && path.Ext(base) != ".svg":
		return kindImage
	}
	return kindArtifact
}

func generatedKind(rest string) string {
	folder, base, _ := strings.Cut(rest, "/")
	switch {
	case folder == "tasks" && taskOf(base) >= 0:
		return kindTaskLog
	case folder == "steps" && strings.Contains(base, "/"):
		return kindOutput
	case folder == "messages" && (base == "read.json" || base == "cursor.json" || strings.HasPrefix(base, "undelivered/")):
		return kindRecord
	case folder == "messages" && strings.HasSuffix(base, ".json"):
		return kindMessage
	case folder == "subagents" && strings.HasSuffix(base, ".json"):
		return kindRecord
	}
	return kindArtifact
}

// isLog recognises transcript logs that lie in the folder itself.
func isLog(base string) bool {
	return base == "overview.txt" || strings.HasPrefix(base, "transcript") && strings.HasSuffix(base, ".jsonl")
}

func isUpload(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	base := path.Base(name)
	return folder == ".user_uploaded" || folder == ".tempmediaStorage" ||
		strings.HasPrefix(base, "media__") || strings.HasPrefix(base, "uploaded_image_")
}

// taskOf is the step that a task log belongs to, -1 for another file.
func taskOf(base string) int64 {
	number, ok := strings.CutPrefix(base, "task-")
	number, log := strings.CutSuffix(number, ".log")
	if !ok || !log {
		return -1
	}
	return index(number)
}

// outputOf is the step that a file below steps belongs to, -1 for none.
func outputOf(name string) int64 {
	number, _, _ := strings.Cut(strings.TrimPrefix(name, generated+"steps/"), "/")
	return index(number)
}

func index(text string) int64 {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return -1
	}
	return int64(n)
}

// revisedBy is the file of which name is a rendered copy, empty for another file.
func revisedBy(name string) string {
	base, number, ok := strings.Cut(name, ".resolved")
	if !ok || base == "" || number != "" && (number[0] != '.' || index(number[1:]) < 0) {
		return ""
	}
	return base
}

// revision is the number of a rendered copy. The one without a number is the latest.
func revision(name string) int64 {
	_, number, _ := strings.Cut(name, ".resolved")
	if number == "" {
		return 1 << 32
	}
	return index(number[1:])
}

// mimeTypes do not depend on what the machine has registered.
var mimeTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".bmp": "image/bmp", ".svg": "image/svg+xml", ".avif": "image/avif", ".heic": "image/heic", ".tif": "image/tiff", ".tiff": "image/tiff",
	".pdf": "application/pdf", ".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".m4a": "audio/mp4",
	".md": "text/markdown", ".txt": "text/plain", ".log": "text/plain", ".json": "application/json", ".jsonl": "application/jsonl",
	".html": "text/html", ".htm": "text/html", ".css": "text/css", ".csv": "text/csv", ".xml": "application/xml",
	".zip": "application/zip", ".gz": "application/gzip",
}

// mimeOf is the type that a name promises, empty when it promises none.
func mimeOf(name string) string {
	return mimeTypes[strings.ToLower(path.Ext(name))]
}

// isMedia tells whether a file is something to look at or to listen to.
func isMedia(mimeType string) bool {
	return strings.HasPrefix(mimeType, "image/") || strings.HasPrefix(mimeType, "video/") ||
		strings.HasPrefix(mimeType, "audio/") || mimeType == "application/pdf"
}
