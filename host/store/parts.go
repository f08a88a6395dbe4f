package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Parts names what there is to make the conversation's transcript of: `db` and `pb`; `full log`, `short log`, `old log` and
// `chunks` (pieces of logs); `messages`, `task logs`, `spilled output` and `artifacts`. No file is opened.
func (s Session) Parts() []string {
	var parts []string
	add := func(name string, found bool) {
		if found {
			parts = append(parts, name)
		}
	}
	stem := strings.TrimSuffix(s.Path, filepath.Ext(s.Path))
	add("db", s.Kind == ".db")
	add("pb", s.Kind == ".pb" || s.Kind == ".db" && isFile(stem+".pb"))
	if s.Brain == "" {
		return parts
	}
	at := func(path string) string { return filepath.Join(s.Brain, ".system_generated", filepath.FromSlash(path)) }
	add("full log", isFile(at("logs/transcript_full.jsonl")))
	add("short log", isFile(at("logs/transcript.jsonl")))
	add("old log", isFile(at("logs/overview.txt")))
	add("chunks", holds(at("logs/chunks"), "") || holds(filepath.Join(s.Brain, "chunks"), ""))
	add("messages", holds(at("messages"), ".json"))
	add("task logs", holds(at("tasks"), ".log"))
	add("spilled output", holds(at("steps"), ""))
	add("artifacts", holds(s.Brain, ".md"))
	return parts
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// holds reports whether a folder has an entry with this ending.
func holds(folder, ending string) bool {
	if info, err := os.Lstat(folder); err != nil || info.Mode()&fs.ModeSymlink != 0 || !info.IsDir() {
		return false
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, ending) && name != "read.json" && name != "cursor.json" {
			return true
		}
	}
	return false
}
