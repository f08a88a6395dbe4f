package cli

import (
	"context"
	"slices"
	"sync"

	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/host/facts"
	"agy-reader/host/lineage"
	"agy-reader/host/store"
	"agy-reader/sources"
)

// relatives knows who the subagents of sessions are. A session that lies in none of the roots has its family in its own
// store; a file outside of every store has none.
type relatives struct {
	request *request
	roots   []store.Root
	facts   *facts.Loader
	// all lists every session of the roots.
	all func() ([]store.Session, error)
	// href is the link to the document of a conversation; may be nil.
	href func(id string) string

	mu       sync.Mutex
	families map[string]*lineage.Family
}

func newRelatives(r *request, roots []store.Root, loader *facts.Loader, href func(string) string) *relatives {
	return &relatives{
		request: r, roots: roots, facts: loader, href: href, families: map[string]*lineage.Family{},
		all: func() ([]store.Session, error) { return store.All(roots, true) },
	}
}

// of returns the family of a session, or nil.
func (r *relatives) of(session store.Session) convert.Family {
	if r.request.subagents == convert.SubagentsNone || session.Root.Path == "" {
		return nil
	}
	roots, name := r.roots, ""
	if !slices.ContainsFunc(r.roots, func(root store.Root) bool { return samePath(root.Path, session.Root.Path) }) {
		roots, name = []store.Root{session.Root}, session.Root.Path
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	family := r.families[name]
	if family == nil {
		family = lineage.New(lineage.Options{
			Sessions: func() ([]store.Session, error) {
				list := r.all
				if name != "" {
					list = func() ([]store.Session, error) { return store.All(roots, true) }
				}
				all, err := list()
				if len(all) > 0 {
					err = nil // relatives are among what can be listed
				}
				return all, err
			},
			Source: func(store.Session) (sources.Source, error) { return r.request.source() },
			Index:  func(ctx context.Context, root store.Root) lineage.Index { return r.facts.Of(ctx, root) },
			Href:   r.href,
		})
		r.families[name] = family
	}
	return family
}

// parseSubagents reads --subagents; usual is meant when it is not given.
func parseSubagents(text string, usual convert.Subagents) (convert.Subagents, error) {
	switch mode := convert.Subagents(text); mode {
	case "":
		return usual, nil
	case convert.SubagentsInline, convert.SubagentsSeparate, convert.SubagentsNone:
		return mode, nil
	}
	return "", diag.Usagef("--subagents takes inline, separate or none, not %q", text)
}
