package interpret

import (
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// NoteUnknown is the kind of a note about content that the profile does not know.
const NoteUnknown = "unknown_fields"

// FindingsNotes says what of a stored message the profile does not know, or what cannot be what it stands for; whole names
// the message itself, where a path is empty.
func FindingsNotes(whole string, f *profile.Findings) []*doc.Note {
	var list []*doc.Note
	r := row{found: collect(f, ""), more: f.More}
	_ = notes(new(Arena), &r, whole, func(ev *doc.Event) error { // which is the only error
		list = append(list, ev.GetNote())
		return nil
	})
	return list
}

// notes yields what a reader must know about the bytes of a message.
func notes(a *Arena, r *row, whole string, yield func(*doc.Event) error) error {
	if len(r.found) == 0 && r.more == 0 {
		return nil
	}
	place := func(path string) string {
		if path == "" {
			return whole
		}
		return path
	}
	unknown := remark{start: "The decoder profile does not know "}
	text := remark{start: "Text that is not valid UTF-8 was repaired in "}
	value := remark{start: "Values that cannot be what they stand for: "}
	for _, f := range r.found {
		switch f.sort {
		case foundField:
			unknown.add("field ", a.number(int64(f.field.GetNumber()))+" in "+place(f.path))
		case foundEnum:
			unknown.add("enum value ", f.path)
		case foundWrapper:
			unknown.add("wrapped message ", f.path)
		case foundBadText:
			text.add("", place(f.path))
		case foundBadValue:
			value.add("", place(f.path))
		}
	}
	unknown.more += r.more
	for _, n := range [...]struct {
		kind       string
		incomplete bool
		list       remark
	}{{NoteUnknown, true, unknown}, {"repaired_text", false, text}, {"damage", false, value}} {
		if len(n.list.shown) == 0 && n.list.more == 0 {
			continue
		}
		ev := a.note()
		ev.note.Kind, ev.note.Severity, ev.note.Incomplete = n.kind, doc.Severity_SEVERITY_WARNING, n.incomplete
		ev.note.Anchor, ev.note.Text = r.anchor, n.list.text(a)
		if err := yield(&ev.event); err != nil {
			return err
		}
	}
	return nil
}

// maxListed bounds how many findings one note spells out; the fields themselves are all kept with the step.
const maxListed = 12

// remark is the text of a note about several things.
type remark struct {
	start string
	shown []string
	more  int
}

func (l *remark) add(what, path string) {
	if len(l.shown) == maxListed {
		l.more++
		return
	}
	l.shown = append(l.shown, what+path)
}

func (l remark) text(a *Arena) string {
	more := ""
	switch {
	case l.more > 0 && len(l.shown) > 0:
		more = " and " + a.number(int64(l.more)) + " more"
	case l.more > 0:
		more = a.number(int64(l.more)) + " things"
	}
	return a.join(l.start, strings.Join(l.shown, ", "), more, ".")
}
