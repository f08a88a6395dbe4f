package fetch

import (
	"context"
	"fmt"
	"strings"

	"agy-reader/host/diag"
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

// unsyncableError says that no disk holds a session that is to be synced. It is of the kind sources.ErrNotFound.
type unsyncableError struct{ id string }

func (e *unsyncableError) Error() string {
	return fmt.Sprintf("cannot --sync: no on-disk session found for %s (sidecar location unknown)", e.id)
}

// Next is what to do about it.
func (e *unsyncableError) Next() string {
	return "see `agy-reader --list` for what can be synced; `agy-reader convert ID` reads what else is on the disk"
}

func (e *unsyncableError) Is(target error) bool { return target == sources.ErrNotFound }

// unheardError says that no file and no daemon has a conversation. Its text is what the daemons said.
type unheardError struct{ error }

func (e *unheardError) Error() string {
	return e.error.Error() + "\nno session file has this id"
}

func (e *unheardError) Unwrap() error { return e.error }

// Next is what to do about it.
func (e *unheardError) Next() string {
	_, _, next := diag.Explain(e.error)
	return "check the id with `agy-reader list`: what it has, `agy-reader convert ID` reads. When only a running agent has it, " + next
}
