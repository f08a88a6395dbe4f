package parents

import (
	"cmp"
	"fmt"
	"slices"
)

// Kinds of diagnostics.
const (
	ConflictingEvidence = "conflicting-evidence"
	StaleStamp          = "stale-stamp"
	MissingParent       = "missing-parent"
	UnreadableSidecar   = "unreadable-sidecar"
	InvalidCascadeID    = "invalid-cascade-id"
	InvalidParentStamp  = "invalid-parent-stamp"
	ParentCycle         = "parent-cycle"
)

// Report says what Stamp found and did. Scanned = Stamped + Cleared + Unchanged + Unresolved.
type Report struct {
	// Scanned counts the sidecars in the folder.
	Scanned int
	// Stamped got a parent, or another one. Cleared lost a stamp.
	Stamped, Cleared int
	// Unchanged have a valid stamp that stays. Unresolved have none: roots, and those whose parent is not certain.
	Unchanged, Unresolved int
	// Diagnostics are in order of id, kind and message.
	Diagnostics []Diagnostic
}

// Diagnostic is one thing that a person should know.
type Diagnostic struct {
	// ID is the conversation's, in lower case, or the file's name where that is not known.
	ID, Kind, Message string
}

// String is the diagnostic's line.
func (d Diagnostic) String() string {
	return fmt.Sprintf("subagent: %s %s: %s", d.ID, d.Kind, d.Message)
}

func (r *Report) say(n *node, kind, format string, args ...any) {
	r.Diagnostics = append(r.Diagnostics, Diagnostic{n.name(), kind, fmt.Sprintf(format, args...)})
}

func (r *Report) sort() {
	slices.SortFunc(r.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Message, b.Message))
	})
}
