package answers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ErrNotFound: no conversation has this id.
var ErrNotFound = errors.New("trajectory not found")

// Session is a conversation in a daemon's memory.
type Session struct {
	*Schema
	// File is the name of its file without the ending.
	File string
	// Trajectory is what is stored.
	Trajectory protoreflect.Message
}

// Folder is the folder of a root whose sessions a daemon can load.
const Folder = "conversations"

// Load reads the session whose file has this name: its database, else its encrypted file.
func Load(root, id string) (*Session, error) {
	if id == "" || strings.ContainsAny(id, `/\`) || !filepath.IsLocal(id) {
		return nil, fmt.Errorf("%q: %w", id, ErrNotFound)
	}
	base := filepath.Join(root, Folder, id)
	for _, kind := range []struct {
		ending string
		schema func() (*Schema, error)
		read   func(*Schema, string) ([]byte, error)
	}{{".db", current, readDatabase}, {".pb", legacy, readLegacy}} {
		info, err := os.Lstat(base + kind.ending)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		s, err := kind.schema()
		if err != nil {
			return nil, err
		}
		raw, err := kind.read(s, base+kind.ending)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", id+kind.ending, err)
		}
		m, err := s.decode(s.trajectory, raw)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", id+kind.ending, err)
		}
		return &Session{Schema: s, File: id, Trajectory: m}, nil
	}
	return nil, fmt.Errorf("%q: %w", id, ErrNotFound)
}

// List returns the names of all sessions of a root, sorted.
func List(root string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, Folder))
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		name, ending := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())), filepath.Ext(e.Name())
		if e.Type().IsRegular() && (ending == ".db" || ending == ".pb") && (len(all) == 0 || all[len(all)-1] != name) {
			all = append(all, name)
		}
	}
	return all, nil
}

// text returns a string field of the trajectory.
func (s *Session) text(name protoreflect.Name) string {
	return s.Trajectory.Get(s.trajectory.Fields().ByName(name)).String()
}

// CascadeID is the id by which a daemon knows the conversation once it is loaded.
func (s *Session) CascadeID() string {
	if id := s.text("cascade_id"); id != "" {
		return id
	}
	return s.File
}

// TrajectoryID is the other id.
func (s *Session) TrajectoryID() string { return s.text("trajectory_id") }

// Steps is the list of steps.
func (s *Session) Steps() protoreflect.List {
	return s.Trajectory.Mutable(s.trajectory.Fields().ByName("steps")).List()
}

// ModelCalls is how many records of calls of a model there are.
func (s *Session) ModelCalls() int {
	return s.Trajectory.Get(s.trajectory.Fields().ByName("generator_metadata")).List().Len()
}

// Clone is a copy that can be changed.
func (s *Session) Clone() *Session {
	c := *s
	c.Trajectory = proto.Clone(s.Trajectory.Interface()).ProtoReflect()
	return &c
}

// Without is a copy whose last steps are missing.
func (s *Session) Without(last int) *Session {
	c := s.Clone()
	steps := c.Steps()
	steps.Truncate(max(0, steps.Len()-last))
	return c
}
