package interpret

import (
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
)

// belongs reports whether a path found in the stored step is about the step at prefix, and not about a step nested in it.
// rest is the path below that step.
func belongs(path, prefix string) (rest string, ok bool) {
	if prefix != "" {
		if path, ok = strings.CutPrefix(path, prefix); !ok || path != "" && path[0] != '.' {
			return "", false
		}
		path = strings.TrimPrefix(path, ".")
	}
	if strings.Contains(path, "subtrajectory.steps[") {
		return "", false
	}
	return path, true
}

// below appends a member to a path.
func below(path, member string) string {
	if path == "" {
		return member
	}
	return path + "." + member
}

// unknown returns the fields of this step that the profile does not know, with paths below the step.
func (b *builder) unknown(r *row) []*doc.UnknownField {
	if len(r.findings.Unknown) == 0 {
		return nil
	}
	list := b.a.scratch.unk[:0]
	for _, u := range r.findings.Unknown {
		rest, ok := belongs(u.GetPath(), r.path)
		if !ok {
			continue
		}
		if r.path != "" {
			n := b.a.unknowns.next()
			n.Path, n.Number, n.WireType, n.Value = rest, u.GetNumber(), u.GetWireType(), u.GetValue()
			u = n
		}
		list = append(list, u)
	}
	b.a.scratch.unk = list
	return b.a.lists.unknowns.keep(list)
}

// notes yields what a reader must know about the step's bytes.
func notes(a *Arena, r *row, yield func(*doc.Event) error) error {
	f := r.findings
	if f.Clean() {
		return nil
	}
	var what []string
	for _, u := range f.Unknown {
		if rest, ok := belongs(u.GetPath(), r.path); ok {
			what = append(what, "field "+a.number(int64(u.GetNumber()))+" in "+orStep(rest))
		}
	}
	for _, e := range f.UnknownEnums {
		if rest, ok := belongs(e, r.path); ok {
			what = append(what, "enum value "+rest)
		}
	}
	for _, w := range f.UnknownWrappers {
		if rest, ok := belongs(w, r.path); ok {
			what = append(what, "wrapped message "+rest)
		}
	}
	if f.More > 0 && r.path == "" {
		what = append(what, a.number(int64(f.More))+" more things in this step")
	}
	if len(what) > 0 {
		n := a.note()
		n.note.Kind, n.note.Severity, n.note.Incomplete = "unknown_fields", doc.Severity_SEVERITY_WARNING, true
		n.note.Anchor, n.note.Text = r.anchor, a.sentence("The decoder profile does not know ", what)
		if err := yield(&n.event); err != nil {
			return err
		}
	}
	var bad []string
	for _, p := range f.BadText {
		if rest, ok := belongs(p, r.path); ok {
			bad = append(bad, orStep(rest))
		}
	}
	if len(bad) > 0 {
		n := a.note()
		n.note.Kind, n.note.Severity = "repaired_text", doc.Severity_SEVERITY_WARNING
		n.note.Anchor, n.note.Text = r.anchor, a.sentence("Text that is not valid UTF-8 was repaired in ", bad)
		if err := yield(&n.event); err != nil {
			return err
		}
	}
	var odd []string
	for _, v := range f.BadValues {
		if rest, ok := belongs(v, r.path); ok {
			odd = append(odd, rest)
		}
	}
	if len(odd) > 0 {
		n := a.note()
		n.note.Kind, n.note.Severity = "damage", doc.Severity_SEVERITY_WARNING
		n.note.Anchor, n.note.Text = r.anchor, a.sentence("Values that cannot be what they stand for: ", odd)
		return yield(&n.event)
	}
	return nil
}

// maxListed bounds how many findings one note spells out; the fields themselves are all kept with the step.
const maxListed = 12

func (a *Arena) sentence(start string, list []string) string {
	more := ""
	if len(list) > maxListed {
		more = " and " + a.number(int64(len(list)-maxListed)) + " more"
		list = list[:maxListed]
	}
	return a.join(start, strings.Join(list, ", "), more, ".")
}
