package interpret

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"agy-reader/proto/agyreader/fileuri"
)

// uriOf returns the file URI of an absolute path, and anything else as it is.
func uriOf(path string) string {
	p := path
	if len(p) > 2 && fileuri.IsDrive(p) {
		p = "/" + strings.ReplaceAll(p, `\`, "/")
	}
	if !strings.HasPrefix(p, "/") {
		return path
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// headerPath returns the path of a URI as one line of a diff can hold it.
func headerPath(uri string) string {
	p := shortPath(fileuri.Path(uri))
	if strings.IndexByte(p, '\n') < 0 {
		return p
	}
	return strconv.Quote(p)
}

// baseOf returns the last element of a path or URI.
func baseOf(uri string) string {
	p := strings.TrimRight(fileuri.Path(uri), `/\`)
	if i := strings.LastIndexAny(p, `/\`); i >= 0 {
		p = p[i+1:]
	}
	return p
}

// languageOf returns the name of a file's language as a Markdown fence takes it, by its ending; empty when unknown.
func languageOf(uri string) string {
	base := baseOf(uri)
	switch base {
	case "Makefile", "makefile", "GNUmakefile":
		return "makefile"
	case "Dockerfile":
		return "dockerfile"
	}
	return languages[path.Ext(base)]
}

var languages = map[string]string{
	".bash": "bash", ".bat": "bat", ".c": "c", ".cc": "cpp", ".cpp": "cpp", ".cs": "csharp", ".css": "css",
	".dart": "dart", ".diff": "diff", ".go": "go", ".h": "c", ".hpp": "cpp", ".htm": "html", ".html": "html",
	".ini": "ini", ".java": "java", ".js": "javascript", ".json": "json", ".jsonl": "json", ".jsx": "jsx",
	".kt": "kotlin", ".lua": "lua", ".md": "markdown", ".mjs": "javascript", ".php": "php", ".pl": "perl",
	".proto": "protobuf", ".ps1": "powershell", ".py": "python", ".rb": "ruby", ".rs": "rust", ".scss": "scss",
	".sh": "bash", ".sql": "sql", ".svg": "xml", ".swift": "swift", ".tex": "latex", ".toml": "toml", ".ts": "typescript",
	".tsx": "tsx", ".vue": "vue", ".xml": "xml", ".yaml": "yaml", ".yml": "yaml", ".zsh": "bash",
}
