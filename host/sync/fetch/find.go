package fetch

import (
	"context"
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
			if s.Kind == ".db" && strings.EqualFold(cascadeID(ctx, source, s), id) {
				return s, true, nil
			}
		}
	}
	return store.Session{}, false, ctx.Err()
}

// trimID takes the ending of a session file off an id, as people paste it: `.pb`, then `.db`.
func trimID(id string) string { return strings.TrimSuffix(strings.TrimSuffix(id, ".pb"), ".db") }

// cascadeID is the id that the conversation itself holds, which may differ from its file's name. It is empty when it cannot
// be read: what is wrong with the file is said when somebody asks for it.
func cascadeID(ctx context.Context, source sources.Source, s store.Session) string {
	r, err := source.Open(ctx, s.Ref(), sources.Want{Peek: true})
	if err != nil {
		return ""
	}
	id := r.Header().GetConversationId()
	if _, err := r.Close(); err != nil {
		return ""
	}
	return id
}
