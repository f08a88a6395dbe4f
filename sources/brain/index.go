package brain

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"agy-reader/sources/regular"
	"agy-reader/sources/spawned"
)

// index sorts the files into what is looked up later.
func (f *Folder) index() {
	f.tasks, f.outputs = map[uint32]entry{}, map[uint32][]entry{}
	f.uploads, f.metadata, f.artifact = map[string]entry{}, map[string]entry{}, map[string]bool{}
	f.pictured = map[string][]entry{}
	for _, e := range f.files {
		switch kindOf(e.name) {
		case kindTaskLog:
			f.tasks[uint32(taskOf(path.Base(e.name)))] = e
		case kindOutput:
			if n := outputOf(e.name); n >= 0 {
				f.outputs[uint32(n)] = append(f.outputs[uint32(n)], e)
			}
		case kindUpload:
			f.uploads[path.Base(e.name)] = e
		case kindImage:
			f.pictured[path.Base(e.name)] = append(f.pictured[path.Base(e.name)], e)
			if ending := path.Ext(e.name); !slices.Contains(f.endings, ending) {
				f.endings = append(f.endings, ending)
			}
		case kindMetadata:
			f.metadata[strings.TrimSuffix(e.name, metadataSuffix)] = e
		case kindArtifact:
			f.artifact[e.name] = true
		}
	}
}

// tempFolder is where uploads of all conversations of a store lie until they are sent.
const tempFolder = "brain/tempmediaStorage"

// lookTemp lists the uploads that lie beside the folder.
func (f *Folder) lookTemp() map[string]entry {
	found := map[string]entry{}
	if f.at == "." {
		return found
	}
	outer := &Folder{store: f.store, at: tempFolder}
	root, err := outer.root()
	if err != nil {
		return found
	}
	defer root.Close()
	list, _, err := outer.list(root, ".", maxFiles)
	if err != nil {
		return found
	}
	for _, e := range list {
		if isUpload(e.name) {
			e.outside = path.Join(tempFolder, e.name)
			found[path.Base(e.name)] = e
		}
	}
	return found
}

// Children tells which conversations the steps started, by index of the step, as the product noted it when it did.
func (f *Folder) Children() map[uint32][]string { return f.children() }

const maxChildren = 10_000

func (f *Folder) readChildren() map[uint32][]string {
	found := map[uint32][]string{}
	count := 0
	for _, e := range f.files {
		if !strings.HasPrefix(e.name, generated+"subagents/") || kindOf(e.name) != kindRecord || count == maxChildren {
			continue
		}
		raw, problem := f.small(context.Background(), e, maxMetadata)
		if problem != "" {
			continue // the steps name most children too
		}
		record, _ := spawned.Parse(raw, strings.TrimSuffix(path.Base(e.name), ".json"))
		if record.ID == "" || len(record.ID) > 128 || record.Step == nil {
			continue
		}
		count++
		found[*record.Step] = append(found[*record.Step], strings.ToValidUTF8(record.ID, "\uFFFD"))
	}
	return found
}

// readMarks returns the ids of messages that the agent was given.
func (f *Folder) readMarks() map[string]bool {
	for _, e := range f.files {
		if e.name != generated+"messages/read.json" {
			continue
		}
		raw, problem := f.small(context.Background(), e, maxMessage)
		var marks map[string]bool
		if problem == "" && json.Unmarshal(raw, &marks) == nil {
			return marks
		}
	}
	return nil
}

// small reads a file of bounded size, or says why not.
func (f *Folder) small(ctx context.Context, e entry, most int64) (raw []byte, problem string) {
	file, problem := f.open(e, most)
	if problem != "" {
		return nil, problem
	}
	defer file.Close()
	raw, err := regular.ReadAll(&cancelled{ctx, file}, most)
	if err != nil {
		return nil, cannotRead(err)
	}
	return raw, ""
}
