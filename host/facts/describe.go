package facts

import (
	"strings"

	"agy-reader/host/store"
	"agy-reader/proto/agyreader/fileuri"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/interpret"
)

// Title is the title the indexes give a conversation; its value is empty when none does. A conversation's own steps need
// not be asked then.
func (x *Index) Title(id string) *transcriptv1.Sourced {
	c := x.get(id)
	for _, f := range []fact{x.annotated(id), c.renamed, c.title} {
		if f.value != "" {
			return &transcriptv1.Sourced{Value: f.value, Origin: f.origin}
		}
	}
	return &transcriptv1.Sourced{Origin: originNone}
}

// title chooses between what the conversation's source found and what the indexes say; see the package comment.
func (x *Index) title(id string, own *transcriptv1.Sourced) *transcriptv1.Sourced {
	c := x.get(id)
	indexed := x.Title(id)
	renamed := strings.HasPrefix(indexed.GetOrigin(), "annotation")
	switch {
	case indexed.GetValue() != "" && (renamed || !isRename(own)):
		return indexed
	case own.GetValue() != "":
		return own
	case c.preview.value != "":
		return &transcriptv1.Sourced{Value: c.preview.value, Origin: "preview in " + c.preview.origin}
	case own.GetOrigin() != "":
		return own
	default:
		return indexed
	}
}

// isRename: the title is a person's, from a line in the logs.
func isRename(title *transcriptv1.Sourced) bool {
	return title.GetValue() != "" && title.GetOrigin() != interpret.TitleFromCheckpoint && title.GetOrigin() != interpret.TitleFromPrompt &&
		strings.Contains(title.GetOrigin(), "rename")
}

// Describe completes a conversation's header with what the indexes know: title, project, times, parent and the command
// that goes on with the conversation. What the header has from the conversation itself stays, except that a better title wins, and
// that the project's id becomes its folder.
func (x *Index) Describe(h *transcriptv1.Header) { x.describeAs(h.GetConversationId(), h) }

// describeAs is Describe for a conversation that the store knows by another id than the header has: that of the file, when the
// file was copied from another conversation.
func (x *Index) describeAs(id string, h *transcriptv1.Header) {
	if h == nil {
		return
	}
	c := x.get(id)
	h.Title = x.title(id, h.GetTitle())
	project := x.project(id, h)
	value := project.Path
	if value == "" {
		value = project.Name
	}
	h.Project = &transcriptv1.Sourced{Value: value, Origin: project.Origin}
	h.CreatedNs, h.CreatedOrigin = when(h.CreatedNs, h.GetCreatedOrigin(), c.created, h)
	h.UpdatedNs, h.UpdatedOrigin = when(h.UpdatedNs, h.GetUpdatedOrigin(), c.updated, h)
	if h.GetParentConversationId() == "" {
		h.ParentConversationId = c.parent.value
	}
	h.ResumeCommand = resume(id, h, project)
}

// when prefers the time the source found.
func when(own *int64, origin string, indexed moment, h *transcriptv1.Header) (*int64, string) {
	switch {
	case own != nil && plausibleNS(*own) != 0:
		if origin == "" {
			origin = recordOrigin(h)
		}
		return own, origin
	case indexed.ns != 0:
		return &indexed.ns, indexed.origin
	default:
		return nil, originNone
	}
}

// recordOrigin names what the source read.
func recordOrigin(h *transcriptv1.Header) string {
	switch source := h.GetProvenance().GetSource(); source {
	case "", "sqlite", "merge":
		return "database"
	case "legacypb":
		return "encrypted file"
	case "mirror":
		return "transcript log"
	default:
		return source
	}
}

// Project is what a conversation belongs to; see the package comment. It reads nothing of h but what its own source found.
func (x *Index) Project(h *transcriptv1.Header) Project { return x.project(h.GetConversationId(), h) }

func (x *Index) project(id string, h *transcriptv1.Header) Project {
	c := x.get(id)
	own := fact{h.GetProject().GetValue(), recordOrigin(h)}
	if strings.ContainsAny(own.value, `/\`) {
		own.value = "" // a folder: the header has been described
	}
	var places []fact
	for _, uri := range h.GetWorkspaceUris() {
		places = append(places, fact{uri, recordOrigin(h)})
	}
	places = append(places, x.started(id))
	named := ""
	for _, project := range []fact{own, c.projectID} {
		if p := x.projectByID(project.value); p != nil {
			for _, folder := range p.Workspaces {
				places = append(places, fact{folder, "project id (" + project.origin + ")"})
			}
			if named == "" {
				named = p.Name
			}
		}
	}
	places = append(places, c.places...)
	project := x.choose(places)
	if project.Origin == originScratch && h.GetSurface() != "cli" {
		project.Origin = originOwn // only the CLI has a print mode
	}
	project.Name = x.projectName(project, named)
	switch {
	case project.Path != "":
	case named != "":
		project.Origin = "name of the project's id"
	case project.Origin == originNone && (own.value == "outside-of-project" || own.value == "" && c.projectID.value == "outside-of-project"):
		project.Origin = originOutside
	}
	return project
}

// choose takes the first place that is no scratch folder, with all others of the same origin.
func (x *Index) choose(places []fact) (p Project) {
	p.Origin = originNone
	for _, place := range places {
		folder := fileuri.Path(place.value)
		switch {
		case folder == "" || p.Path != "" && place.origin != p.Origin:
		case x.scratch(folder):
			if p.Path == "" {
				p.Origin = originScratch
			}
		default:
			if p.Path == "" {
				p.Path, p.Origin = folder, place.origin
			}
			p.add(place.value)
		}
	}
	return p
}

// projectName is what the product calls the project of a folder, else the folder's name.
func (x *Index) projectName(p Project, named string) string {
	if named != "" {
		return named
	}
	if p.Path == "" {
		return ""
	}
	if known := x.projectByID(x.projectOf[Comparable(p.Path)]); known != nil && known.Name != "" {
		return known.Name
	}
	return Base(p.Path)
}

// Describer is Describe for a session, by the id its file has in the store; outside of one a file may have any name. A background trajectory and a conversation of
// which only logs are left cannot be gone on with.
func (x *Index) Describer(s store.Session) func(*transcriptv1.Header) {
	return func(h *transcriptv1.Header) {
		if h == nil {
			return
		}
		id := s.ID
		if s.Root.Path == "" {
			id = h.GetConversationId()
		}
		x.describeAs(id, h)
		if s.Bucket == store.Implicit || s.Path == "" {
			h.ResumeCommand = ""
		}
	}
}
