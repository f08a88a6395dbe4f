package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agy-reader/sources"
)

// brainFolder holds a folder for each conversation, with what the product keeps beside its steps.
const brainFolder = "brain"

// conversationID is what the product names conversations. Other folders in the brain belong to nobody.
var conversationID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// IsID reports whether a text is a conversation id. Upper and lower case are the same id.
func IsID(s string) bool { return conversationID.MatchString(s) }

// All returns every conversation of all roots, newest first: those of List, with their brain folders, and those
// that only a brain folder is left of. An id in several stores is one conversation: the one with a database before one
// with an encrypted file before one with logs only, then the newest; the others are its Copies.
//
// A folder that cannot be listed takes nothing from the others: then there are both a list and an error.
func All(roots []Root, includeImplicit bool) (all []Session, err error) {
	at := map[string]int{}
	for _, root := range roots {
		sessions, rootErr := conversationsOf(root, includeImplicit)
		err = errors.Join(err, rootErr)
		all = join(all, sessions, at)
	}
	sortByTime(all)
	return all, err
}

// WithImplicit adds the implicit conversations of the roots to what All lists without them. Where there are none, it
// returns the list itself: a long one need not be in memory twice.
func WithImplicit(all []Session, roots []Root) ([]Session, error) {
	var more []Session
	var err error
	for _, root := range roots {
		sessions, rootErr := bucketOf(root, Implicit)
		err = errors.Join(err, rootErr)
		more = append(more, sessions...)
	}
	if len(more) == 0 {
		return all, err
	}
	at := make(map[string]int, len(all))
	all = join(join(nil, all, at), more, at)
	sortByTime(all)
	return all, err
}

// join adds sessions to a list that has each id once, in lower case in at with its place.
func join(all, sessions []Session, at map[string]int) []Session {
	all = slices.Grow(all, len(sessions))
	for _, s := range sessions {
		key := strings.ToLower(s.ID)
		i, seen := at[key]
		if !seen {
			at[key] = len(all)
			all = append(all, s)
			continue
		}
		all[i] = joined(all[i], s)
	}
	return all
}

func sortByTime(all []Session) {
	slices.SortStableFunc(all, func(a, b Session) int { return b.Modified.Compare(a.Modified) })
}

// joined makes one conversation of two with the same id.
func joined(a, b Session) Session {
	if rank(b) > rank(a) || rank(b) == rank(a) && b.Modified.After(a.Modified) {
		a, b = b, a
	}
	copies := append(a.Copies, b.Copies...)
	b.Copies = nil
	a.Copies = append(copies, b)
	return a
}

func rank(s Session) int {
	switch {
	case s.Kind == ".db":
		return 3
	case s.Kind == ".pb" && s.Bucket == Conversations:
		return 2
	case s.Kind == ".pb":
		return 1
	default:
		return 0
	}
}

func conversationsOf(root Root, includeImplicit bool) (all []Session, err error) {
	for _, bucket := range buckets(includeImplicit) {
		sessions, bucketErr := bucketOf(root, bucket)
		err = cmp.Or(err, bucketErr)
		all = append(all, sessions...)
	}
	dir := filepath.Join(root.Path, brainFolder)
	entries, readErr := os.ReadDir(dir)
	if readErr != nil && !errors.Is(readErr, fs.ErrNotExist) && err == nil { // one of them is said
		err = unlisted(fmt.Errorf("list %s: %w", dir, readErr))
	}
	brains := make(map[string]string, len(entries))
	for _, entry := range entries {
		if entry.IsDir() && conversationID.MatchString(entry.Name()) {
			brains[strings.ToLower(entry.Name())] = filepath.Join(dir, entry.Name())
		}
	}
	for i := range all {
		key := strings.ToLower(all[i].ID)
		if all[i].Bucket == Conversations {
			all[i].Brain = brains[key]
			delete(brains, key)
		}
	}
	for _, entry := range entries {
		brain, left := brains[strings.ToLower(entry.Name())]
		if !left {
			continue
		}
		s := Session{ID: entry.Name(), Root: root, Bucket: brainFolder, Brain: brain}
		if s.statBrain() {
			all = append(all, s)
		}
	}
	return all, err
}

// bucketOf lists the sessions of one folder of a store, however their files are named.
func bucketOf(root Root, bucket string) ([]Session, error) {
	all, err := listBucket(root, bucket)
	if err != nil {
		return nil, unlisted(err)
	}
	others, _, err := recognise(root, bucket)
	if err != nil {
		err = unlisted(err)
	}
	return append(all, others...), err
}

func unlisted(err error) error { return fmt.Errorf("%w: %w", sources.ErrUnreadable, err) }

// statBrain fills times and sizes from the logs, else from the messages; false when the folder holds nothing a transcript
// could be made of.
func (s *Session) statBrain() bool {
	generated := filepath.Join(s.Brain, ".system_generated")
	found := false
	for _, pattern := range []string{"logs/*.jsonl", "logs/*.txt", "logs/chunks/*/*.jsonl", "chunks/*/*.jsonl", "messages/*.json"} {
		base := generated
		if strings.HasPrefix(pattern, "chunks") {
			base = s.Brain
		}
		names, err := filepath.Glob(filepath.Join(escapeGlob(base), filepath.FromSlash(pattern)))
		if err != nil {
			continue // the pattern is a constant; a base that cannot be escaped matches nothing
		}
		for _, name := range names {
			info, err := os.Lstat(name)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			found = true
			s.Bytes += info.Size()
			s.Modified = later(s.Modified, info.ModTime())
		}
	}
	return found
}

// escapeGlob makes a path match itself.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // Windows has no escape; its file names cannot hold * or ?
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
