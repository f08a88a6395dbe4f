package profile

import (
	"slices"
	"strings"
	"sync/atomic"
)

// Field is a handle on one message field that a reader declared by name. Its zero value reads as absent.
type Field struct{ id int }

// Names is the set of fields a reader declares once, at package level. It is not safe for concurrent declaration.
type Names struct {
	paths []string
}

// Field declares a field by fully qualified message name and proto field name, for example
// ("exa.cortex_pb.CortexStepRunCommand", "command_line"). A profile that lacks it reads it as absent; tests check that
// every declared name exists in at least one profile.
func (n *Names) Field(message, field string) Field {
	n.paths = append(n.paths, message+"/"+field)
	return Field{id: len(n.paths)}
}

// Resolved is a profile seen through one set of names. Safe for concurrent use.
type Resolved struct {
	profile *Profile
	names   []name
	paths   []string
	// repair replaces invalid UTF-8 in texts.
	repair bool
	// other is the same with the other setting of repair.
	other *Resolved
}

// name is a declared field. Its message is known at once, the field from the first question on.
type name struct {
	message *message
	field   string
	found   atomic.Pointer[field]
}

// absentField stands for a field that the profile does not have.
var absentField = &field{number: 0, oneof: -1}

// Resolve binds declared names to this profile. Call once and keep the result.
func (p *Profile) Resolve(n *Names) *Resolved {
	r := &Resolved{profile: p, names: make([]name, len(n.paths)), paths: slices.Clone(n.paths)}
	for i, path := range n.paths {
		message, field, _ := strings.Cut(path, "/")
		r.names[i].message, r.names[i].field = p.schema.messages[message], field
	}
	r.other = &Resolved{profile: p, names: r.names, paths: r.paths, repair: true, other: r}
	return r
}

// Missing lists declared names this profile does not have, as message/field.
func (r *Resolved) Missing() []string {
	var missing []string
	for i := range r.names {
		if n := &r.names[i]; n.message == nil || n.message.table().byName(n.field) == nil {
			missing = append(missing, r.paths[i])
		}
	}
	return missing
}

// find returns the field behind a handle when it belongs to t, otherwise nil.
func (r *Resolved) find(h Field, t *table) *field {
	if r == nil || uint(h.id-1) >= uint(len(r.names)) {
		return nil
	}
	n := &r.names[h.id-1]
	if n.message != t.msg {
		return nil
	}
	f := n.found.Load()
	if f == nil {
		if f = t.byName(n.field); f == nil {
			f = absentField
		}
		n.found.Store(f)
	}
	if f == absentField {
		return nil
	}
	return f
}

// Clone returns a copy that more fields can be declared in. Handles of n stand for the same fields in both.
func (n *Names) Clone() *Names { return &Names{paths: slices.Clone(n.paths)} }

// JSONName returns the JSON member name of a field, "" when the profile does not have it.
func (r *Resolved) JSONName(h Field) string {
	if r == nil || uint(h.id-1) >= uint(len(r.names)) || r.names[h.id-1].message == nil {
		return ""
	}
	n := &r.names[h.id-1]
	if f := n.message.table().byName(n.field); f != nil {
		return f.json
	}
	return ""
}
