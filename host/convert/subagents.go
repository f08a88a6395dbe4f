package convert

import (
	"context"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Subagents is what a job does with the conversations that its steps started.
type Subagents string

const (
	// SubagentsNone names them and says that they are left out. The empty value means the same.
	SubagentsNone Subagents = "none"
	// SubagentsInline puts each one, complete, right behind the step that names it, and so on below.
	SubagentsInline Subagents = "inline"
	// SubagentsSeparate links to their own documents.
	SubagentsSeparate Subagents = "separate"
)

// MaxSubagentDepth is how many conversations deep subagents are followed. Products were seen to go four deep.
const MaxSubagentDepth = 16

// Family knows the conversations around the one that is converted. One goroutine of a Run asks at a time. Package lineage
// has one for the stores of a machine.
type Family interface {
	// Find returns a conversation by its id. The error wraps sources.ErrNotFound when no store has it.
	Find(ctx context.Context, id string) (*Relative, error)
	// Children returns the conversations known to be started by one, whatever its steps say, in an order that only depends
	// on what is stored. id is the conversation's, ref where it was read from.
	Children(ctx context.Context, id string, ref sources.Ref) (*Offspring, error)
}

// Relative is another conversation: how it is read, and what is known without reading it.
type Relative struct {
	Source sources.Source
	Ref    sources.Ref
	// Title may be empty.
	Title string
	// Href is a relative link to its own document; empty when it has none.
	Href string
	// Describe completes its header, as Job.Describe; may be nil.
	Describe func(*transcriptv1.Header)
}

// Offspring is what is recorded of a conversation's children apart from its steps.
type Offspring struct {
	Children []OffspringOf
	// Notes are for the document: records that contradict each other, or that were not looked at.
	Notes []*transcriptv1.Note
}

// OffspringOf is one child.
type OffspringOf struct {
	ID string
	// Step is the index of the parent's step that started it, by the parent's own record; nil when none says so.
	Step *uint32
	// Evidence says where that was found, for example `its own record`.
	Evidence string
}

// States of a ChildLink.
const (
	stateInline   = "inline"
	stateSeparate = "separate"
	stateLeftOut  = "left out"
	stateNotFound = "not found"
	stateUnread   = "unreadable"
	stateCycle    = "cycle"
	stateTooDeep  = "too deep"
)

// Kinds of notes about subagents.
const (
	noteUnplaced = "unplaced_child"
	noteNoParent = "parent_not_found"
	noteNoChild  = "child_not_found"
	noteCycle    = "child_cycle"
	noteNoReport = "child_without_result"
	noteKinship  = "kinship"
	noteCut      = "cut"
	noteDamage   = "damage"
	noteUnknown  = "unknown_fields"
	noteUsage    = "usage"
)
