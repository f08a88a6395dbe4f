package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"agy-reader/sources"
)

// minPrefix is how much of an id must be typed at least.
const minPrefix = 4

// Finder resolves what a user typed. It lists the stores once, when it first has to. Safe for concurrent use.
type Finder struct {
	roots []Root
	list  func() ([]Session, error)
}

// NewFinder returns a Finder over stores. Of an id in several of them it finds what All puts first.
func NewFinder(roots []Root) *Finder {
	return &Finder{roots: roots, list: sync.OnceValues(func() ([]Session, error) { return All(roots, true) })}
}

// Find takes a path to a session file, a conversation id, or the unambiguous beginning (at least four characters) of one.
func (f *Finder) Find(arg string) (Session, error) {
	if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
		return fromPath(arg), nil
	}
	if strings.ContainsAny(arg, `/\`) {
		_, err := os.Stat(arg)
		if err == nil {
			return Session{}, fmt.Errorf("%s is not a session file: %w", arg, sources.ErrNotFound)
		}
		return Session{}, fmt.Errorf("%w: %w", sources.ErrNotFound, err)
	}
	id := TrimID(arg)
	if id == "" {
		return Session{}, fmt.Errorf("%w: an empty name", sources.ErrNotFound)
	}
	all, listErr := f.list()
	for _, s := range all {
		if strings.EqualFold(s.ID, id) {
			return s, nil
		}
	}
	s, found, err := Beginning(all, id)
	switch {
	case found || err != nil:
		return s, err
	case listErr != nil: // it may lie in what cannot be listed
		return Session{}, listErr
	}
	short := ""
	if len(id) < minPrefix {
		short = fmt.Sprintf(" (the beginning of an id needs %d characters)", minPrefix)
	}
	return Session{}, fmt.Errorf("%w: %s is neither a file nor a conversation under %s%s", sources.ErrNotFound, arg, Paths(f.roots), short)
}

// TrimID takes the ending of a session file off an id, as people paste it: `.pb`, then `.db`.
func TrimID(id string) string { return strings.TrimSuffix(strings.TrimSuffix(id, ".pb"), ".db") }

// Beginning finds the session whose id begins with text, in any case; fewer than four characters are the beginning of none.
// Sessions of one id count once, the first of them. Several are sources.ErrAmbiguous.
func Beginning(sessions []Session, text string) (session Session, found bool, err error) {
	if len(text) < minPrefix {
		return Session{}, false, nil
	}
	var ids []string
	seen := map[string]bool{}
	for _, s := range sessions {
		id := strings.ToLower(s.ID)
		if !strings.HasPrefix(id, strings.ToLower(text)) || seen[id] {
			continue
		}
		seen[id] = true
		if ids = append(ids, s.ID); len(ids) == 1 {
			session = s
		}
	}
	if len(ids) > 1 {
		return Session{}, false, fmt.Errorf("%w: %s is the beginning of %d ids: %s", sources.ErrAmbiguous, text, len(ids), strings.Join(ids, ", "))
	}
	return session, len(ids) == 1, nil
}

// fromPath describes a session file outside or inside a store; the store is recognised by its folder names.
func fromPath(path string) Session {
	kind := filepath.Ext(path)
	s := Session{ID: strings.TrimSuffix(filepath.Base(path), kind), Path: path, Kind: kind}
	if known := kindOf(path); known != "" {
		s.Kind = known
	}
	dir := filepath.Dir(path)
	if whole, err := filepath.Abs(path); err == nil {
		dir = filepath.Dir(whole) // a bare name says nothing about folders
	}
	if bucket := filepath.Base(dir); bucket == Conversations || bucket == Implicit {
		s.Bucket = bucket
		s.Root = Root{Path: filepath.Dir(dir), Surface: markedSurface(filepath.Dir(dir))}
	}
	s.stat()
	if brain := filepath.Join(s.Root.Path, brainFolder, s.ID); s.Bucket == Conversations && isDir(brain) {
		s.Brain = brain
	}
	return s
}

// Paths joins the paths of roots for a message.
func Paths(roots []Root) string {
	paths := make([]string, len(roots))
	for i, r := range roots {
		paths[i] = r.Path
	}
	return strings.Join(paths, ", ")
}
