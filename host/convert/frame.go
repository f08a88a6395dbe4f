package convert

import "agy-reader/sources"

// conversation is what the document keeps of one conversation while it is open: its own trajectory and those that its
// steps hold.
type conversation struct {
	id  string
	ref sources.Ref
	// logs is set when its steps were read from transcript logs alone.
	logs bool
	// depth counts the conversations around it.
	depth int
	// started has its subagents: the anchor of the first step that names each, empty when that step is not shown; inOrder
	// their ids as they came. reported are those of which a step carries the result.
	started  map[string]string
	inOrder  []string
	reported map[string]bool
	// offspring is what is recorded of its subagents apart from its steps; may be nil.
	offspring *Offspring
	// tree is what was spent with all subagents below; nil while there are none.
	tree *totals
	// unsound counts model calls whose numbers contradict each other.
	unsound      uint32
	firstUnsound string
}

// frame is one trajectory of the document.
type frame struct {
	depth int
	// conversation is shared by the trajectories of one; ownsConversation is set for its own.
	conversation     *conversation
	ownsConversation bool
	// shown is false below a step that was not selected.
	shown    bool
	calls    calls
	spent    totals
	overview overview
	// seen counts the steps of the trajectory itself, shown or not.
	seen  uint32
	tally tally
	// last is the step before, lastShown whether it is in the document.
	last      []byte
	lastShown bool
	// anchors is what the anchors of the trajectory's own steps begin with; empty means `step`.
	anchors string
	// highest is one more than the highest index of a step seen, inside counts the steps of trajectories within the last one.
	highest, inside uint32
	// pending are subagents to be put behind the last step.
	pending []*relation
	// beside are the names of the files beside the steps that came so far.
	beside map[string]bool
	// turn is one more than the place of the prompt that calls are counted for; 0 before the first and after one that is not
	// shown or not listed.
	turn int
	// unpriced are the steps of the model that name no call, in the order of the document.
	unpriced []unpriced
}

// tally is what the document holds of a trajectory. Everything but steps includes nested trajectories.
type tally struct {
	steps, notes, unknown uint32
	// gaps are those that make the document incomplete; some rows are missing by design.
	gaps uint32
	// damaged counts places that could not be read.
	damaged uint32
	// nested counts the steps of nested trajectories.
	nested     uint32
	incomplete bool
	// missing is set when the document is incomplete for another reason than fields newer than the decoder.
	missing bool
	// content is set when any step had something to show.
	content bool
}

func (t *tally) add(nested tally) {
	t.nested += nested.steps + nested.nested
	t.notes += nested.notes
	t.unknown += nested.unknown
	t.gaps += nested.gaps
	t.damaged += nested.damaged
	t.incomplete = t.incomplete || nested.incomplete
	t.missing = t.missing || nested.missing
	t.content = t.content || nested.content
}
