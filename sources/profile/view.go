package profile

import (
	"math/bits"
)

// View is a read-only message over checked wire bytes. The zero View answers every question with «absent».
// Strings and bytes it returns are views of the wire bytes unless the text had to be repaired or the wire holds a message
// in pieces.
//
// Protobuf's rules hold: of a singular field the last value counts, pieces of a singular message add up, of a oneof only
// the last member on the wire is set, and an item of another wire type than declared is not this field.
//
// A View is a value of about 90 bytes; it allocates nothing and may be used from many goroutines. A question about a
// field of another message than the view's is answered with «absent».
type View struct {
	r   *Resolved
	t   *table
	raw []byte
	// seen has the bit of every field on the wire, many the bits of those with more than one item.
	seen, many uint64
	// at holds, in order of bits, where an item of each seen bit begins: the first of a repeated field, else the last.
	// Bits that do not fit, and items that begin at farAway or behind, are scanned for.
	at [indexed]uint16
}

const (
	indexed = 16
	farAway = 1<<16 - 1
)

// View returns a view of a message. raw must have passed Profile.Check as message; findings is what Check reported and
// decides whether texts need repair, nil meaning that every text is examined. Bytes that were not checked never cause a
// panic: what cannot be read is absent. The view refers to raw, which must not change while the view or any string it
// returned is in use. The zero View is returned for a message that the profile does not have.
func (r *Resolved) View(message string, raw []byte, findings *Findings) View {
	m := r.profile.schema.messages[message]
	if m == nil {
		return View{}
	}
	if r.repair != (findings == nil || len(findings.BadText)+findings.More > 0) {
		r = r.other
	}
	return r.open(m.table(), raw)
}

func (r *Resolved) open(t *table, raw []byte) (v View) {
	v.r = r
	v.reopen(t, raw)
	return v
}

// reopen makes v a view of another message.
func (v *View) reopen(t *table, raw []byte) {
	v.t, v.raw, v.seen, v.many = t, raw, 0, 0
	n := 0
	for i := 0; i < len(raw); {
		tag, _, _, end := next(raw, i)
		if end < 0 {
			break
		}
		if f := t.field(tag >> 3); f != nil && f.accepts(tag&7) {
			if bit := uint64(1) << f.bit; bit > v.seen { // the usual order
				if n < indexed {
					v.at[n] = uint16(min(i, farAway))
				}
				n++
				v.seen |= bit
			} else if v.note(f, bit, uint16(min(i, farAway))) {
				n++
			}
		}
		i = end
	}
}

// note enters an item that does not come in the order of bits, and reports whether its bit is new.
func (v *View) note(f *field, bit uint64, at uint16) bool {
	rank := bits.OnesCount64(v.seen & (bit - 1))
	if v.seen&bit != 0 {
		v.many |= bit
		if !f.repeated && rank < indexed {
			v.at[rank] = at
		}
		return false
	}
	last := min(bits.OnesCount64(v.seen), indexed-1)
	v.seen |= bit
	for i := last; i > rank; i-- {
		v.at[i] = v.at[i-1]
	}
	if rank < indexed {
		v.at[rank] = at
	}
	return true
}

// find returns the field behind a handle and its value: of a repeated field the first item, else the one that counts. ok
// is false when the field is absent.
func (v *View) find(h Field) (f *field, num uint64, value []byte, ok bool) {
	if v.t == nil {
		return nil, 0, nil, false
	}
	f = v.r.find(h, v.t)
	if f == nil {
		return nil, 0, nil, false
	}
	num, value, ok = v.value(f)
	if !ok {
		return nil, 0, nil, false
	}
	return f, num, value, ok
}

// value is find for a field of v's own table.
func (v *View) value(f *field) (num uint64, value []byte, ok bool) {
	if v.seen>>f.bit&1 == 0 {
		return 0, nil, false
	}
	at, ok := v.begin(f)
	if !ok {
		return v.scan(f)
	}
	tag, num, start, end := next(v.raw, at)
	if end < 0 || tag>>3 != f.number {
		return 0, nil, false
	}
	if f.kind == kindMessage && !f.repeated && v.many>>f.bit&1 != 0 {
		return 0, v.merged(f), true
	}
	if tag&7 == wireBytes {
		value = v.raw[start:end:end]
	}
	return num, value, true
}

// scan is value without the index.
func (v *View) scan(f *field) (num uint64, value []byte, ok bool) {
	pieces := 0
	for i := 0; i < len(v.raw); {
		tag, n, start, end := next(v.raw, i)
		if end < 0 {
			break
		}
		i = end
		g := v.t.field(tag >> 3)
		if g == nil || g.slot != f.slot || !g.accepts(tag&7) {
			continue
		}
		if g != f {
			num, value, ok, pieces = 0, nil, false, 0
			continue
		}
		if f.repeated && ok {
			break
		}
		num, value, ok = n, nil, true
		if tag&7 == wireBytes {
			value = v.raw[start:end:end]
		}
		pieces++
	}
	if pieces > 1 && f.kind == kindMessage {
		value = v.merged(f)
	}
	return num, value, ok
}

// merged joins the pieces of a singular message, which by protobuf's rules reads as one.
func (v *View) merged(f *field) []byte {
	var out []byte
	for i := 0; i < len(v.raw); {
		tag, _, start, end := next(v.raw, i)
		if end < 0 {
			break
		}
		i = end
		g := v.t.field(tag >> 3)
		switch {
		case g == nil || g.slot != f.slot || !g.accepts(tag&7):
		case g != f:
			out = out[:0]
		default:
			out = append(out, v.raw[start:end]...)
		}
	}
	return out
}

// begin returns where the index says that the item of a seen field begins; ok is false when it does not say.
func (v *View) begin(f *field) (at int, ok bool) {
	rank := bits.OnesCount64(v.seen & (1<<f.bit - 1))
	if rank >= indexed || v.at[rank] == farAway || f.bit == sharedBit && v.many>>sharedBit != 0 {
		return 0, false
	}
	return int(v.at[rank]), true
}

// last returns the member of a oneof that came last on the wire, or nil.
func (v *View) last(oneof int) *field {
	for _, f := range v.t.fields {
		if f.oneof != oneof {
			continue
		}
		if v.seen>>f.bit&1 == 0 {
			return nil
		}
		if at, ok := v.begin(f); ok && f.bit != sharedBit {
			tag, _, _, _ := next(v.raw, at)
			return v.t.field(tag >> 3)
		}
		break
	}
	var last *field
	for i := 0; i < len(v.raw); {
		tag, _, _, end := next(v.raw, i)
		if end < 0 {
			break
		}
		if f := v.t.field(tag >> 3); f != nil && f.oneof == oneof && f.accepts(tag&7) {
			last = f
		}
		i = end
	}
	return last
}
