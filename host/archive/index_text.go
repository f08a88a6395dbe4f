package archive

import (
	"io"
	"strings"

	"agy-reader/sinks/present"
)

// indexLine is one conversation of index.json. What is unknown is null; times are RFC 3339 in UTC.
type indexLine struct {
	ID            string         `json:"id"`
	Title         *string        `json:"title"`
	Project       *string        `json:"project"`
	ProjectOrigin *string        `json:"projectOrigin"`
	Surface       string         `json:"surface"`
	Bucket        string         `json:"bucket"`
	Created       *string        `json:"created"`
	Updated       *string        `json:"updated"`
	Parent        *string        `json:"parent"`
	Steps         *uint32        `json:"steps"`
	StoredSteps   *uint32        `json:"storedSteps"`
	Gaps          *uint32        `json:"gaps"`
	UnknownFields *uint32        `json:"unknownFields"`
	Tokens        *uint64        `json:"tokens"`
	Incomplete    *bool          `json:"incomplete"`
	Completeness  *string        `json:"completeness"`
	InStores      bool           `json:"inStores"`
	Error         *string        `json:"error"`
	Files         []indexFile    `json:"files"`
	Earlier       []indexEarlier `json:"earlier"`
}

type indexFile struct {
	Name   string `json:"name"`
	Format string `json:"format,omitempty"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Stale  bool   `json:"stale,omitempty"`
}

type indexEarlier struct {
	Steps uint32      `json:"steps"`
	Files []indexFile `json:"files"`
}

// writeIndexJSON writes index.json, an object with version, conversations and generator.
func writeIndexJSON(w io.Writer, entries []*Entry) error {
	return writeList(w, entries, func(e *Entry) any { return newIndexLine(e) })
}

func newIndexLine(e *Entry) *indexLine {
	l := &indexLine{
		ID: e.ID, Title: known(e.Title), Project: known(e.Project), ProjectOrigin: known(e.ProjectOrigin), Surface: e.Root, Bucket: e.Bucket,
		Created: known(present.MachineTime(e.CreatedNS)), Updated: known(present.MachineTime(e.UpdatedNS)), Parent: known(e.Parent),
		Tokens: e.Tokens, InStores: !e.Gone, Error: known(e.Error), Files: indexFiles(e.Files), Earlier: []indexEarlier{},
	}
	if len(e.Files) > 0 {
		l.Steps, l.StoredSteps, l.Gaps, l.UnknownFields, l.Incomplete, l.Completeness = &e.Steps, &e.Stored, &e.Gaps, &e.Unknown, &e.Incomplete, known(e.Completeness)
	}
	for _, v := range e.Earlier {
		l.Earlier = append(l.Earlier, indexEarlier{Steps: v.Steps, Files: indexFiles(v.Files)})
	}
	return l
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func indexFiles(files []File) []indexFile {
	all := make([]indexFile, 0, len(files))
	for _, f := range files {
		all = append(all, indexFile{Name: f.Name, Format: f.Format, Size: f.Size, SHA256: f.SHA256, Stale: f.Stale})
	}
	return all
}

// markdown is the same list as text: a line for each conversation, subagents below the conversation that started them.
func (x *index) markdown(w io.Writer) error {
	head := "# Conversations\n\n" + present.Amount(uint64(x.Counts.Conversations), "conversation") + ", " + present.Amount(uint64(x.Counts.Projects), "project") + ". " + purpose + "\n"
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for _, g := range x.Groups {
		text := "\n## " + inline(g.Project) + "\n\n"
		for _, r := range g.Rows {
			l := r.Line()
			if _, err := io.WriteString(w, text+l.item()); err != nil {
				return err
			}
			text = ""
		}
	}
	return nil
}

// item is a conversation as an item of a Markdown list.
func (l *line) item() string {
	var b strings.Builder
	b.WriteString(strings.Repeat("  ", l.Depth) + "- **" + inline(l.Shown) + "**, " + l.Date + ", " + inline(l.Product))
	// What is said of an incomplete conversation begins with the number of its steps.
	if l.Count != "" && (!l.Incomplete || l.Error != "") {
		b.WriteString(", " + present.Amount(uint64(l.Steps), "step"))
	}
	if l.Incomplete || l.Error != "" {
		b.WriteString(", " + inline(l.State))
	}
	if l.Gone {
		b.WriteString(", no longer in the stores")
	}
	if l.Orphan != "" {
		b.WriteString(", " + inline(l.Orphan))
	}
	writeLinks(&b, ": ", l.Links)
	for _, v := range l.Versions {
		writeLinks(&b, "; "+v.Label+": ", v.Links)
	}
	b.WriteString("\n")
	return b.String()
}

func writeLinks(b *strings.Builder, before string, links []link) {
	for i, l := range links {
		if i > 0 {
			before = ", "
		}
		// Angle brackets take every character that PathEscape leaves.
		b.WriteString(before + "[" + inline(l.Label) + "](<" + l.Href + ">)")
		if l.Note != "" {
			b.WriteString(" (" + l.Note + ")")
		}
	}
}

// inline makes text one line in which nothing means anything to Markdown or HTML, addresses included.
func inline(s string) string {
	var b strings.Builder
	s = strings.Join(strings.Fields(s), " ")
	for i, r := range s {
		rest := s[i:]
		if strings.ContainsRune("\\`*_[]<>#|~&@!$^", r) || strings.HasPrefix(rest, "://") || r == '.' && len(s) > i+1 && strings.HasSuffix(strings.ToLower(s[:i]), "www") {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
