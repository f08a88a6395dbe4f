package fetch

import (
	"context"
	"fmt"
	"strings"

	"agy-reader/host/store"
	"agy-reader/sources"
)

// find looks an id up as the reference does: roots in their order, in each the names of files first, then the ids that the
// databases hold inside. Background trajectories are not looked at: the daemon serves none.
func find(ctx context.Context, roots []store.Root, source sources.Source, id string) (session store.Session, found bool, err error) {
	id = trimID(id)
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
	return beginning(roots, id)
}

// minBeginning is how much of an id must be typed at least, as for the other commands.
const minBeginning = 4

// beginning finds the one session whose name begins like this. The reference takes whole names only.
func beginning(roots []store.Root, id string) (session store.Session, found bool, err error) {
	if len(id) < minBeginning {
		return store.Session{}, false, nil
	}
	all, err := store.List(roots, false)
	for _, s := range all {
		switch {
		case !strings.HasPrefix(strings.ToLower(s.ID), strings.ToLower(id)) || found && strings.EqualFold(s.ID, session.ID):
		case found:
			return store.Session{}, false, fmt.Errorf("%w: %s begins %s and %s", sources.ErrAmbiguous, id, session.ID, s.ID)
		default:
			session, found = s, true
		}
	}
	return session, found, err
}

// trimID takes the ending of a session file off an id, as people paste it: `.pb`, then `.db`.
func trimID(id string) string { return strings.TrimSuffix(strings.TrimSuffix(id, ".pb"), ".db") }
