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

// MaxPaths is the most bytes that all different paths together may have, each counted with pathCost more. The trajectories
// of agy 1.2.11 need 310 KB.
const MaxPaths = 128 << 20

// pathCost is what a path takes beside its text.
const pathCost = 100

// ErrNone: there is no sidecar to take the shape of. `shape-fingerprint` exits with 3 then.
var ErrNone = errors.New("no sidecar found")

// Shape is the united shape of the documents that were added. The zero value is empty and ready; it is for one goroutine.
type Shape struct {
	root node
	// size is what all paths take, see MaxPaths.
	size int
}

// Add unites the shape with that of a document; after an error it is as it was. Errors are sidecar.ErrCorrupt,
// sources.ErrLimit and those of r.
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
	read := new(Shape)
	if wrapped {
		err = scanner.Object(func(string) error { return read.document(scanner) })
	} else {
		err = read.document(scanner)
	}
	if err == nil {
		err = scanner.End()
	}
	if err != nil {
		return err
	}
	return s.unite(read)
}

// unite takes over all that another shape has; the other one is of no use then.
func (s *Shape) unite(other *Shape) error {
	size := s.size + other.size - s.root.shared(&other.root)
	if size > MaxPaths {
		return errTooMany
	}
	s.root.adopt(&other.root)
	s.size = size
	return nil
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
	at, err := s.at(parent, name)
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

// at is the node of a member below a parent. Its name may hold dots, and names that give one path are one node.
func (s *Shape) at(parent *node, path string) (*node, error) {
	for {
		name, rest, more := strings.Cut(path, ".")
		child := parent.children[name]
		if child == nil {
			child = newNode(parent, name)
			if s.size += child.cost(); s.size > MaxPaths {
				return nil, errTooMany
			}
			if parent.children == nil {
				parent.children = map[string]*node{}
			}
			parent.children[name] = child
		}
		if !more {
			return child, nil
		}
		parent, path = child, rest
	}
}

var errTooMany = fmt.Errorf("%w: too many different names, or too deep ones: all paths together, each counted with %d bytes more, have more than %d bytes", sources.ErrLimit, pathCost, MaxPaths)

// Lines returns the canonical lines, without newlines at their ends.
func (s *Shape) Lines() []string {
	lines := s.root.collect("", nil)
	slices.Sort(lines)
	return lines
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
