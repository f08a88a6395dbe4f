package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agy-reader/sources/regular"
)

// magic starts every SQLite database that is not empty.
const magic = "SQLite format 3\x00"

// kindOf is what a file is, whatever the case of its ending; a database is also known by its first bytes. Empty when it
// is none of ours.
func kindOf(path string) string {
	switch kind := strings.ToLower(filepath.Ext(path)); kind {
	case ".db", ".pb":
		return kind
	}
	file, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(file, head); err != nil || !bytes.Equal(head, []byte(magic)) {
		return ""
	}
	return ".db"
}

// beside are endings of files that belong to a session file.
var beside = []string{"-wal", "-shm", "-journal", ".trajectory.json", ".meta", ".tmp", ".lock", ".keep"}

// belongs reports whether a file is no session and is not meant to be one.
func belongs(name string) bool {
	if strings.HasPrefix(name, ".") {
		return true
	}
	for _, ending := range beside {
		if strings.HasSuffix(strings.ToLower(name), ending) {
			return true
		}
	}
	return false
}

// recognise looks at the files of a bucket that List does not take: sessions that only their content shows, and how
// many files are of a kind nobody knows, by ending.
func recognise(root Root, bucket string) (sessions []Session, unknown map[string]int, err error) {
	dir := filepath.Join(root.Path, bucket)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list %s: %w", dir, err)
	}
	unknown = map[string]int{}
	taken := map[string]bool{}
	for _, entry := range entries {
		if id, ok := plainName(entry.Name()); ok {
			taken[strings.ToLower(id)] = true
		}
	}
	for _, entry := range entries {
		name := entry.Name()
		if _, ok := plainName(name); ok || belongs(name) || !entry.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, name)
		id := strings.TrimSuffix(name, filepath.Ext(name))
		if kind := kindOf(path); kind != "" && conversationID.MatchString(id) && !taken[strings.ToLower(id)] {
			if s := (Session{ID: id, Root: root, Bucket: bucket, Path: path, Kind: kind}); s.stat() {
				sessions = append(sessions, s)
				taken[strings.ToLower(id)] = true
			}
			continue
		}
		unknown[filepath.Ext(name)]++
	}
	return sessions, unknown, nil
}

// plainName takes the name of a file that List takes apart.
func plainName(name string) (id string, ok bool) {
	if id, ok = strings.CutSuffix(name, ".db"); !ok {
		id, ok = strings.CutSuffix(name, ".pb")
	}
	return id, ok && id != ""
}

// Unknown counts, by ending, the files where sessions lie that are of a kind nobody knows. A newer product may
// have begun to write sessions in another form.
func Unknown(roots []Root, includeImplicit bool) map[string]int {
	all := map[string]int{}
	for _, root := range roots {
		for _, bucket := range buckets(includeImplicit) {
			_, unknown, err := recognise(root, bucket)
			if err != nil {
				continue // All says so
			}
			for ending, n := range unknown {
				all[ending] += n
			}
		}
	}
	return all
}

// Links are the paths of symbolic links that have the name of a session file or of a conversation's brain folder. No list
// follows them.
func Links(roots []Root, includeImplicit bool) (links []string) {
	for _, root := range roots {
		for _, folder := range append(buckets(includeImplicit), brainFolder) {
			dir := filepath.Join(root.Path, folder)
			entries, err := os.ReadDir(dir)
			if err != nil {
				continue // All says so
			}
			for _, entry := range entries {
				if entry.Type()&fs.ModeSymlink == 0 {
					continue
				}
				_, session := plainName(entry.Name())
				if session && folder != brainFolder || folder == brainFolder && conversationID.MatchString(entry.Name()) {
					links = append(links, filepath.Join(dir, entry.Name()))
				}
			}
		}
	}
	return links
}

func buckets(includeImplicit bool) []string {
	if includeImplicit {
		return []string{Conversations, Implicit}
	}
	return []string{Conversations}
}
