package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// spend counts the model calls of a step: in its trajectory and those around it, up to its conversation's own, and in what
// the conversations around that one spent with their subagents. Steps copied from another conversation were paid for there.
func (d *document) spend(st *transcriptv1.Step) {
	for _, f := range d.within() {
		f.overview.model(st.Model)
	}
	d.call(st, st.Usage)
	for _, u := range st.ExtraUsage {
		d.call(st, u)
	}
}

func (d *document) call(st *transcriptv1.Step, u *transcriptv1.Usage) {
	if u == nil {
		return
	}
	frames, from := d.within(), inSteps
	if st.Origin != "" || frames[0].conversation.logs {
		from = inLogs
	}
	for i := len(frames) - 1; i > 0; i-- {
		frames[i].count(u, st.Inherited, from)
	}
	if !frames[0].count(u, st.Inherited, from) {
		return
	}
	d.countInTrees(u)
	frames[0].conversation.check(u, st.Anchor)
}

// generations counts the model calls that a conversation records apart from its steps.
func (d *document) generations(list []*transcriptv1.Usage) {
	f := d.top()
	for _, u := range list {
		f.overview.model(u.GetModel())
		if f.spent.generation(u) {
			f.price(u)
			d.countInTrees(u)
			f.conversation.check(u, "")
		}
	}
}

// within are the open trajectories of the innermost conversation, its own first.
func (d *document) within() []*frame {
	i := len(d.stack) - 1
	for i > 0 && d.stack[i].conversation == d.stack[i-1].conversation {
		i--
	}
	return d.stack[i:]
}

func (d *document) countInTrees(u *transcriptv1.Usage) {
	var last *conversation
	for _, f := range d.stack {
		if c := f.conversation; c != last && c.tree != nil {
			c.tree.add(u, false)
		}
		last = f.conversation
	}
}

// growTrees makes every open conversation count its subagents from here on.
func (d *document) growTrees() {
	for _, f := range d.stack {
		if f.conversation.tree == nil && f.ownsConversation {
			f.conversation.tree = f.spent.clone()
		}
	}
}

// count counts a call of this trajectory, and in the turn it belongs to.
func (f *frame) count(u *transcriptv1.Usage, paid bool, from int) bool {
	if !f.spent.add(u, paid) {
		return false
	}
	f.spent.from[from]++
	if f.turn > 0 {
		f.overview.turns[f.turn-1].count(u)
	}
	return true
}

// unpriced is a step of the model whose call is recorded apart from it, if at all.
type unpriced struct {
	index uint32
	// prompt is as frame.turn.
	prompt uint32
}

// awaitPrice remembers a step of the model that names no call: Antigravity 1.x records some calls apart from steps alone. Such a
// step shows no tokens itself. Whether the record of a call is another copy of one that a step carries, a later step as well,
// is known only when all steps were read, and by then the step is written; its turn and the totals have the call.
func (f *frame) awaitPrice(st *transcriptv1.Step) {
	if f.turn == 0 || st.Usage != nil || st.Role != transcriptv1.Role_ROLE_ASSISTANT {
		return
	}
	f.unpriced = append(f.unpriced, unpriced{st.GetIndex(), uint32(f.turn)})
}

// price counts a call that is recorded apart from steps for the turn of the step it made. The calls of steps that are no
// longer there count for no turn.
func (f *frame) price(u *transcriptv1.Usage) {
	i, found := slices.BinarySearchFunc(f.unpriced, u.GetStepIndex(), func(s unpriced, index uint32) int { return cmp.Compare(s.index, index) })
	if found && u.StepIndex != nil {
		f.overview.turns[f.unpriced[i].prompt-1].count(u)
	}
}

// check remembers calls whose numbers contradict each other.
func (c *conversation) check(u *transcriptv1.Usage, anchor string) {
	if sound(u) {
		return
	}
	if c.unsound == 0 {
		c.firstUnsound = strings.Clone(anchor)
	}
	c.unsound++
}

// unsoundNote says that token counts may mean something else than they seem to, or is nil.
func (c *conversation) unsoundNote() *transcriptv1.Note {
	if c.unsound == 0 {
		return nil
	}
	first := ""
	if c.firstUnsound != "" {
		first = ", first in this step"
	}
	return &transcriptv1.Note{
		Kind: noteUsage, Severity: transcriptv1.Severity_SEVERITY_INFO, Anchor: c.firstUnsound,
		Text: fmt.Sprintf("usage not verified: the output tokens of %s are not those of thinking and response together%s",
			sources.Amount(c.unsound, "model call"), first),
	}
}
