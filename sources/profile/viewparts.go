package profile

import (
	"cmp"
	"slices"
)

// Sub returns a singular message field; the zero View when absent.
func (v View) Sub(f Field) View {
	d, _, b, ok := v.find(f)
	if !ok || d.kind != kindMessage || d.repeated {
		return View{}
	}
	return v.r.open(d.msg.table(), b)
}

// Each calls fn for every element of a repeated message field until fn returns false. The elements of a map field are its
// entries in order of the wire, messages with the fields key and value.
func (v View) Each(f Field, fn func(View) bool) {
	e := View{r: v.r}
	v.items(f, func(d *field, _ uint64, b []byte) bool {
		if d.kind != kindMessage {
			return false
		}
		e.reopen(d.msg.table(), b)
		return fn(e)
	})
}

// EachStr calls fn for every element of a repeated string or bytes field until fn returns false.
func (v View) EachStr(f Field, fn func(string) bool) {
	v.items(f, func(d *field, _ uint64, b []byte) bool {
		return d.kind != kindString && d.kind != kindBytes || fn(v.r.text(d, b))
	})
}

// EachInt calls fn for every element of a repeated integer, enum or bool field, packed or not, until fn returns false.
func (v View) EachInt(f Field, fn func(int64) bool) {
	v.items(f, func(d *field, n uint64, b []byte) bool {
		switch {
		case !d.packable || d.kind == kindFloat || d.kind == kindDouble:
			return true
		case b == nil:
			return fn(d.kind.signed(n))
		}
		for i := 0; i < len(b); {
			n, end := packedNumber(b, i, d.wire)
			if end < 0 {
				break
			}
			if !fn(d.kind.signed(n)) {
				return false
			}
			i = end
		}
		return true
	})
}

// items calls fn for the items of a repeated field; b is nil for a number that is not packed.
func (v View) items(f Field, fn func(d *field, n uint64, b []byte) bool) {
	d, _, _, ok := v.find(f)
	if !ok || !d.repeated {
		return
	}
	i := 0
	if at, ok := v.begin(d); ok && d.bit != sharedBit {
		i = at
	}
	for i < len(v.raw) {
		tag, n, start, end := next(v.raw, i)
		if end < 0 {
			return
		}
		i = end
		if tag>>3 != d.number || !d.accepts(tag&7) {
			continue
		}
		var b []byte
		if tag&7 == wireBytes {
			b = v.raw[start:end:end]
		}
		if !fn(d, n, b) || v.many>>d.bit&1 == 0 {
			return
		}
	}
}

// packedNumber reads one element of a packed field; end is negative when it is malformed.
func packedNumber(b []byte, i int, wire uint64) (n uint64, end int) {
	if wire == wireVarint {
		return varint(b, i)
	}
	size := 8
	if wire == wireFixed32 {
		size = 4
	}
	if len(b)-i < size {
		return 0, -1
	}
	for k := size - 1; k >= 0; k-- {
		n = n<<8 | uint64(b[i+k])
	}
	return n, i + size
}

// EachEntry calls fn for every entry of a map<string, string> field, sorted by key, the last of equal keys winning.
func (v View) EachEntry(f Field, fn func(key, value string) bool) {
	type entry struct{ key, value string }
	var stack [16]entry
	entries := stack[:0]
	v.items(f, func(d *field, _ uint64, b []byte) bool {
		if !d.isMap {
			return false
		}
		t := d.msg.table()
		key, value := t.field(1), t.field(2)
		if key == nil || value == nil || key.kind != kindString || value.kind != kindString && value.kind != kindBytes {
			return false
		}
		var e entry
		for i := 0; i < len(b); {
			tag, _, start, end := next(b, i)
			if end < 0 {
				break
			}
			switch tag {
			case 1<<3 | wireBytes:
				e.key = v.r.text(key, b[start:end])
			case 2<<3 | wireBytes:
				e.value = v.r.text(value, b[start:end])
			}
			i = end
		}
		entries = append(entries, e)
		return true
	})
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	for i, e := range entries {
		if i+1 < len(entries) && entries[i+1].key == e.key {
			continue
		}
		if !fn(e.key, e.value) {
			return
		}
	}
}

// Any opens a google.protobuf.Any field. content is the zero View when the profile does not know the type.
func (v View) Any(f Field) (typeURL string, content View) {
	d, _, b, ok := v.find(f)
	if !ok || d.repeated || d.msg == nil || d.msg.form != formAny {
		return "", View{}
	}
	return v.r.any(b)
}

// EachAny calls fn for every element of a repeated google.protobuf.Any field until fn returns false.
func (v View) EachAny(f Field, fn func(typeURL string, content View) bool) {
	v.items(f, func(d *field, _ uint64, b []byte) bool {
		if d.msg == nil || d.msg.form != formAny {
			return false
		}
		return fn(v.r.any(b))
	})
}

// OpenAny reads this view as a google.protobuf.Any.
func (v View) OpenAny() (typeURL string, content View) {
	if v.t == nil || v.t.msg.form != formAny {
		return "", View{}
	}
	return v.r.any(v.raw)
}

func (r *Resolved) any(raw []byte) (typeURL string, content View) {
	url, value := anyParts(raw)
	typeURL = r.text(anyURL, url)
	if m := r.profile.schema.byTypeURL(typeURL); m != nil {
		content = r.open(m.table(), value)
	}
	return typeURL, content
}

var anyURL = &field{kind: kindString}

// anyParts splits the wire form of a google.protobuf.Any.
func anyParts(raw []byte) (typeURL, value []byte) {
	for i := 0; i < len(raw); {
		tag, _, start, end := next(raw, i)
		if end < 0 {
			break
		}
		switch tag {
		case 1<<3 | wireBytes:
			typeURL = raw[start:end]
		case 2<<3 | wireBytes:
			value = raw[start:end]
		}
		i = end
	}
	return typeURL, value
}

// Which returns the set member of a oneof: its proto field name and, for a message member, its view.
func (v View) Which(oneof string) (name string, member View, ok bool) {
	if v.t == nil {
		return "", View{}, false
	}
	index := slices.Index(v.t.oneofs, oneof)
	if index < 0 {
		return "", View{}, false
	}
	f := v.last(index)
	if f == nil {
		return "", View{}, false
	}
	_, b, ok := v.value(f)
	if ok && f.kind == kindMessage {
		member = v.r.open(f.msg.table(), b)
	}
	return f.name, member, ok
}
