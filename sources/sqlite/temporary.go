package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// Kinds of private folders for temporary files.
const (
	copyFolder  = "agy-reader-copy-"
	scrubFolder = "agy-reader-scrub-"
)

var (
	folderName = regexp.MustCompile(`^(?:` + copyFolder + `|` + scrubFolder + `)[0-9]+$`)
	// fileName matches what such a folder may hold.
	fileName = regexp.MustCompile(`^(?:copy|scrubbed)\.db(?:-journal|-wal|-shm)?$`)
)

// staleAfter is longer than any copy takes.
const staleAfter = 24 * time.Hour

// temporaryFolder makes a private folder, and removes those that killed processes left behind.
func temporaryFolder(kind string) (string, error) {
	removeStale(os.TempDir(), time.Now().Add(-staleAfter))
	return os.MkdirTemp("", kind+"*")
}

// removeStale removes folders of ours in dir that were made before a time. What it cannot remove, or what looks in any way
// different from a folder of ours, stays.
func removeStale(dir string, before time.Time) {
	entries, _ := os.ReadDir(dir) // as far as it can be listed
	for _, entry := range entries {
		if !folderName.MatchString(entry.Name()) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || !ours(info) || !info.ModTime().Before(before) {
			continue
		}
		if content, err := os.ReadDir(path); err == nil && onlyOurs(content) {
			os.RemoveAll(path)
		}
	}
}

func onlyOurs(content []fs.DirEntry) bool {
	for _, entry := range content {
		if !entry.Type().IsRegular() || !fileName.MatchString(entry.Name()) {
			return false
		}
	}
	return true
}
