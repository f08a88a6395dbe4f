package lineage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Evidence of a child, in words.
const (
	byItself = "its own record"
	byFolder = "a file of the parent's subagents folder"
)

// child is what is recorded of one.
type child struct {
	id       string
	step     *uint32
	evidence []string
}

// Children implements convert.Family: all children of a conversation but those that only its steps name, by the step that
// started them, then by id.
func (f *Family) Children(ctx context.Context, id string, ref sources.Ref) (*convert.Offspring, error) {
	out := &convert.Offspring{}
	known, err := f.parents(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]*child{}
	take := func(of, evidence string, step *uint32) {
		if key(of) == key(id) {
			return
		}
		c := found[key(of)]
		if c == nil {
			c = &child{id: of}
			found[key(of)] = c
		}
		c.evidence = append(c.evidence, evidence)
		if c.step == nil {
			c.step = step
		}
	}
	for _, r := range known.children[key(id)] {
		take(r.child, r.evidence, nil)
	}
	if ref.Brain == "" {
		if m, err := f.members(); err == nil {
			s, _ := m.find(id)
			ref.Root, ref.Brain = s.Root.Path, s.Brain
		}
	}
	folder, problems := readFolder(ref)
	for _, r := range folder {
		take(r.ID, byFolder, r.Step)
	}
	for _, problem := range problems {
		out.Notes = append(out.Notes, note(problem))
	}
	for _, c := range found {
		if own := known.own[key(c.id)]; own != "" && key(own) != key(id) {
			out.Notes = append(out.Notes, note(fmt.Sprintf("%s calls %s a subagent of this conversation; %s says that its parent is %s",
				strings.Join(c.evidence, " and "), c.id, byItself, own)))
			continue
		}
		out.Children = append(out.Children, convert.OffspringOf{ID: c.id, Step: c.step, Evidence: strings.Join(c.evidence, " and ")})
	}
	slices.SortFunc(out.Children, func(a, b convert.OffspringOf) int {
		return cmp.Or(compareSteps(a.Step, b.Step), strings.Compare(a.ID, b.ID))
	})
	if known.unread > 0 && len(out.Children) > 0 {
		n := note(fmt.Sprintf("subagents that nothing of this conversation names were looked for in the newest %d conversations, not in %d others", known.scanned, known.unread))
		n.Severity = transcriptv1.Severity_SEVERITY_INFO
		out.Notes = append(out.Notes, n)
	}
	slices.SortFunc(out.Notes, func(a, b *transcriptv1.Note) int { return strings.Compare(a.GetText(), b.GetText()) })
	return out, ctx.Err()
}

// compareSteps sorts by step, those without one last.
func compareSteps(a, b *uint32) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*a, *b)
}

func note(text string) *transcriptv1.Note {
	return &transcriptv1.Note{Kind: "kinship", Severity: transcriptv1.Severity_SEVERITY_WARNING, Text: text}
}
