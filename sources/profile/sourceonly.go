package profile

import "bytes"

// wrapper reports why a wrapper has no display form, or what that form leaves out. The walk stands at its start.
func (w *walker) wrapper(wr *wrapper, raw []byte) {
	outer, c := wr.carried(raw)
	if c.way == nil {
		return
	}
	known := w.schema.byTypeURL(unsafeText(c.url)) != nil
	switch {
	case !wr.fits(c) && known && w.found.room():
		suffix := ": not projected"
		if len(c.raw) == 0 {
			suffix = ": empty"
		}
		w.found.add(&w.found.UnknownWrappers, string(w.toPayload(wr, c))+"="+anyLabel(c.url)+suffix)
	case !wr.fits(c) || w.sourceOnly == nil || !w.opens(wr.message, c.raw):
		// The walk over the Any says so.
	default:
		w.line = w.appendPath(w.line[:0])
		w.leftOut(wr.message.table(), raw, wr.body, c.way, func(f *field, _ []byte) bool {
			return wr.outer[f.slot]
		})
		w.line = w.toPayload(wr, c)
		w.leftOut(wr.message.table(), c.raw, nil, nil, func(f *field, value []byte) bool {
			if !wr.wins(&outer, f) {
				return true
			}
			_, shown, _ := outer.value(f)
			return !f.repeated && f.wire == wireBytes && bytes.Equal(shown, value)
		})
	}
}

// toPayload is the path of the Any inside a wrapper.
func (w *walker) toPayload(wr *wrapper, c carried) []byte {
	path := appendName(w.appendPath(w.line[:0]), wr.body)
	for _, f := range c.way {
		path = appendName(path, f)
	}
	return path
}

// leftOut reports the items of a message, whose path is in w.line, that are not shown. The field down is entered, along
// way, up to the Any at its end.
func (w *walker) leftOut(t *table, raw []byte, down *field, way []*field, shown func(*field, []byte) bool) {
	fr, n := frame{t: t, raw: raw}, len(w.line)
	for i := 0; i < len(raw); {
		tag, _, start, end := next(raw, i)
		if end < 0 {
			return
		}
		fr.at = i
		i = end
		f := t.field(tag >> 3)
		if f == nil || !f.accepts(tag&7) || f == down && len(way) == 0 {
			continue
		}
		value := raw[start:end]
		if f == down {
			w.line = appendName(w.line, f)
			w.leftOut(f.msg.table(), value, way[0], way[1:], func(*field, []byte) bool { return false })
		} else if !shown(f, value) {
			name := ""
			if f.msg != nil {
				name = f.msg.name
			}
			w.line = fr.appendStep(w.line, f, 0, value)
			w.sourceOnly(w.keep(w.line), name, value)
		}
		w.line = w.line[:n]
	}
}

// keep returns a copy of a path that nobody overwrites. Many share one piece of memory.
func (w *walker) keep(path []byte) string {
	const piece = 4096
	if cap(w.slab)-len(w.slab) < len(path) {
		w.slab = make([]byte, 0, max(piece, len(path)))
	}
	n := len(w.slab)
	w.slab = append(w.slab, path...)
	return unsafeText(w.slab[n:])
}

// opens reports whether raw is a message of this type at every depth.
func (w *walker) opens(m *message, raw []byte) bool {
	inner := walkers.Get().(*walker)
	inner.schema, inner.found, inner.depth, inner.quiet = w.schema, &inner.scratch, 0, true
	err := inner.walk(m.table(), raw)
	inner.release()
	return err == nil
}
