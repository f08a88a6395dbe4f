package archive

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agy-reader/host/artifact"
	"agy-reader/host/facts"
	"agy-reader/host/store"
	"agy-reader/proto/agyreader/fileuri"
	"agy-reader/sinks/present"
)

// Names of the index files.
const (
	indexHTML     = "index.html"
	indexJSON     = "index.json"
	indexMarkdown = "index.md"
)

// unknownProject is the group of conversations that no place says the project of.
const unknownProject = "unknown project"

// maxDepth is how far subagents are indented, and bounds a chain of parents.
const maxDepth = 6

// index is everything an index page shows, in its order.
type index struct {
	Groups []group
	Counts counts
}

// purpose is what an archive is for, and what it is not (case O05).
const purpose = "Readable copies: not a backup, and nothing that Antigravity could go on from."

// Purpose is for the page.
func (x *index) Purpose() string { return purpose }

type counts struct{ Conversations, Projects, Incomplete, Failed, Gone int }

// group are the conversations of one project.
type group struct {
	Project string
	Known   bool
	Rows    []row
}

// row is the place of a conversation. What is shown of it is made when it is written: a list of lines would be as large as
// all the rest.
type row struct {
	*Entry
	zone  *time.Location
	depth int
	// orphan says why a subagent does not stand below its parent.
	orphan string
}

// line is one conversation.
type line struct {
	*Entry
	Depth int
	// Shown is the title, or words that say there is none.
	Shown    string
	Date     string
	Changed  string
	Product  string
	Count    string
	Spent    string
	State    string
	Links    []link
	Versions []version
	// Orphan says why a subagent does not stand below its parent.
	Orphan string
}

type link struct{ Label, Href, Note string }

type version struct {
	Label string
	Links []link
}

// newIndex puts conversations under their parents, and those on top into the group of their project.
func newIndex(entries []*Entry, zone *time.Location) *index {
	byKey := make(map[string]*Entry, len(entries))
	for _, e := range entries {
		byKey[key(e.ID)] = e
	}
	children := map[string][]*Entry{}
	var top []*Entry
	for _, e := range entries {
		if parent := key(e.Parent); e.Parent != "" && byKey[parent] != nil && rooted(e, byKey) {
			children[parent] = append(children[parent], e)
			continue
		}
		top = append(top, e)
	}
	x := &index{Counts: counts{Conversations: len(entries)}}
	groups := map[string]*group{}
	slices.SortFunc(top, newestFirst)
	for _, e := range top {
		name := facts.Comparable(fileuri.Path(e.Project)) // a drive letter has no case
		g := groups[name]
		if g == nil {
			g = &group{Project: unknownProject}
			if name != "" {
				g.Project, g.Known = present.Visible(present.Path(e.Project)), true
			}
			groups[name] = g
		}
		g.add(e, children, byKey, 0, zone)
	}
	for _, g := range groups {
		x.Groups = append(x.Groups, *g)
		if g.Known {
			x.Counts.Projects++
		}
	}
	slices.SortFunc(x.Groups, func(a, b group) int {
		if a.Known != b.Known {
			if a.Known {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Project, b.Project), cmp.Compare(a.Rows[0].ID, b.Rows[0].ID))
	})
	for _, e := range entries {
		x.Counts.count(e)
	}
	return x
}

func (c *counts) count(e *Entry) {
	switch {
	case e.Error != "":
		c.Failed++
	case e.Incomplete:
		c.Incomplete++
	}
	if e.Gone {
		c.Gone++
	}
}

// rooted reports whether the chain of parents ends; one that runs in a circle has no place in a tree.
func rooted(e *Entry, byKey map[string]*Entry) bool {
	seen := map[string]bool{}
	for at := e; at != nil && at.Parent != ""; at = byKey[key(at.Parent)] {
		if seen[key(at.ID)] {
			return false
		}
		seen[key(at.ID)] = true
	}
	return true
}

func (g *group) add(e *Entry, children map[string][]*Entry, byKey map[string]*Entry, depth int, zone *time.Location) {
	r := row{Entry: e, zone: zone, depth: min(depth, maxDepth)}
	switch {
	case e.Parent == "" || depth > 0:
	case byKey[key(e.Parent)] != nil:
		r.orphan = "its chain of parents runs in a circle"
	default:
		r.orphan = "subagent of " + present.Visible(e.Parent) + ", which is not here"
	}
	g.Rows = append(g.Rows, r)
	below := children[key(e.ID)]
	slices.SortFunc(below, func(a, b *Entry) int { return -newestFirst(a, b) })
	for _, child := range below {
		g.add(child, children, byKey, depth+1, zone)
	}
}

func newestFirst(a, b *Entry) int {
	return cmp.Or(cmp.Compare(moment(b.CreatedNS), moment(a.CreatedNS)), cmp.Compare(key(a.ID), key(b.ID)))
}

func moment(ns *int64) int64 {
	if !present.Recorded(ns) {
		return 0
	}
	return *ns
}

// Line is what is shown.
func (r row) Line() line {
	e := r.Entry
	l := line{Entry: e, Depth: r.depth, Orphan: r.orphan, Product: present.Surface(e.Root), Shown: present.Visible(strings.TrimSpace(e.Title))}
	if l.Shown == "" {
		l.Shown = "no title recorded"
	}
	l.Date, l.Changed = clock(e.CreatedNS, r.zone), clock(e.UpdatedNS, r.zone)
	if len(e.Files) > 0 {
		l.Count = present.Count(uint64(e.Steps))
	}
	l.Spent = present.NotRecorded
	if e.Tokens != nil {
		l.Spent = present.Count(*e.Tokens)
	}
	switch {
	case e.Error != "" && len(e.Files) == 0:
		l.State = "could not be converted: " + present.Visible(e.Error)
	case e.Error != "":
		l.State = "from an earlier run; the last one failed: " + present.Visible(e.Error)
	default:
		l.State = present.Visible(e.Completeness)
	}
	l.Links = links(e.Files)
	for _, v := range e.Earlier {
		l.Versions = append(l.Versions, version{Label: "earlier, " + present.Amount(uint64(v.Steps), "step"), Links: links(v.Files)})
	}
	return l
}

func clock(ns *int64, zone *time.Location) string {
	if !present.Recorded(ns) {
		return present.NotRecorded
	}
	return time.Unix(0, *ns).In(zone).Format("2006-01-02 15:04")
}

// links lead to the documents, not to the files that belong to them.
func links(files []File) []link {
	var all []link
	labels := map[string]int{}
	for _, f := range files {
		if f.Format == "" {
			continue
		}
		l := link{Label: label(f.Format), Href: href(f.Name)}
		if labels[l.Label]++; labels[l.Label] > 1 {
			l.Label += " " + present.Count(uint64(labels[l.Label]))
		}
		if f.Stale {
			l.Note = "older"
		}
		all = append(all, l)
	}
	return all
}

func label(format string) string {
	switch format {
	case "markdown":
		return "Markdown"
	case "json", "html":
		return strings.ToUpper(format)
	}
	return present.Visible(strings.TrimSuffix(path.Base(filepath.ToSlash(format)), ".exe"))
}

// finish marks what is gone and publishes index and manifest in one step.
func (a *archive) finish(ctx context.Context, summary *Summary) error {
	a.markGone(summary)
	a.setFamilies()
	m := &Manifest{Version: manifestVersion, Generator: generator, Conversations: make([]*Entry, 0, len(a.entries))}
	for _, e := range a.entries {
		m.Conversations = append(m.Conversations, e)
	}
	slices.SortFunc(m.Conversations, func(a, b *Entry) int { return cmp.Compare(key(a.ID), key(b.ID)) })
	zone, err := present.Zone(a.opt.TimeZone)
	if err != nil {
		return err
	}
	x := newIndex(m.Conversations, zone)
	out, err := artifact.Open(a.opt.Dir, artifact.Options{Force: true, Keep: true})
	if err != nil {
		return err
	}
	defer func() { _ = out.Abort() }() // does nothing after Commit
	files := []struct {
		name, mediaType string
		text            func(io.Writer) error
	}{
		{indexHTML, "text/html", x.html},
		{indexJSON, "application/json", func(w io.Writer) error { return writeIndexJSON(w, m.Conversations) }},
		{indexMarkdown, "text/markdown", x.markdown},
		{ManifestName, "application/json", m.write},
	}
	for _, f := range files {
		if f.name == indexMarkdown && !a.hasFormat("markdown") {
			continue
		}
		w, err := out.Create(f.name, f.mediaType, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(f.text(w), w.Close()); err != nil {
			return err
		}
	}
	published, err := out.Commit(ctx)
	if err != nil {
		return err
	}
	for _, f := range published[:len(published)-1] {
		summary.Index = append(summary.Index, f.Path)
	}
	return nil
}

func (a *archive) hasFormat(name string) bool {
	for _, t := range a.opt.Targets {
		if t.Sink.Describe().Name == name {
			return true
		}
	}
	return false
}

// markGone says which conversations of the searched stores are there no more.
func (a *archive) markGone(summary *Summary) {
	here := make(map[string]store.Session, len(a.opt.Sessions))
	for _, s := range a.opt.Sessions {
		here[key(s.ID)] = s
	}
	for id, e := range a.entries {
		if _, found := here[id]; !found && slices.Contains(a.opt.Searched, e.Root) && slices.Contains(a.opt.Buckets, e.Bucket) {
			gone := *e
			gone.Gone = true
			a.entries[id] = &gone
		}
		if a.entries[id].Gone {
			summary.Gone++
		}
	}
}

// html is the page.
func (x *index) html(w io.Writer) error { return page().Execute(w, x) }
