package convert

import (
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// start remembers that a step names a subagent.
func (c *conversation) start(key, anchor string, shown bool) {
	if _, again := c.started[key]; again {
		return
	}
	if c.started == nil {
		c.started = map[string]string{}
	}
	if !shown {
		anchor = ""
	}
	c.started[strings.Clone(key)] = strings.Clone(anchor)
	c.inOrder = append(c.inOrder, strings.Clone(key))
}

// recordedFor returns the subagents that the conversation's own record says a step started.
func (c *conversation) recordedFor(index uint32) (ids []string) {
	if c.offspring == nil {
		return nil
	}
	for _, o := range c.offspring.Children {
		if o.Step != nil && *o.Step == index {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// report pairs what a subagent reports with the step that started it, and returns that step's anchor when it is another.
func (c *conversation) report(st *transcriptv1.Step) string {
	if st.Sender == "" {
		return ""
	}
	key := kinKey(st.Sender)
	anchor, ours := c.started[key]
	if !ours && !slices.ContainsFunc(st.ChildConversationIds, func(id string) bool { return kinKey(id) == key }) {
		return ""
	}
	if c.reported == nil {
		c.reported = map[string]bool{}
	}
	c.reported[strings.Clone(key)] = true
	return anchor
}

// unreported has a note for every subagent whose result is in no step.
func (d *document) unreported(c *conversation) (notes []*transcriptv1.Note) {
	if d.mode() == SubagentsNone {
		return nil
	}
	for _, id := range c.inOrder {
		if anchor := c.started[id]; !c.reported[id] && anchor != "" {
			n := kinNote(noteNoReport, anchor, "subagent result not in this file: no later step carries what "+id+" reported")
			n.Severity = transcriptv1.Severity_SEVERITY_INFO
			notes = append(notes, n)
		}
	}
	return notes
}
