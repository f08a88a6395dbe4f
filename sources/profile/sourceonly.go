package profile

import "bytes"

// wrapper reports what the display form of a wrapper leaves out, or why there is none. The walk stands at its start.
func (w *walker) wrapper(wr *wrapper, raw []byte) {
	outer, c := wr.carried(raw)
	if c.way == nil {
		return
	}
	payload := w.payloadPath(wr, c)
	known := w.schema.byTypeURL(unsafeText(c.url)) != nil
	switch {
	case !wr.fits(c) && known && w.found.room():
		suffix := ": not projected"
		if len(c.raw) == 0 {
			suffix = ": empty"
		}
		w.found.add(&w.found.UnknownWrappers, string(payload)+"="+anyLabel(c.url)+suffix)
	case !wr.fits(c) || w.sourceOnly == nil || !w.opens(wr.message, c.raw):
		// The walk over the Any says so.
	default:
		w.leftOut(wr.message.table(), raw, []byte(w.path()), wr.body, c.way, func(f *field, _ []byte) bool {
			return wr.outer[f.slot]
		})
		w.leftOut(wr.message.table(), c.raw, payload, nil, nil, func(f *field, value []byte) bool {
			if !wr.wins(&outer, f) {
				return true
			}
			_, shown, _ := outer.value(f)
			return !f.repeated && f.wire == wireBytes && bytes.Equal(shown, value)
		})
	}
}

// payloadPath is the path of the Any inside a wrapper.
func (w *walker) payloadPath(wr *wrapper, c carried) []byte {
	path := []byte(w.path())
	for _, f := range append([]*field{wr.body}, c.way...) {
		if len(path) > 0 {
			path = append(path, '.')
		}
		path = append(path, f.json...)
	}
	return path
}

// leftOut reports the items of a message that are not shown. The field down is entered, along way, up to the Any at its
// end.
func (w *walker) leftOut(t *table, raw, path []byte, down *field, way []*field, shown func(*field, []byte) bool) {
	fr := frame{t: t, raw: raw}
	for i := 0; i < len(raw); {
		tag, _, start, end := next(raw, i)
		if end < 0 {
			return
		}
		fr.at = i
		i = end
		f := t.field(tag >> 3)
		if f == nil || !f.accepts(tag&7) {
			continue
		}
		value := raw[start:end]
		switch {
		case f == down && len(way) == 0:
		case f == down:
			w.leftOut(f.msg.table(), value, fr.appendStep(bytes.Clone(path), f, 0, value), way[0], way[1:],
				func(*field, []byte) bool { return false })
		case !shown(f, value):
			name := ""
			if f.msg != nil {
				name = f.msg.name
			}
			w.sourceOnly(string(fr.appendStep(bytes.Clone(path), f, 0, value)), name, value)
		}
	}
}

// opens reports whether raw is a message of this type at every depth.
func (w *walker) opens(m *message, raw []byte) bool {
	inner := walkers.Get().(*walker)
	inner.schema, inner.found, inner.depth, inner.project, inner.quiet = w.schema, new(Findings), 0, false, true
	err := inner.walk(m.table(), raw)
	inner.release()
	return err == nil
}
