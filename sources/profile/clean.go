package profile

import "errors"

// errOdd: the message is not for transcodeClean.
var errOdd = errors.New("not clean")

// transcodeClean appends a message of which Check has nothing to say and that is its own display form, as nearly all are,
// and examines it on the way. ok is false for any other, also for some that are merely rare: those are checked before they
// are written.
func (p *Profile) transcodeClean(dst []byte, m *message, raw []byte) (_ []byte, ok bool) {
	w := writers.Get().(*writer)
	w.begin(p.schema, false, false)
	w.clean = true
	dst, err := w.message(dst, m, raw)
	ok = err == nil && !w.odd
	w.release()
	return dst, ok
}

// judge marks a number that the enum does not have.
func (w *writer) judge(e *enum, number int64) {
	if _, known := e.table().value(number); !known && !e.open {
		w.odd = true
	}
}

// plainTime reports a Timestamp or Duration that has a JSON form and holds nothing else. Other well-known messages are rare.
func plainTime(m *message, raw []byte) bool {
	if m.form != formTimestamp && m.form != formDuration || badValue(m, raw) != "" {
		return false
	}
	t := m.table()
	for i := 0; i < len(raw); {
		tag, _, _, end := next(raw, i)
		if end < 0 {
			return false
		}
		if f := t.field(tag >> 3); f == nil || !f.accepts(tag&7) {
			return false
		}
		i = end
	}
	return true
}

// plainEntry reports a map entry that has its key and its value no more than once, and nothing else.
func plainEntry(t *table, raw []byte) bool {
	last := uint64(0)
	for i := 0; i < len(raw); {
		tag, _, _, end := next(raw, i)
		if end < 0 {
			return false
		}
		f := t.field(tag >> 3)
		if f == nil || !f.accepts(tag&7) || f.number <= last {
			return false
		}
		last, i = f.number, end
	}
	return true
}
