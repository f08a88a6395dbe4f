package profile

import (
	"strconv"
	"unicode/utf8"
)

// frame is one level of a walk: a message and the item it stands at.
type frame struct {
	t   *table
	raw []byte
	// at is where the current item begins; field is its field while the walk is inside it.
	at    int
	field *field
	// path is the path of the message once somebody asked.
	path string
	// counts has, for items before counted, the number of elements of each slot. It is filled only when a path needs it.
	counts  []uint32
	counted int
}

func (fr *frame) enter(t *table, raw []byte) {
	*fr = frame{t: t, raw: raw, counts: fr.counts[:0]}
}

// elements returns how many elements of f lie before the current item. Calls come with growing fr.at, so that the work
// over one message is linear.
func (fr *frame) elements(f *field) int {
	if fr.counted == 0 {
		fr.counts = append(fr.counts[:0], make([]uint32, len(fr.t.fields))...)
	}
	for fr.counted < fr.at {
		tag, _, start, end := next(fr.raw, fr.counted)
		if g := fr.t.field(tag >> 3); g != nil && g.repeated && g.accepts(tag&7) {
			fr.counts[g.slot] += uint32(g.count(tag&7, fr.raw[start:end]))
		}
		fr.counted = end
	}
	if fr.counted == 0 {
		return 0
	}
	return int(fr.counts[f.slot])
}

// count returns the number of elements of one item.
func (f *field) count(wire uint64, b []byte) int {
	switch {
	case wire == f.wire:
		return 1
	case f.wire == wireFixed32:
		return len(b) / 4
	case f.wire == wireFixed64:
		return len(b) / 8
	}
	n := 0
	for _, c := range b {
		if c < 0x80 {
			n++
		}
	}
	return n
}

// path returns the path of the message the walk is in.
func (w *walker) path() string { return string(w.appendPath(make([]byte, 0, 128))) }

func (w *walker) appendPath(b []byte) []byte {
	b = append(b, w.base...)
	for i := range w.depth - 1 {
		fr := &w.frames[i]
		if fr.field != nil {
			b = fr.appendStep(b, fr.field, 0, w.frames[i+1].raw)
		}
	}
	return b
}

// pathOf returns the path of the item of f the walk stands at, elem elements into it.
func (w *walker) pathOf(f *field, elem int) string {
	return string(w.frames[w.depth-1].appendStep([]byte(w.path()), f, elem, nil))
}

// appendStep appends how a path goes from a message to its current item.
func (fr *frame) appendStep(b []byte, f *field, elem int, value []byte) []byte {
	if fr.t.entry {
		return b // its two fields have no names in JSON
	}
	b = appendName(b, f)
	switch {
	case f.isMap:
		return appendEntryKey(b, f, value)
	case f.repeated:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(fr.elements(f)+elem), 10)
		return append(b, ']')
	}
	return b
}

// appendName appends the JSON name of a field to a path.
func appendName(b []byte, f *field) []byte {
	if len(b) > 0 {
		b = append(b, '.')
	}
	return append(b, f.json...)
}

// appendEntryKey appends the key of a map entry as a path step.
func appendEntryKey(b []byte, f *field, entry []byte) []byte {
	key := f.msg.table().field(1)
	if key == nil {
		return b
	}
	const longest = 64
	var n uint64
	var text []byte
	for i := 0; i < len(entry); {
		tag, v, start, end := next(entry, i)
		if end < 0 {
			break
		}
		if tag == key.number<<3|key.wire {
			n, text = v, entry[start:end]
		}
		i = end
	}
	if key.kind != kindString {
		return appendKey(append(b, '.'), key.kind, uint64(key.kind.signed(n)))
	}
	if len(text) > longest {
		cut := longest
		for cut > longest-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = append(append([]byte(nil), text[:cut]...), "…"...)
	}
	if plainKey(text) {
		return append(append(b, '.'), text...)
	}
	return append(AppendString(append(b, '['), string(text)), ']')
}

func plainKey(text []byte) bool {
	for _, c := range text {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(text) > 0
}

// appendKey appends a map key that is not a string, as kind.signed gives it, as its JSON member name without quotes.
func appendKey(b []byte, k kind, n uint64) []byte {
	switch k {
	case kindBool:
		return strconv.AppendBool(b, n != 0)
	case kindUint64, kindFixed64:
		return strconv.AppendUint(b, n, 10)
	}
	return strconv.AppendInt(b, int64(n), 10)
}
