package main

import (
	"errors"
	"slices"

	"agy-reader/host/agytest/answers"
	"agy-reader/host/agytest/control"
)

// behaviour is one that the daemon was told, or the sum of those that a request meets.
type behaviour struct {
	control.Behaviour
	left int
	// frozen are the sessions as they were, by the name of their file.
	frozen map[string]*answers.Session
}

// set takes the place of all behaviours.
func (d *daemon) set(told []control.Behaviour) error {
	var all []*behaviour
	for _, t := range told {
		b := &behaviour{Behaviour: t, left: t.Times}
		if t.Frozen {
			if err := b.freeze(d.config.Root); err != nil {
				return err
			}
		}
		all = append(all, b)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.behaviours = all
	return nil
}

// freeze keeps what the store holds now.
func (b *behaviour) freeze(root string) error {
	names := b.IDs
	if len(names) == 0 {
		var err error
		if names, err = answers.List(root); err != nil {
			return err
		}
	}
	b.frozen = map[string]*answers.Session{}
	for _, name := range names {
		s, err := answers.Load(root, name)
		switch {
		case err == nil:
			b.frozen[name] = s
		case !errors.Is(err, answers.ErrNotFound):
			return err
		}
	}
	return nil
}

// meets reports whether a behaviour is for a request.
func (b *behaviour) meets(in *request) bool {
	form := "ordinary"
	if in.full() {
		form = "full"
	}
	steps := in.method == "GetCascadeTrajectory" || in.method == "GetCascadeTrajectorySteps"
	methods := b.Methods
	if b.Write != "" && len(methods) == 0 {
		methods = []string{"GetCascadeTrajectory"}
	}
	return (len(methods) == 0 || slices.Contains(methods, in.method)) &&
		(len(b.IDs) == 0 || slices.Contains(b.IDs, in.id)) && (b.Form == "" || steps && b.Form == form)
}

// behave is what a request meets.
func (d *daemon) behave(in *request) behaviour {
	d.mu.Lock()
	defer d.mu.Unlock()
	var sum behaviour
	for _, b := range d.behaviours {
		if !b.meets(in) || b.Times > 0 && b.left == 0 {
			continue
		}
		b.left--
		sum.add(b)
	}
	return sum
}

// add lets a later behaviour win.
func (b *behaviour) add(o *behaviour) {
	b.Stale, b.Crash, b.Gzip = b.Stale || o.Stale, b.Crash || o.Crash, b.Gzip || o.Gzip
	b.Slow = max(b.Slow, o.Slow)
	for _, n := range []struct{ into, from *int }{
		{&b.Truncated, &o.Truncated}, {&b.Lost, &o.Lost}, {&b.PageSize, &o.PageSize}, {&b.Pad, &o.Pad}, {&b.Limit, &o.Limit}, {&b.Refuse, &o.Refuse},
	} {
		if *n.from != 0 {
			*n.into = *n.from
		}
	}
	if o.Wrong != "" {
		b.Wrong = o.Wrong
	}
	if o.Write != "" {
		b.Write = o.Write
	}
	if o.frozen != nil {
		b.frozen = o.frozen
	}
}
