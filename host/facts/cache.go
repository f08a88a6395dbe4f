package facts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"agy-reader/proto/agyreader/fileuri"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
)

const (
	metadataFile = "cache/conversation_metadata.json"
	lastFile     = "cache/last_conversations.json"
	projectsFile = "cache/projects.json"
)

// loadCache reads one of the CLI's caches.
func (x *Index) loadCache(file string, take func(data []byte)) {
	if data, ok := x.load(file); ok {
		take(data)
	}
}

// object takes a JSON object apart; what is none has no members, and is noted.
func (x *Index) object(file string, data []byte) (members map[string]json.RawMessage) {
	if err := json.Unmarshal(data, &members); err != nil {
		x.note(file, fmt.Errorf("%w: %w", sources.ErrUnreadable, err))
		return nil
	}
	return members
}

// cached is one conversation in cache/conversation_metadata.json. Names match without case.
type cached struct {
	Title, Preview string
	UpdatedAt      json.RawMessage
	WorkspaceURIs  []string
	ProjectID      string
	// Summary holds the members above in the newer form.
	Summary *cached
}

// metadata reads both forms of the file: entries by id, and the same below `conversations`.
func (x *Index) metadata(data []byte) {
	members := x.object(metadataFile, data)
	if nested, ok := members["conversations"]; ok {
		members = nil
		if err := json.Unmarshal(nested, &members); err != nil {
			x.note(metadataFile, fmt.Errorf("%w: %w", sources.ErrUnreadable, err))
		}
	}
	broken := 0
	for _, id := range slices.Sorted(maps.Keys(members)) {
		var m cached
		if json.Unmarshal(members[id], &m) != nil {
			broken++
			continue
		}
		if m.Summary != nil {
			m = *m.Summary
		}
		c := x.of(id)
		if c == nil {
			broken++
			continue
		}
		c.title.set(text(m.Title), metadataFile)
		c.preview.set(text(interpret.PromptText(m.Preview)), metadataFile)
		c.updated.set(jsonTime(m.UpdatedAt), metadataFile)
		for _, uri := range m.WorkspaceURIs {
			c.place(uri, metadataFile)
		}
		c.projectID.set(m.ProjectID, metadataFile)
	}
	if broken > 0 {
		x.note(metadataFile, fmt.Errorf("%w: %d entries cannot be read", sources.ErrPartial, broken))
	}
}

// jsonTime reads a time that is text, or a number of seconds or milliseconds.
func jsonTime(raw json.RawMessage) int64 {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return tableTime(s)
	}
	var n float64
	if json.Unmarshal(raw, &n) != nil || n < 0 || n > 1e13 {
		return 0
	}
	if n > 1e11 {
		return plausible(time.UnixMilli(int64(n)))
	}
	return plausible(time.Unix(int64(n), 0))
}

// last reads the last conversation of each folder the CLI was started in.
func (x *Index) last(data []byte) {
	members := x.object(lastFile, data)
	for _, cwd := range slices.Sorted(maps.Keys(members)) {
		var id string
		if json.Unmarshal(members[cwd], &id) != nil {
			continue
		}
		if c := x.of(id); c != nil {
			c.place(cwd, lastFile)
		}
	}
}

// projectCache reads which project a folder belongs to.
func (x *Index) projectCache(data []byte) {
	members := x.object(projectsFile, data)
	for _, workspace := range slices.Sorted(maps.Keys(members)) {
		var id string
		if json.Unmarshal(members[workspace], &id) == nil && safeName(id) {
			x.projectOf[Comparable(fileuri.Path(workspace))] = id
		}
	}
}
