package interpret

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// maxDepth is how deep trajectories inside steps are followed. Deeper ones are named by a note.
const maxDepth = 8

// nested yields Begin … End of the trajectory that a step holds, if it holds one. found is what the walk found in its steps.
// The host adds totals and the overview to the End.
func (ip *Interpreter) nested(s *Session, a *Arena, r *row, sub profile.View, found map[uint32][]finding, yield func(*doc.Event) error) error {
	if !sub.Valid() {
		return nil
	}
	if r.depth == maxDepth {
		n := a.note()
		n.note.Kind, n.note.Severity, n.note.Incomplete = "cut", doc.Severity_SEVERITY_WARNING, true
		n.note.Anchor = r.anchor
		n.note.Text = "This step holds a trajectory nested deeper than is followed; JSON has it."
		return yield(&n.event)
	}
	if err := ip.beginNested(s, a, r, sub, yield); err != nil {
		return err
	}
	var index uint32
	var err error
	child := &a.rows[r.depth+1]
	sub.Each(trajectorySteps, func(v profile.View) bool {
		*child = row{
			view: v, raw: v.Raw(), metadata: v.Sub(stepMetadata), failure: v.Sub(stepError), task: v.Sub(stepTask),
			index: index, anchor: a.anchor(r.anchor, index), depth: r.depth + 1, kind: -1, status: -1,
			findings: r.findings, found: found[index],
		}
		index++
		err = ip.step(s, a, child, yield)
		return err == nil
	})
	if err != nil {
		return err
	}
	e := a.end()
	e.footer.Steps = index
	return yield(&e.event)
}

func (ip *Interpreter) beginNested(s *Session, a *Arena, r *row, sub profile.View, yield func(*doc.Event) error) error {
	ev := a.begin()
	h := &ev.header
	h.ConversationId, h.TrajectoryId = sub.Str(trajectoryCascade), sub.Str(trajectoryID)
	if h.ConversationId == "" {
		h.ConversationId = s.ConversationID
	}
	h.ParentConversationId = s.ConversationID
	h.Depth, h.ParentAnchor = uint32(r.depth)+1, r.anchor
	if sub.Int(trajectoryType) != 0 {
		h.TrajectoryType = sub.Enum(trajectoryType)
	}
	if sub.Int(trajectorySource) != 0 {
		h.TrajectorySource = sub.Enum(trajectorySource)
	}
	m := sub.Sub(trajectoryMetadata)
	if ns, ok := m.Time(trajectoryCreated); ok {
		h.CreatedNs = a.int64(ns)
	}
	list := a.scratch.texts[:0]
	m.EachStr(trajectoryWorkspaces, func(uri string) bool {
		list = append(list, uri)
		return true
	})
	a.scratch.texts = list
	h.WorkspaceUris = a.lists.strings.keep(list)
	h.References = a.references(sub)
	sub.Each(trajectorySteps, func(profile.View) bool {
		h.AnnouncedSteps++
		return true
	})
	if s.Want.Native || s.Want.Display {
		members, err := a.withoutSteps(sub)
		if err != nil {
			return fmt.Errorf("step %s: members of the nested trajectory: %w", r.anchor, err)
		}
		h.MembersJson = members
	}
	return yield(&ev.event)
}

func (a *Arena) references(sub profile.View) []*doc.Reference {
	list := a.scratch.refs[:0]
	sub.Each(trajectoryReference, func(v profile.View) bool {
		ref := a.cells.ref.next()
		ref.Kind = v.Enum(referenceType)
		ref.ConversationId, ref.TrajectoryId = v.Str(referenceConversation), v.Str(referenceTrajectory)
		if v.Has(referenceStep) {
			ref.StepIndex = a.int64(v.Int(referenceStep))
		}
		list = append(list, ref)
		return true
	})
	a.scratch.refs = list
	return a.lists.refs.keep(list)
}

// withoutSteps returns the trajectory's own members as JSON.
func (a *Arena) withoutSteps(sub profile.View) ([]byte, error) {
	d := jsontext.NewDecoder(bytes.NewReader(sub.AppendJSON(nil)))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	out := append(a.texts.open(1<<10), '{')
	for d.PeekKind() == '"' {
		key, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		keep := string(key) != `"steps"`
		if keep {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(out, key...), ':')
		}
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		if keep {
			out = append(out, value...)
		}
	}
	return a.texts.closeBytes(append(out, '}')), nil
}
