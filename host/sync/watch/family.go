package watch

import (
	"context"
	"path/filepath"

	"agy-reader/host/parents"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/sync/reuse"
)

// families is what a loop knows about the links between children and their parents.
type families struct {
	// linked are the sidecars as they were when the links were last resolved, by session; fresh are sessions whose sidecar is
	// another one: somebody wrote it, and may have died before linking it.
	linked map[string]reuse.File
	fresh  map[string]bool
	// said are the diagnostics of the last pass.
	said map[string]bool
}

func newFamilies() families {
	return families{linked: map[string]reuse.File{}, fresh: map[string]bool{}}
}

// known notes a sidecar that was linked by whoever remembered it.
func (f *families) known(path string, file reuse.File) {
	if _, known := f.linked[path]; !known {
		f.linked[path] = file
	}
}

// settled notes a verified sidecar.
func (f *families) settled(path string, file reuse.File, wrote bool) {
	if linked, known := f.linked[path]; wrote || !known || linked != file {
		f.fresh[path] = true
	}
}

// link resolves the parents of the whole store, when any sidecar is another one than last time.
func (l *loop) resolve(ctx context.Context) {
	if len(l.families.fresh) == 0 {
		return
	}
	report, err := parents.Stamp(ctx, filepath.Join(l.root.Path, store.Conversations), false)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		l.say("watch: parent links: %v", err)
	}
	said := map[string]bool{}
	for _, d := range report.Diagnostics {
		line := d.String()
		if said[line] = true; !l.families.said[line] {
			l.say("%s", line)
		}
	}
	l.families.said = said
	if report.Stamped > 0 {
		l.say("watch: stamped %d parent link(s)", report.Stamped)
	}
	for path := range l.families.fresh {
		state, _ := reuse.Look(path, sidecar.Path(path))
		l.families.linked[path] = state.Sidecar
	}
	clear(l.families.fresh)
}

// forget drops what is remembered of sessions that are gone.
func (l *loop) forget(sessions []store.Session) {
	there := make(map[string]bool, len(sessions))
	for _, s := range sessions {
		there[s.Path] = true
	}
	l.verified.Keep(there)
	l.unread.Keep(there)
	keep(l.held, there)
	keep(l.open, there)
	keep(l.families.linked, there)
}

func keep[V any](of map[string]V, there map[string]bool) {
	for path := range of {
		if !there[path] {
			delete(of, path)
		}
	}
}
