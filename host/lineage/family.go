// Package lineage finds out which conversation was started by which, offline: by conversation ids that are recorded, never
// by order, times or messages.
//
// What links a child to its parent, and where it is read:
//   - the parent's step that started it, invoke_subagent results (the converter reads those);
//   - the child's own record, parent_conversation_id in its trajectory metadata;
//   - the parent's folder `.system_generated/subagents/<child>.json`, which also names the step;
//   - the stores' indexes, parent_conversation_id in conversation_summaries.db.
//
// Agent messages are no evidence: two agents that talk to each other are not each other's parents.
package lineage

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"agy-reader/host/convert"
	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Index is what the indexes of one store say; *facts.Index is one.
type Index interface {
	// Parents are all parents the index names, children in a fixed order; origin is the index.
	Parents(yield func(child, parent, origin string) bool)
	// Lists reports whether the index would name the parent of a conversation if it had one.
	Lists(id string) bool
	// Title is the title of a conversation; an empty value when the index has none.
	Title(id string) *transcriptv1.Sourced
	// Describe completes a header.
	Describe(h *transcriptv1.Header)
}

// Options say what a Family knows.
type Options struct {
	// Sessions lists every conversation of the stores; it is called once, when a relative is first looked for.
	Sessions func() ([]store.Session, error)
	// Source chooses who reads a session.
	Source func(store.Session) (sources.Source, error)
	// Index returns what the indexes of a store say; may be nil.
	Index func(context.Context, store.Root) Index
	// Href is the relative link to the document of a conversation, empty when it has none; may be nil.
	Href func(id string) string
	// Scan is how many conversations that no index lists are opened at most to read who their parents are: that is the only
	// evidence of a child that no step or folder of its parent names. The newest come first. 0 is the usual number, less than
	// 0 none.
	Scan int
}

// defaultScan is the usual Options.Scan. Reading one parent takes about a millisecond.
const defaultScan = 500

// Family knows the conversations of the stores by their relations, convert.Family. It is safe for concurrent use and reads
// each thing once.
type Family struct {
	opt     Options
	members func() (*members, error)

	mu       sync.Mutex
	recorded *parents
	titles   map[string]string
}

// members are the conversations of the stores.
type members struct {
	all []store.Session
	// at has the place in all of each id.
	at map[string]int
}

// find returns the conversation of an id; false when no store holds it.
func (m *members) find(id string) (store.Session, bool) {
	i, found := m.at[key(id)]
	if !found {
		return store.Session{}, false
	}
	return m.all[i], true
}

var _ convert.Family = (*Family)(nil)

// New returns a Family.
func New(opt Options) *Family {
	if opt.Scan == 0 {
		opt.Scan = defaultScan
	}
	return &Family{opt: opt, titles: map[string]string{}, members: sync.OnceValues(func() (*members, error) {
		all, err := opt.Sessions()
		if err != nil {
			return nil, err
		}
		m := &members{all: all, at: make(map[string]int, len(all))}
		for i, s := range all {
			if _, taken := m.at[key(s.ID)]; !taken {
				m.at[key(s.ID)] = i
			}
		}
		return m, nil
	})}
}

// key makes ids comparable: the product writes them in lower case, file systems need not.
func key(id string) string { return strings.ToLower(id) }

// Find implements convert.Family.
func (f *Family) Find(ctx context.Context, id string) (*convert.Relative, error) {
	m, err := f.members()
	if err != nil {
		return nil, err
	}
	s, found := m.find(id)
	if !found {
		return nil, fmt.Errorf("%w: %s", sources.ErrNotFound, id)
	}
	source, err := f.opt.Source(s)
	if err != nil {
		return nil, err
	}
	r := &convert.Relative{Source: source, Ref: s.Ref()}
	if f.opt.Href != nil {
		r.Href = f.opt.Href(s.ID)
	}
	if index := f.index(ctx, s.Root); index != nil {
		r.Title, r.Describe = index.Title(s.ID).GetValue(), index.Describe
	}
	if r.Title == "" {
		r.Title = f.title(ctx, source, r.Ref)
	}
	return r, ctx.Err()
}

// title reads a conversation's title from its steps; empty when that fails, as reading it will say why.
func (f *Family) title(ctx context.Context, source sources.Source, ref sources.Ref) string {
	peeker, ok := source.(sources.Peeker)
	if !ok {
		return ""
	}
	f.mu.Lock()
	title, known := f.titles[key(ref.ID)]
	f.mu.Unlock()
	if known {
		return title
	}
	summary, err := peeker.Peek(ctx, ref)
	if err != nil {
		return ""
	}
	title = summary.Title.GetValue()
	f.mu.Lock()
	f.titles[key(ref.ID)] = title
	f.mu.Unlock()
	return title
}

func (f *Family) index(ctx context.Context, root store.Root) Index {
	if f.opt.Index == nil {
		return nil
	}
	return f.opt.Index(ctx, root)
}
