package interpret

import (
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
)

// notes yields what a reader must know about the step's bytes.
func notes(a *Arena, r *row, yield func(*doc.Event) error) error {
	if len(r.found) == 0 && r.more == 0 {
		return nil
	}
	unknown := remark{start: "The decoder profile does not know "}
	text := remark{start: "Text that is not valid UTF-8 was repaired in "}
	value := remark{start: "Values that cannot be what they stand for: "}
	for _, f := range r.found {
		switch f.sort {
		case foundField:
			unknown.add("field ", a.number(int64(f.field.GetNumber()))+" in "+orStep(f.path))
		case foundEnum:
			unknown.add("enum value ", f.path)
		case foundWrapper:
			unknown.add("wrapped message ", f.path)
		case foundBadText:
			text.add("", orStep(f.path))
		case foundBadValue:
			value.add("", orStep(f.path))
		}
	}
	unknown.more += r.more
	for _, n := range [...]struct {
		kind       string
		incomplete bool
		list       remark
	}{{"unknown_fields", true, unknown}, {"repaired_text", false, text}, {"damage", false, value}} {
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
