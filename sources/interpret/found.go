package interpret

import (
	"strconv"
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// finding is one thing that the walk over a step's bytes found. path lies below the step it belongs to.
type finding struct {
	sort  findingSort
	path  string
	field *doc.UnknownField
}

type findingSort int

const (
	foundField findingSort = iota
	foundEnum
	foundWrapper
	foundBadText
	foundBadValue
)

// collect lists what was found, with start before each path; nil when nothing was.
func collect(f *profile.Findings, start string) []finding {
	if f.Clean() {
		return nil
	}
	list := make([]finding, 0, len(f.Unknown)+len(f.UnknownEnums)+len(f.UnknownWrappers)+len(f.BadText)+len(f.BadValues))
	for _, u := range f.Unknown {
		list = append(list, finding{foundField, start + u.GetPath(), u})
	}
	for _, texts := range [...]struct {
		sort findingSort
		list []string
	}{{foundEnum, f.UnknownEnums}, {foundWrapper, f.UnknownWrappers}, {foundBadText, f.BadText}, {foundBadValue, f.BadValues}} {
		for _, path := range texts.list {
			list = append(list, finding{texts.sort, start + path, nil})
		}
	}
	return list
}

// below appends a member to a path.
func below(path, member string) string {
	if path == "" {
		return member
	}
	return path + "." + member
}

// handDown takes what is about the steps of the trajectory at a path out of the row's findings, by index of the step.
func (r *row) handDown(at string) map[uint32][]finding {
	if len(r.found) == 0 {
		return nil
	}
	var children map[uint32][]finding
	kept := r.found[:0]
	for _, f := range r.found {
		rest, ok := strings.CutPrefix(f.path, at+".steps[")
		number, rest, closed := strings.Cut(rest, "]")
		index, err := strconv.ParseUint(number, 10, 32)
		if !ok || !closed || err != nil {
			kept = append(kept, f)
			continue
		}
		if children == nil {
			children = make(map[uint32][]finding)
		}
		f.path = strings.TrimPrefix(rest, ".")
		children[uint32(index)] = append(children[uint32(index)], f)
	}
	r.found = kept
	return children
}

// unknown returns the fields of this step that the profile does not know, with paths below the step.
func (b *builder) unknown(r *row) []*doc.UnknownField {
	if len(r.found) == 0 {
		return nil
	}
	list := b.a.scratch.unk[:0]
	for _, f := range r.found {
		if f.field == nil {
			continue
		}
		u := f.field
		if u.GetPath() != f.path {
			u = b.a.unknowns.next()
			u.Path, u.Number, u.WireType, u.Value = f.path, f.field.GetNumber(), f.field.GetWireType(), f.field.GetValue()
		}
		list = append(list, u)
	}
	b.a.scratch.unk = list
	return b.a.lists.unknowns.keep(list)
}
