package parents

import (
	"slices"
	"strings"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
)

// node is one sidecar.
type node struct {
	facts
	file string
	err  error
	// native and legacy are candidates, sorted and each once.
	native, legacy []string
	duplicate      bool
	// link is the parent this conversation has after the run; empty is none.
	link  string
	cycle bool
}

// fileID is the id that the file's name says, in lower case.
func (n *node) fileID() string { return strings.ToLower(strings.TrimSuffix(n.file, sidecar.Suffix)) }

func (n *node) name() string {
	if store.IsID(n.cascadeID) && n.err == nil {
		return n.cascadeID
	}
	return n.fileID()
}

// usable: the sidecar was read and says whose it is.
func (n *node) usable() bool { return n.err == nil && store.IsID(n.cascadeID) }

// candidates are those of the best class that has any.
func (n *node) candidates() []string {
	if len(n.native) > 0 {
		return n.native
	}
	return n.legacy
}

// certain is the only candidate, or empty.
func (n *node) certain() string {
	if c := n.candidates(); len(c) == 1 && !n.duplicate && !n.badParent {
		return c[0]
	}
	return ""
}

// graph is a whole folder.
type graph struct {
	nodes []*node
	byID  map[string][]*node
}

func newGraph(nodes []*node) *graph {
	g := &graph{nodes: nodes, byID: map[string][]*node{}}
	for _, n := range nodes {
		if n.usable() {
			g.byID[n.cascadeID] = append(g.byID[n.cascadeID], n)
		}
	}
	for _, same := range g.byID {
		for _, n := range same {
			n.duplicate = len(same) > 1
		}
	}
	// A name that is nobody's cascade id means the file.
	for _, n := range nodes {
		if id := n.fileID(); n.usable() && store.IsID(id) && g.byID[id] == nil {
			g.byID[id] = []*node{n}
		}
	}
	g.collect()
	return g
}

// collect brings the evidence of all to the children.
func (g *graph) collect() {
	for _, n := range g.nodes {
		if !n.usable() {
			continue
		}
		if n.parent != "" && !n.badParent {
			n.native = append(n.native, n.parent)
		}
		n.legacy = append(n.legacy, n.agentPaths...)
		for _, id := range n.started {
			for _, child := range g.byID[id] {
				child.native = append(child.native, n.cascadeID)
			}
		}
		for _, a := range n.answers {
			for _, id := range a.ids {
				for _, child := range g.byID[id] {
					if child.hasFirst && slices.Contains(a.prompts, child.first) {
						child.legacy = append(child.legacy, n.cascadeID)
					}
				}
			}
		}
	}
	for _, n := range g.nodes {
		n.native, n.legacy = g.distinct(n.native), g.distinct(n.legacy)
	}
}

// distinct sorts ids and drops repeats. A conversation that is named by its file is the one with its cascade id.
func (g *graph) distinct(ids []string) []string {
	for i, id := range ids {
		if found := g.byID[id]; len(found) == 1 {
			ids[i] = found[0].cascadeID
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// next is the conversation's parent, nil when it has none here.
func (g *graph) next(n *node) *node {
	if found := g.byID[n.link]; n.link != "" && len(found) > 0 {
		return found[0]
	}
	return nil
}

// findCycles marks the members of cycles, not those that lead into one.
func (g *graph) findCycles() {
	walk := map[*node]int{} // the walk that met a node first
	for i, start := range g.nodes {
		n := start
		for n != nil && walk[n] == 0 {
			walk[n] = i + 1
			n = g.next(n)
		}
		for n != nil && walk[n] == i+1 && !n.cycle {
			n.cycle = true
			n = g.next(n)
		}
	}
}
