package fetch

import (
	"context"
	"strings"

	"agy-reader/host/store"
	"agy-reader/sources"
)

// find looks an id up as the reference does: roots in their order, in each the names of files first, then the ids that the
// databases hold inside. What is no whole id may be the beginning of a file's name. Background trajectories are not looked at:
// the daemon serves none.
func find(ctx context.Context, roots []store.Root, source sources.Source, id string) (session store.Session, found bool, err error) {
	id = store.TrimID(id)
	for _, root := range roots {
		sessions, err := store.List([]store.Root{root}, false)
		if err != nil {
			return store.Session{}, false, err
		}
		for _, s := range sessions {
			if strings.EqualFold(s.ID, id) {
				return s, true, nil
			}
		}
		for _, s := range sessions {
			if s.Kind == ".db" && strings.EqualFold(s.CascadeID(ctx, source), id) {
				return s, true, nil
			}
		}
	}
	if err := ctx.Err(); err != nil || store.IsID(id) {
		return store.Session{}, false, err
	}
	all, err := store.List(roots, false)
	if err != nil {
		return store.Session{}, false, err
	}
	return store.Beginning(all, id) // the reference takes whole names only
}
