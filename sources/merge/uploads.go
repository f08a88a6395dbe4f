package merge

import (
	"context"

	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// placer is a folder with files that belong to prompts by their time, and a list of prompts that may be all that is left.
type placer interface {
	Dated() bool
	Place(prompts []sources.Mark)
	WithPrompts()
}

// place tells the folder when the prompts were, or that there are none: logs without a line are all there is. It runs before
// the first Next, and costs nothing where no file asks for it.
func (r *reader) place(ctx context.Context) error {
	f, ok := r.s.folder.(placer)
	if !ok {
		return nil
	}
	outliner, ok := r.inner.(sources.Outliner)
	if _, found := mirror.Last(ctx, r.s.ref); !ok && !found {
		f.WithPrompts()
		return nil
	}
	if !f.Dated() {
		return nil
	}
	have := r.have
	if ok && !r.decided {
		var err error
		if have, err = outliner.Outline(ctx); err != nil {
			return err
		}
	}
	var prompts []sources.Mark
	add := func(m sources.Mark) {
		if m.Kind == kindPrompt {
			prompts = append(prompts, m)
		}
	}
	for _, m := range have {
		add(m)
	}
	lines := r.plan.fill
	if !ok {
		if log := r.s.logs(); log != nil {
			lines = log.Marks()
		}
	}
	for _, m := range lines {
		add(sources.Mark{Index: m.Index, Kind: m.Kind, CreatedNS: m.CreatedNS})
	}
	f.Place(prompts)
	return nil
}

const kindPrompt = "USER_INPUT"
