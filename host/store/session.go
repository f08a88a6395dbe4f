package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agy-reader/sources"
)

// Buckets of a store.
const (
	// Conversations holds ordinary sessions.
	Conversations = "conversations"
	// Implicit holds background trajectories; they are listed on request only.
	Implicit = "implicit"
)

// Session is one conversation. A `.db` and a `.pb` of one id are one session whose source is the `.db`.
type Session struct {
	ID     string
	Root   Root
	Bucket string
	// Path is the file to read; Kind its suffix, ".db" or ".pb". Both are empty when only the brain folder is left.
	Path, Kind string
	// Brain is the conversation's own folder, or empty when there is none. Only All and Find fill it.
	Brain string
	// Modified is the newest time of the file and of a non-empty -wal or -journal beside it; without a file, of the logs.
	Modified time.Time
	// Bytes counts the file and its -wal; without a file, the logs.
	Bytes int64
	// Sidecar is the path of `<id>.trajectory.json` beside the file, or empty when there is none.
	Sidecar string
	// Copies are the other stores' sessions of the same id, worse ones than this. Only All fills it.
	Copies []Session
}

// Ref is how a source is asked for the session.
func (s Session) Ref() sources.Ref {
	return sources.Ref{ID: s.ID, Path: s.Path, Surface: s.Root.Surface, Root: s.Root.Path, Brain: s.Brain}
}

// CascadeID is the id that the conversation itself holds, which may differ from its file's name. It is empty when source cannot
// read it: what is wrong with the file is said when somebody asks for the conversation.
func (s Session) CascadeID(ctx context.Context, source sources.Source) string {
	r, err := source.Open(ctx, s.Ref(), sources.Want{Peek: true})
	if err != nil {
		return ""
	}
	id := r.Header().GetConversationId()
	if _, err := r.Close(); err != nil {
		return ""
	}
	return id
}

// List returns the sessions of all roots, newest first; equal times keep the order of roots and names. A store without
// the folder has none. An error names the folder that could not be read.
func List(roots []Root, includeImplicit bool) ([]Session, error) {
	var all []Session
	for _, root := range roots {
		for _, bucket := range buckets(includeImplicit) {
			sessions, err := listBucket(root, bucket)
			if err != nil {
				return nil, err
			}
			all = append(all, sessions...)
		}
	}
	slices.SortStableFunc(all, func(a, b Session) int { return b.Modified.Compare(a.Modified) })
	return all, nil
}

func listBucket(root Root, bucket string) ([]Session, error) {
	dir := filepath.Join(root.Path, bucket)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	byID := make(map[string]int, len(entries))
	var sessions []Session
	for _, entry := range entries {
		kind := filepath.Ext(entry.Name())
		id := strings.TrimSuffix(entry.Name(), kind)
		if (kind != ".db" && kind != ".pb") || id == "" || !entry.Type().IsRegular() {
			continue
		}
		s := Session{Root: root, Bucket: bucket, Path: filepath.Join(dir, entry.Name()), Kind: kind}
		s.ID = s.Path[len(s.Path)-len(entry.Name()) : len(s.Path)-len(kind)] // a long list has no text twice
		if at, seen := byID[id]; seen {
			if kind == ".db" {
				sessions[at] = s
			}
			continue
		}
		byID[id] = len(sessions)
		sessions = append(sessions, s)
	}
	kept := sessions[:0]
	for _, s := range sessions {
		if s.stat() {
			kept = append(kept, s)
		}
	}
	return kept, nil
}

// stat fills times and sizes; false when the file has gone since the folder was read.
func (s *Session) stat() bool {
	info, err := os.Lstat(s.Path)
	if err != nil {
		return false
	}
	s.Modified, s.Bytes = info.ModTime(), info.Size()
	if s.Kind == ".db" {
		if wal, err := os.Lstat(s.Path + "-wal"); err == nil && wal.Size() > 0 {
			s.Bytes += wal.Size()
			s.Modified = later(s.Modified, wal.ModTime())
		}
		if journal, err := os.Lstat(s.Path + "-journal"); err == nil && journal.Size() > 0 {
			s.Modified = later(s.Modified, journal.ModTime())
		}
	}
	if sidecar := sidecarPath(s.Path); exists(sidecar) {
		s.Sidecar = sidecar
	}
	return true
}

// sidecarPath is where the sidecar of a session file belongs.
func sidecarPath(session string) string {
	return strings.TrimSuffix(session, filepath.Ext(session)) + ".trajectory.json"
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
