package interpret

import (
	"agy-reader/sources/profile"
)

// json makes the stored and the projected JSON form of a step, as far as wanted. The first walk over the bytes of a stored
// step happens here or in Profile.Check: it fills the row's findings and fails only for bytes that are no message.
func (ip *Interpreter) json(s *Session, a *Arena, r *row) error {
	checked := r.depth > 0
	if s.Want.Display {
		a.json = profile.JSONOptions{Project: true, SourceOnly: a.keepOnly()}
		out, err := ip.appendJSON(a, r, checked)
		if err != nil {
			return err
		}
		if r.depth == 0 && len(r.findings.BadText)+r.findings.More > 0 {
			// Repaired texts and findings beyond the limit are whole in the stored bytes only.
			o := a.onlys.next()
			o.Message, o.Value = stepMessage, r.raw
			a.scratch.onlys = append(a.scratch.onlys, o)
		}
		r.display, r.onlys = out, a.lists.onlys.keep(a.scratch.onlys)
		checked = true
	}
	if s.Want.Native {
		a.json = profile.JSONOptions{}
		out, err := ip.appendJSON(a, r, checked)
		if err != nil {
			return err
		}
		r.native, checked = out, true
	}
	if !checked {
		return ip.profile.Check(stepMessage, r.raw, "", r.findings)
	}
	return nil
}

func (ip *Interpreter) appendJSON(a *Arena, r *row, checked bool) ([]byte, error) {
	if checked {
		a.json.ValidText = len(r.findings.BadText)+r.findings.More == 0
	} else {
		a.json.Findings = r.findings
	}
	out, err := ip.profile.AppendJSON(a.texts.open(roomForJSON(len(r.raw))), stepMessage, r.raw, &a.json)
	if err != nil {
		return nil, err
	}
	return a.texts.closeBytes(out), nil
}

// roomForJSON is about how long the JSON of a step of size bytes is, rather too much than too little: a text that outgrows
// its room is copied. A big step gets what is usual, because memory counts there.
func roomForJSON(size int) int {
	if size <= 4*textChunk {
		return 2*size + 512
	}
	return size + size*2/5
}

// keepOnly returns the function that keeps stored fields which the display form does not hold, and forgets earlier ones.
func (a *Arena) keepOnly() func(path, message string, value []byte) {
	a.scratch.onlys = a.scratch.onlys[:0]
	if a.onOnly == nil {
		a.onOnly = func(path, message string, value []byte) {
			o := a.onlys.next()
			o.Path, o.Message = path, message
			o.Value = a.side.closeBytes(append(a.side.open(len(value)), value...))
			a.scratch.onlys = append(a.scratch.onlys, o)
		}
	}
	return a.onOnly
}
