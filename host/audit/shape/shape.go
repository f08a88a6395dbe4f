package shape

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"agy-reader/host/sidecar"
	"agy-reader/sources"
)

// MaxPaths is the most bytes that all different paths together may have. The trajectories of agy 1.2.11 need 150 KB.
const MaxPaths = 64 << 20

// ErrNone: there is no sidecar to take the shape of. `shape-fingerprint` exits with 3 then.
var ErrNone = errors.New("no sidecar found")

// Shape is the united shape of the documents that were added. The zero value is empty and ready; it is for one goroutine.
type Shape struct {
	root node
	// size is the length of all paths.
	size int
}

// node is a path. Its children are by name, as it stands in the path.
type node struct {
	path     string
	types    types
	pruned   bool
	children map[string]*node
}

// Add unites the shape with that of a document. After an error the shape is of no use: a part of the document may be in it.
// Errors are sidecar.ErrCorrupt, sources.ErrLimit and those of r.
func (s *Shape) Add(r io.ReadSeeker) error {
	wrapped, err := isWrapped(r)
	if err != nil {
		return err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	scanner := sidecar.NewScanner(r)
	if err := scanner.Open(); err != nil {
		return err
	}
	if wrapped {
		err = scanner.Object(func(string) error { return s.document(scanner) })
	} else {
		err = s.document(scanner)
	}
	if err != nil {
		return err
	}
	return scanner.End()
}

// isWrapped reports whether the only member of a document is an object `trajectory`. Only a document that begins with one
// is read to its end.
func isWrapped(r io.Reader) (bool, error) {
	scanner := sidecar.NewScanner(r)
	if err := scanner.Open(); err != nil {
		return false, err
	}
	names, object := 0, false
	err := scanner.Object(func(name string) error {
		if names++; names > 1 || name != "trajectory" {
			return errOther
		}
		object = scanner.Kind() == '{'
		return scanner.Skip()
	})
	switch {
	case errors.Is(err, errOther):
		return false, nil
	case err != nil:
		return false, err
	}
	return names == 1 && object, nil
}

var errOther = errors.New("not a wrapped trajectory")

// document walks through a trajectory.
func (s *Shape) document(scanner *sidecar.Scanner) error {
	s.root.types |= object
	return scanner.Object(func(name string) error {
		if name == "agyReader" {
			return scanner.Skip()
		}
		return s.value(scanner, &s.root, memberName(name))
	})
}

// value walks through a value that stands in parent under a name.
func (s *Shape) value(scanner *sidecar.Scanner, parent *node, name string) error {
	at, err := s.child(parent, name)
	if err != nil {
		return err
	}
	kind := scanner.Kind()
	at.types |= typeOf(kind)
	switch {
	case at.pruned:
		return scanner.Skip()
	case kind == '{':
		return scanner.Object(func(name string) error { return s.value(scanner, at, memberName(name)) })
	case kind == '[':
		return scanner.Array(func() error { return s.value(scanner, at, "[]") })
	}
	return scanner.Skip()
}

func (s *Shape) child(parent *node, name string) (*node, error) {
	if known := parent.children[name]; known != nil {
		return known, nil
	}
	path := name
	if parent != &s.root {
		path = parent.path + "." + name
	}
	if s.size += len(path); s.size > MaxPaths {
		return nil, fmt.Errorf("%w: the names in it are too many or too deep: more than %d bytes of different paths", sources.ErrLimit, MaxPaths)
	}
	made := &node{path: path, pruned: slices.Contains(pruned, path)}
	if parent.children == nil {
		parent.children = map[string]*node{}
	}
	parent.children[strings.Clone(name)] = made
	return made, nil
}

// Lines returns the canonical lines, without newlines at their ends.
func (s *Shape) Lines() []string {
	facts := map[string]types{} // names may hold dots: different nodes, one path
	s.root.collect(facts)
	lines := make([]string, 0, len(facts))
	for path, all := range facts {
		if all != 0 {
			lines = append(lines, path+"\t"+all.String())
		}
	}
	slices.Sort(lines)
	return lines
}

func (n *node) collect(facts map[string]types) {
	facts[n.path] |= n.types
	for _, child := range n.children {
		child.collect(facts)
	}
}

// Fingerprint returns `sha256:` and the hash of the canonical lines in hex.
func (s *Shape) Fingerprint() string { return Fingerprint(s.Lines()) }

// Fingerprint condenses canonical lines.
func Fingerprint(lines []string) string {
	hash := sha256.New()
	for i, line := range lines {
		if i > 0 {
			hash.Write([]byte{'\n'})
		}
		io.WriteString(hash, line) //nolint:errcheck // a hash takes everything
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}
