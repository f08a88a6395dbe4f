package profile

import (
	"cmp"
	"fmt"
	"slices"
)

// item is one field on the wire.
type item struct {
	field *field
	at    int
}

// slotBits is how many fields of a message are told apart while it is written in wire order.
const slotBits = 256

// members writes each member of a message with a comma behind it.
//
// It first writes in the order of the wire. When that meets a field again that it has already closed, everything is cut
// back and the message is written from a list of its fields instead; the messages inside are then listed at once, so that
// no message is read more often than it is deep.
func (w *writer) members(dst []byte, t *table, raw []byte) ([]byte, error) {
	if w.collect {
		return w.collected(dst, t, raw)
	}
	n, state := len(dst), w.state()
	dst, done, err := w.inOrder(dst, t, raw)
	if err != nil || done {
		return dst, err
	}
	if w.clean {
		return dst, errOdd
	}
	w.restore(state)
	w.collect = true
	dst, err = w.collected(dst[:n], t, raw)
	w.collect = false
	return dst, err
}

// inOrder writes members in the order of the wire; done is false when that is not possible.
func (w *writer) inOrder(dst []byte, t *table, raw []byte) (_ []byte, done bool, err error) {
	var seen [slotBits / 64]uint64
	for i := 0; i < len(raw); {
		tag, v, start, end := next(raw, i)
		if end < 0 {
			return dst, false, malformed(t, i)
		}
		f := t.field(tag >> 3)
		if f == nil || !f.accepts(tag&7) {
			if w.clean {
				return dst, false, errOdd
			}
			i = end
			continue
		}
		bit := uint64(1) << (f.slot & 63)
		if f.slot >= slotBits || seen[f.slot>>6]&bit != 0 {
			return dst, false, nil
		}
		seen[f.slot>>6] |= bit
		if f.repeated {
			if dst, i, err = w.run(dst, f, t, raw, i); err != nil {
				return dst, false, err
			}
			continue
		}
		if f.presence || !f.isZero(v) {
			dst = append(dst, f.key...)
			if dst, err = w.value(dst, f, v, raw[start:end]); err != nil {
				return dst, false, err
			}
			dst = append(dst, ',')
		} else if w.clean && f.kind == kindEnum {
			w.judge(f.enum, f.kind.signed(v))
		}
		i = end
	}
	return dst, true, nil
}

// run writes a repeated member from the items of f that stand together at raw[i:], and returns where they end.
func (w *writer) run(dst []byte, f *field, t *table, raw []byte, i int) (_ []byte, end int, err error) {
	n, base := len(dst), len(w.entries)
	dst = open(dst, f)
	opened := len(dst)
	for i < len(raw) {
		tag, v, start, end := next(raw, i)
		if end < 0 {
			return dst, i, malformed(t, i)
		}
		if tag>>3 != f.number || !f.accepts(tag&7) {
			break
		}
		if dst, err = w.element(dst, f, tag&7, v, raw[start:end]); err != nil {
			return dst, i, err
		}
		i = end
	}
	dst, err = w.closeRun(dst, f, base, n, opened)
	return dst, i, err
}

// open writes the name of a repeated member and its opening bracket.
func open(dst []byte, f *field) []byte {
	if f.isMap {
		return append(append(dst, f.key...), '{')
	}
	return append(append(dst, f.key...), '[')
}

// element writes one item of a repeated field. Map entries are only put aside.
func (w *writer) element(dst []byte, f *field, wire, v uint64, b []byte) ([]byte, error) {
	if f.isMap {
		return dst, w.entry(f, b)
	}
	if wire == wireBytes && f.wire != wireBytes {
		for i := 0; i < len(b); {
			n, end := packedNumber(b, i, f.wire)
			if end < 0 {
				return dst, fmt.Errorf("not a packed %s: malformed at byte %d", f.name, i)
			}
			dst = append(w.number(dst, f, n), ',')
			i = end
		}
		return dst, nil
	}
	dst, err := w.value(dst, f, v, b)
	return append(dst, ','), err
}

// closeRun ends a repeated member; one without elements is taken back to n.
func (w *writer) closeRun(dst []byte, f *field, base, n, opened int) ([]byte, error) {
	if f.isMap {
		var err error
		if dst, err = w.sorted(dst, f, base); err != nil {
			return dst, err
		}
		return append(closed(dst, '}'), ','), nil
	}
	if len(dst) == opened {
		return dst[:n], nil
	}
	return append(closed(dst, ']'), ','), nil
}

// collected writes members from a list of all items.
func (w *writer) collected(dst []byte, t *table, raw []byte) ([]byte, error) {
	base := len(w.items)
	for i := 0; i < len(raw); {
		tag, _, _, end := next(raw, i)
		if end < 0 {
			return dst, malformed(t, i)
		}
		if f := t.field(tag >> 3); f != nil && f.accepts(tag&7) {
			w.items = append(w.items, item{f, i})
		}
		i = end
	}
	slices.SortFunc(w.items[base:], func(a, b item) int {
		return cmp.Or(cmp.Compare(a.field.slot, b.field.slot), cmp.Compare(a.at, b.at))
	})
	var err error
	top := len(w.items)
	for from := base; from < top; {
		to := from + 1
		for to < top && w.items[to].field.slot == w.items[from].field.slot {
			to++
		}
		if dst, err = w.member(dst, raw, from, to); err != nil {
			return dst, err
		}
		from = to
	}
	w.items = w.items[:base]
	return dst, nil
}

// member writes the member whose items are w.items[from:to], in order of the wire.
func (w *writer) member(dst, raw []byte, from, to int) ([]byte, error) {
	var err error
	f := w.items[to-1].field
	if f.repeated {
		n, base := len(dst), len(w.entries)
		dst = open(dst, f)
		opened := len(dst)
		for i := from; i < to; i++ {
			tag, v, start, end := next(raw, w.items[i].at)
			if dst, err = w.element(dst, f, tag&7, v, raw[start:end]); err != nil {
				return dst, err
			}
		}
		return w.closeRun(dst, f, base, n, opened)
	}
	_, v, start, end := next(raw, w.items[to-1].at)
	if !f.presence && f.isZero(v) {
		return dst, nil
	}
	value, spare := raw[start:end], len(w.spare)
	if f.kind == kindMessage {
		first := to - 1
		for first > from && w.items[first-1].field == f {
			first--
		}
		if first < to-1 {
			for i := first; i < to; i++ {
				_, _, start, end := next(raw, w.items[i].at)
				w.spare = append(w.spare, raw[start:end]...)
			}
			value = w.spare[spare:]
		}
	}
	dst, err = w.value(append(dst, f.key...), f, v, value)
	w.spare = w.spare[:spare]
	return append(dst, ','), err
}

func malformed(t *table, at int) error {
	return fmt.Errorf("not a %s: malformed at byte %d", t.msg.name, at)
}
