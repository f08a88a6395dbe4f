package cli

import (
	"context"
	"strings"
	"time"

	"agy-reader/host/facts"
	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// listed is one conversation in `list --json`. A nil value is unknown; its origin then says so.
type listed struct {
	ID            string   `json:"id"`
	Title         *string  `json:"title"`
	TitleOrigin   string   `json:"titleOrigin"`
	Project       *string  `json:"project"`
	ProjectName   *string  `json:"projectName"`
	ProjectOrigin string   `json:"projectOrigin"`
	Workspaces    []string `json:"workspaces"`
	Surface       string   `json:"surface"`
	Bucket        string   `json:"bucket"`
	Created       *string  `json:"created"`
	CreatedOrigin string   `json:"createdOrigin"`
	Updated       *string  `json:"updated"`
	UpdatedOrigin string   `json:"updatedOrigin"`
	Steps         *uint32  `json:"steps"`
	StepsOrigin   string   `json:"stepsOrigin"`
	Bytes         int64    `json:"bytes"`
	// Sources are the places its transcript can be made of; see store.Session.Parts.
	Sources       []string `json:"sources"`
	Path          *string  `json:"path"`
	Brain         *string  `json:"brain"`
	Sidecar       *string  `json:"sidecar"`
	Parent        *string  `json:"parent"`
	ParentOrigin  string   `json:"parentOrigin"`
	ResumeCommand *string  `json:"resumeCommand"`
	// Copies are the same conversation in other stores.
	Copies []string `json:"copies,omitempty"`
	// Readable: a source of this version could open it; Error says why not.
	Readable bool   `json:"readable"`
	Error    string `json:"error,omitempty"`
}

// Origins of the number of steps.
const (
	notRecorded = "not recorded"
	counted     = "counted"
	byLastIndex = "last index in the logs, missing steps included"
)

// Origins of times that the file system tells, and of the one that only logs have.
const (
	fileTime = "file time"
	logTime  = "time of the logs"
	lineTime = "last line of the logs"
)

// newListed is what the folders alone say.
func newListed(s store.Session) listed {
	row := listed{
		ID: s.ID, Surface: s.Root.Surface, Bucket: s.Bucket, Bytes: s.Bytes, Sources: s.Parts(), Path: known(s.Path), Brain: known(s.Brain),
		Sidecar: known(s.Sidecar), UpdatedOrigin: fileTime, ParentOrigin: notRecorded, StepsOrigin: notRecorded,
	}
	if row.Sources == nil {
		row.Sources = []string{}
	}
	if s.Path == "" {
		row.UpdatedOrigin = logTime
	}
	if row.Updated = clock(s.Modified); row.Updated == nil {
		row.UpdatedOrigin = notRecorded
	}
	for _, other := range s.Copies {
		row.Copies = append(row.Copies, firstOf(other.Path, other.Brain))
	}
	return row
}

// ask fills the row with what the conversation itself and the indexes of its store say. One that cannot be read still
// has what the indexes know; the error is why.
func (l *listed) ask(ctx context.Context, peeker sources.Peeker, index *facts.Index, s store.Session) error {
	ref := s.Ref()
	ref.Titled = index.Title(s.ID).GetValue() != ""
	summary, err := peeker.Peek(ctx, ref)
	header := summary.Header
	if header == nil {
		header = &transcriptv1.Header{Title: summary.Title, CreatedNs: summary.CreatedNS, Provenance: &transcriptv1.Provenance{Source: sourceOf(s)}}
	}
	if err != nil {
		l.Error = err.Error()
	} else {
		if l.Readable = true; !summary.StepsUnknown {
			l.Steps, l.StepsOrigin = &summary.Steps, counted
		}
		if summary.StepsByIndex {
			l.StepsOrigin = byLastIndex
		}
		if s.Path == "" && summary.UpdatedNS != nil {
			l.Updated, l.UpdatedOrigin = clock(time.Unix(0, *summary.UpdatedNS)), lineTime
		}
	}
	if s.Root.Path != "" || header.GetConversationId() == "" {
		header.ConversationId = s.ID
	}
	if header.GetSurface() == "" {
		header.Surface = s.Root.Surface
	}
	l.Surface = header.GetSurface()
	own := header.GetParentConversationId()
	project := index.Project(header)
	index.Describer(s)(header)
	l.Title, l.TitleOrigin = known(header.GetTitle().GetValue()), header.GetTitle().GetOrigin()
	l.Project, l.ProjectOrigin = known(header.GetProject().GetValue()), header.GetProject().GetOrigin()
	l.ProjectName, l.Workspaces = known(project.Name), project.Workspaces
	if l.Workspaces == nil {
		l.Workspaces = []string{}
	}
	l.CreatedOrigin = header.GetCreatedOrigin()
	if header.CreatedNs != nil {
		l.Created = clock(time.Unix(0, header.GetCreatedNs()))
	}
	if l.Parent = known(header.GetParentConversationId()); l.Parent != nil {
		_, l.ParentOrigin = index.Parent(s.ID)
		if own != "" {
			l.ParentOrigin = "its own record"
		}
	}
	l.ResumeCommand = known(header.GetResumeCommand())
	return err
}

// sourceOf names the source that a conversation without a header comes from.
func sourceOf(s store.Session) string {
	switch s.Kind {
	case ".db":
		return "sqlite"
	case ".pb":
		return "legacypb"
	default:
		return "mirror"
	}
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	s = strings.Clone(s)
	return &s
}

// clock is a time as JSON has it; nil for none.
func clock(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return known(t.UTC().Format(time.RFC3339))
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
