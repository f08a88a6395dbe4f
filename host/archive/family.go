package archive

import (
	"fmt"
	"slices"

	"agy-reader/host/convert"
)

// kin are the conversations of an archive with what the documents of their parents depend on.
type kin struct {
	children map[string][]string
	// state is that of conversations with a parent: nothing depends on others.
	state map[string]string
}

func newKin(entries map[string]*Entry) *kin {
	k := &kin{children: map[string][]string{}, state: map[string]string{}}
	for id, e := range entries {
		if e.Parent != "" {
			k.children[key(e.Parent)] = append(k.children[key(e.Parent)], id)
			k.set(id, e.Name, e.Options, e.Sources)
		}
	}
	for _, list := range k.children {
		slices.Sort(list)
	}
	return k
}

func (k *kin) set(id, name, options string, sources []Source) {
	k.state[id] = hashOf(id, name, options, fmt.Sprint(sources))
}

// hash is over the states of everything below a conversation, as deep as documents follow it; empty when there is nothing.
func (k *kin) hash(id string) string {
	if len(k.children[id]) == 0 {
		return ""
	}
	var parts []string
	seen := map[string]bool{id: true}
	level := []string{id}
	for depth := 0; depth < convert.MaxSubagentDepth && len(level) > 0; depth++ {
		var below []string
		for _, parent := range level {
			for _, child := range k.children[parent] {
				if !seen[child] {
					seen[child] = true
					parts = append(parts, k.state[child])
					below = append(below, child)
				}
			}
		}
		level = below
	}
	if len(parts) == 0 {
		return ""
	}
	return hashOf(parts...)
}

// checkFamilies finds conversations that did not change themselves, but of which something below did.
func (a *archive) checkFamilies(work []*task) {
	if !a.opt.Related {
		return
	}
	k := newKin(a.entries)
	for _, t := range work {
		if t.old != nil && t.old.Parent != "" {
			k.set(key(t.session.ID), t.old.Name, t.options, t.sourcesOf(t.old.Steps))
		}
	}
	for _, t := range work {
		t.whole = t.whole && t.old.Family == k.hash(key(t.session.ID))
	}
}

// setFamilies notes what the documents that this run wrote depend on.
func (a *archive) setFamilies() {
	if !a.opt.Related {
		return
	}
	k := newKin(a.entries)
	for id := range a.fresh {
		a.entries[id].Family = k.hash(id)
	}
}
