package lineage

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"agy-reader/host/store"
	"agy-reader/sources"
)

// parents is who names whom as its parent, in the indexes and in the conversations themselves.
type parents struct {
	// children are the records about the children of each conversation; own has what each child says itself.
	children map[string][]record
	own      map[string]string
	// scanned conversations were opened, unread ones were not because there are too many.
	scanned, unread int
}

// record says that one conversation started another.
type record struct{ child, evidence string }

// parents reads the indexes and the conversations once. A cancelled reading is begun again by the next caller.
func (f *Family) parents(ctx context.Context) (*parents, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.recorded != nil {
		return f.recorded, nil
	}
	m, err := f.members()
	if err != nil {
		return nil, err
	}
	p := &parents{children: map[string][]record{}, own: map[string]string{}}
	f.indexed(ctx, m, p)
	f.scan(ctx, m, p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.recorded = p
	return p, nil
}

// indexed takes what the indexes of all stores say. Several products share an index file; each record counts once.
func (f *Family) indexed(ctx context.Context, m *members, p *parents) {
	type link struct{ child, parent, origin string }
	seenRoots, seen := map[string]bool{}, map[link]bool{}
	for _, s := range m.all {
		if seenRoots[s.Root.Path] {
			continue
		}
		seenRoots[s.Root.Path] = true
		index := f.index(ctx, s.Root)
		if index == nil {
			continue
		}
		index.Parents(func(child, parent, origin string) bool {
			if l := (link{key(child), key(parent), origin}); parent != "" && !seen[l] {
				seen[l] = true
				p.children[l.parent] = append(p.children[l.parent], record{child, origin})
			}
			return ctx.Err() == nil
		})
	}
}

// scan asks the conversations themselves that no index lists, the newest first.
func (f *Family) scan(ctx context.Context, m *members, p *parents) {
	if f.opt.Scan < 0 {
		return
	}
	var candidates []*store.Session
	for i := range m.all {
		s := &m.all[i]
		// Logs name no parent, and an encrypted file has to be read whole before it says anything.
		if s.Kind != ".db" && (s.Kind != ".pb" || s.Bytes > smallFile) {
			continue
		}
		if index := f.index(ctx, s.Root); index == nil || !index.Lists(s.ID) {
			candidates = append(candidates, s)
		}
	}
	slices.SortStableFunc(candidates, func(a, b *store.Session) int {
		if c := b.Modified.Compare(a.Modified); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	if len(candidates) > f.opt.Scan {
		p.unread = len(candidates) - f.opt.Scan
		candidates = candidates[:f.opt.Scan]
	}
	p.scanned = len(candidates)
	named := make([]string, len(candidates))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range candidates {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			named[i] = f.parentOf(ctx, *s)
			return nil
		})
	}
	_ = group.Wait() // the caller looks at its context
	for i, s := range candidates {
		if parent := named[i]; parent != "" {
			p.own[key(s.ID)] = parent
			p.children[key(parent)] = append(p.children[key(parent)], record{s.ID, byItself})
		}
	}
}

// smallFile is up to which size an encrypted file is read for its parent alone.
const smallFile = 1 << 20

// parentOf reads who a conversation says its parent is. One that cannot be read says nothing; converting it says why.
func (f *Family) parentOf(ctx context.Context, s store.Session) (parent string) {
	defer func() {
		if recover() != nil {
			parent = "" // converting it says what is wrong with it
		}
	}()
	source, err := f.opt.Source(s)
	if err != nil {
		return ""
	}
	ref := s.Ref()
	ref.Titled = true
	if peeker, ok := source.(sources.Peeker); ok {
		if summary, err := peeker.Peek(ctx, ref); err == nil && summary.Header != nil {
			return summary.Header.GetParentConversationId()
		}
	}
	reader, err := source.Open(ctx, ref, sources.Want{Peek: true})
	if err != nil {
		return ""
	}
	parent = reader.Header().GetParentConversationId()
	_, _ = reader.Close() // nothing was read that could be missing
	return parent
}
