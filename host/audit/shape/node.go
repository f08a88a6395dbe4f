package shape

import (
	"slices"
	"strings"
)

// node is a path: a name without a dot below the path of its parent. The document itself has no parent. What no value was at
// has no type.
type node struct {
	name     string
	parent   *node
	children map[string]*node
	length   int // of the path
	types    types
	pruned   bool
}

func newNode(parent *node, name string) *node {
	n := &node{name: name, parent: parent, length: len(name)}
	if !parent.isRoot() {
		n.length += parent.length + len(".")
	}
	n.pruned = slices.ContainsFunc(pruned, n.hasPath)
	return n
}

func (n *node) isRoot() bool { return n.parent == nil }

// cost is what the node counts for MaxPaths, without its children.
func (n *node) cost() int { return n.length + pathCost }

// hasPath reports whether the node's path is a given one.
func (n *node) hasPath(path string) bool {
	for at := n; len(path) == at.length; at = at.parent {
		above, ends := strings.CutSuffix(path, at.name)
		if !ends || at.parent.isRoot() {
			return ends
		}
		if path, ends = strings.CutSuffix(above, "."); !ends {
			return false
		}
	}
	return false
}

// shared is the cost of all nodes below other that are below n too.
func (n *node) shared(other *node) (cost int) {
	for name, child := range other.children {
		if known := n.children[name]; known != nil {
			cost += known.cost() + known.shared(child)
		}
	}
	return cost
}

// adopt unites the node with another of the same path, whose children it may take.
func (n *node) adopt(other *node) {
	n.types |= other.types
	if n.children == nil {
		n.children = other.children
		for _, child := range n.children {
			child.parent = n
		}
		return
	}
	for name, child := range other.children {
		if known := n.children[name]; known != nil {
			known.adopt(child)
		} else {
			n.children[name], child.parent = child, n
		}
	}
}

// collect adds the lines of the node, whose path is given, and of all below it.
func (n *node) collect(path string, lines []string) []string {
	here, prefix := n.types, path
	switch {
	case !n.isRoot():
		prefix += "."
	case n.children[""] != nil: // its path is the document's own
		here |= n.children[""].types
	}
	if here != 0 && (path != "" || n.isRoot()) {
		lines = append(lines, path+"\t"+here.String())
	}
	for name, child := range n.children {
		lines = child.collect(prefix+name, lines)
	}
	return lines
}
