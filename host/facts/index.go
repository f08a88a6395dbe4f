package facts

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"agy-reader/host/store"
)

// Index is what one store's indexes say. It is safe for concurrent use.
type Index struct {
	files folder
	// beside is the folder that holds the store: the settings of all products lie there.
	beside folder
	// conversations by lower-case id.
	conversations map[string]*conversation
	// projectOf has the project's id for a workspace's path, as comparable gives it.
	projectOf map[string]string

	mu       sync.Mutex
	notes    []string
	projects map[string]*Project
}

// conversation is what the indexes of a store say about one conversation. The first index that says something counts.
type conversation struct {
	renamed, title, preview fact
	projectID               fact
	// places are workspaces, the best first.
	places []fact
	parent fact
	// listed is set when an index lists it that names the parent of every conversation that has one.
	listed           bool
	created, updated moment
}

// fact is a value and where it stands; an empty value is unknown.
type fact struct{ value, origin string }

// moment is a time and where it stands; 0 is unknown.
type moment struct {
	ns     int64
	origin string
}

// maxConversations bounds how many conversations the indexes of a store may tell of.
const maxConversations = 200_000

// Load reads the indexes of a store. It always returns an index; what could not be read is in its Notes. Files of single
// conversations (annotations, .meta) and of projects are read when they are asked for.
func Load(ctx context.Context, root store.Root) *Index {
	x := &Index{
		files: folder{root.Path}, beside: folder{above(root.Path)},
		conversations: map[string]*conversation{}, projectOf: map[string]string{}, projects: map[string]*Project{},
	}
	if root.Path == "" { // a session file that belongs to no store
		x.files, x.beside = folder{}, folder{}
		return x
	}
	x.loadTable(ctx)
	x.loadSummaries(ctx, "agyhub_summaries_proto.pb")
	x.loadSummaries(ctx, "jetbox_summaries_proto.pb")
	x.loadCache(metadataFile, x.metadata)
	x.loadHistory(ctx)
	x.loadCache(lastFile, x.last)
	x.loadCache(projectsFile, x.projectCache)
	return x
}

// Notes are sentences about index files that could not be used, or not wholly.
func (x *Index) Notes() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.notes)
}

// note keeps a sentence about a file. It says each only once, and stops when there are many.
func (x *Index) note(file string, err error) {
	const most = 20
	text := fmt.Sprintf("%s: %v", file, err)
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.notes) < most && !slices.Contains(x.notes, text) {
		x.notes = append(x.notes, text)
	}
}

// of returns the entry of a conversation, making it; nil when there are too many, or id is none.
func (x *Index) of(id string) *conversation {
	if !safeName(id) {
		return nil
	}
	id = strings.ToLower(id)
	c := x.conversations[id]
	if c == nil && len(x.conversations) < maxConversations {
		c = &conversation{}
		x.conversations[id] = c
	}
	return c
}

// get returns the entry of a conversation or an empty one.
func (x *Index) get(id string) *conversation {
	if c := x.conversations[strings.ToLower(id)]; c != nil {
		return c
	}
	return &conversation{}
}

func (f *fact) set(value, origin string) {
	if f.value == "" && value != "" {
		*f = fact{value, origin}
	}
}

func (c *conversation) place(value, origin string) {
	const most = 64
	if value != "" && len(c.places) < most {
		c.places = append(c.places, fact{value, origin})
	}
}

func (m *moment) set(ns int64, origin string) {
	if m.ns == 0 && ns != 0 {
		*m = moment{ns, origin}
	}
}

// Parent is the id of the conversation that started this one, as an index has it, and which index; both are empty when none does.
func (x *Index) Parent(id string) (parent, origin string) {
	f := x.get(id).parent
	return f.value, f.origin
}

// Parents are all parents the indexes name: of each child, in order of ids, its parent.
func (x *Index) Parents(yield func(child, parent, origin string) bool) {
	for _, id := range slices.Sorted(maps.Keys(x.conversations)) {
		if p := x.conversations[id].parent; p.value != "" && !yield(id, p.value, p.origin) {
			return
		}
	}
}

// Lists reports whether an index that names the parent of every conversation that has one lists this one: it then has
// none, or Parent knows it.
func (x *Index) Lists(id string) bool { return x.get(id).listed }

// Loader loads the index of each store at most once. Its zero value is ready; it is safe for concurrent use.
type Loader struct {
	mu     sync.Mutex
	loaded map[string]func() *Index
}

// Of returns the index of a store.
func (l *Loader) Of(ctx context.Context, root store.Root) *Index {
	l.mu.Lock()
	if l.loaded == nil {
		l.loaded = map[string]func() *Index{}
	}
	load := l.loaded[root.Path]
	if load == nil {
		load = sync.OnceValue(func() *Index { return Load(ctx, root) })
		l.loaded[root.Path] = load
	}
	l.mu.Unlock()
	return load()
}

// Notes are those of every index loaded so far, in order of their stores.
func (l *Loader) Notes() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []string
	for _, path := range slices.Sorted(maps.Keys(l.loaded)) {
		all = append(all, l.loaded[path]().Notes()...)
	}
	return all
}
