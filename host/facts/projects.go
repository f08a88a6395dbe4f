package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"agy-reader/proto/agyreader/fileuri"
	"agy-reader/sources"
)

// Project is what a conversation belongs to. Path and Name are empty when unknown; Origin then says what was tried.
type Project struct {
	// Path is a folder as people write it, or a URI of another machine. Name is what the product calls it, else the
	// folder's name.
	Path, Name string
	Origin     string
	// Workspaces are all folders, Path first, each once.
	Workspaces []string
}

// Ids that stand for no project.
var noProject = map[string]bool{"": true, "default-cli-project": true, "outside-of-project": true}

// Origins of a project that is not known.
const (
	originNone    = "not recorded"
	originOutside = "outside of any project"
	originScratch = "none (print mode): only the product's own scratch folder is recorded"
	originOwn     = "only a folder of the product's own is recorded"
)

// projectFile is where the projects of all products are kept, beside the stores.
func projectFile(id string) string { return "config/projects/" + id + ".json" }

// projectByID reads a project's file; nil when there is none.
func (x *Index) projectByID(id string) *Project {
	if noProject[id] || !safeName(id) {
		return nil
	}
	x.mu.Lock()
	p, known := x.projects[id]
	x.mu.Unlock()
	if known {
		return p
	}
	name := projectFile(id)
	data, err := x.beside.read(name, maxFile)
	if err == nil {
		p, err = parseProject(data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.note(name, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.projects) < maxConversations {
		x.projects[id] = p
	}
	return p
}

// parseProject reads the product's form and one other programs write, with the folder in the resource itself.
func parseProject(data []byte) (*Project, error) {
	type gitFolder struct{ FolderURI string }
	var file struct {
		Name             string
		ProjectResources struct {
			Resources []struct {
				gitFolder
				GitFolder gitFolder
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	}
	p := &Project{Name: text(file.Name)}
	for _, r := range file.ProjectResources.Resources {
		p.add(r.GitFolder.FolderURI)
		p.add(r.FolderURI)
	}
	return p, nil
}

// maxFolders bounds the folders of a project. People have a few.
const maxFolders = 256

// add enters a folder.
func (p *Project) add(uri string) {
	folder := fileuri.Path(uri)
	if folder == "" || len(p.Workspaces) == maxFolders {
		return
	}
	for _, known := range p.Workspaces {
		if Comparable(known) == Comparable(folder) {
			return
		}
	}
	p.Workspaces = append(p.Workspaces, folder)
}
