package profile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// entry is one map entry, taken apart.
type entry struct {
	// text is the key when it is a string; number otherwise, as kind.signed gives it.
	text   string
	number uint64
	order  int
	v      uint64
	value  []byte
}

// entry puts an item of a map field aside.
func (w *writer) entry(f *field, b []byte) error {
	t := f.msg.table()
	if w.clean && !plainEntry(t, b) {
		return errOdd
	}
	e := entry{order: len(w.entries)}
	pieces := 0
	for i := 0; i < len(b); {
		tag, v, start, end := next(b, i)
		if end < 0 {
			return malformed(t, i)
		}
		i = end
		part := t.field(tag >> 3)
		switch {
		case part == nil || !part.accepts(tag&7):
		case part.number == 1 && part.kind == kindString:
			e.text = unsafeText(b[start:end])
		case part.number == 1:
			e.number = uint64(part.kind.signed(v))
		case part.kind == kindMessage && pieces > 0:
			if pieces == 1 {
				e.value = append([]byte(nil), e.value...)
			}
			e.value = append(e.value, b[start:end]...)
			pieces++
		default:
			e.v, e.value = v, b[start:end]
			pieces++
		}
	}
	w.entries = append(w.entries, e)
	return nil
}

// sorted writes the entries put aside since base, by ascending key, the last of equal keys winning, each with a comma.
func (w *writer) sorted(dst []byte, f *field, base int) ([]byte, error) {
	t := f.msg.table()
	key, value := t.field(1), t.field(2)
	if key == nil || value == nil {
		return dst, malformed(t, 0)
	}
	slices.SortFunc(w.entries[base:], func(a, b entry) int {
		return cmp.Or(compareKeys(key.kind, a, b), cmp.Compare(a.order, b.order))
	})
	given := len(w.entries)
	w.lastOfEach(key.kind, base)
	if w.clean {
		w.odd = w.odd || len(w.entries) < given
	} else if key.kind == kindString && !w.validText {
		repairKeys(w.entries[base:])
	}
	top := len(w.entries)
	if top > base && w.depth == maxDepth {
		return dst, errTooDeep
	}
	w.depth++
	for i := base; i < top; i++ {
		e := w.entries[i]
		if key.kind == kindString {
			dst = w.string(dst, e.text)
		} else {
			dst = append(appendKey(append(dst, '"'), key.kind, e.number), '"')
		}
		var err error
		if dst, err = w.value(append(dst, ':'), value, e.v, e.value); err != nil {
			return dst, err
		}
		dst = append(dst, ',')
	}
	w.depth--
	w.entries = w.entries[:base]
	return dst, nil
}

// lastOfEach drops the sorted entries since base that a later one with the same key replaces.
func (w *writer) lastOfEach(k kind, base int) {
	kept := base
	for i := base; i < len(w.entries); i++ {
		if i+1 < len(w.entries) && compareKeys(k, w.entries[i], w.entries[i+1]) == 0 {
			continue
		}
		w.entries[kept] = w.entries[i]
		kept++
	}
	w.entries = w.entries[:kept]
}

// repairKeys makes keys that are not UTF-8 valid. A key that would then repeat another one gets the first free number
// behind it: "\uFFFD", "\uFFFD~2", "\uFFFD~3".
func repairKeys(list []entry) {
	if !slices.ContainsFunc(list, func(e entry) bool { return !utf8.ValidString(e.text) }) {
		return
	}
	// taken has the number last given to a key.
	taken := make(map[string]int, len(list))
	for _, e := range list {
		if utf8.ValidString(e.text) {
			taken[e.text] = 1
		}
	}
	for i := range list {
		if utf8.ValidString(list[i].text) {
			continue
		}
		text := repaired(list[i].text)
		name, n := text, taken[text]
		for n > 0 {
			n++
			name = text + "~" + strconv.Itoa(n)
			if _, used := taken[name]; !used {
				break
			}
		}
		taken[text] = max(n, 1)
		taken[name] = max(taken[name], 1)
		list[i].text = name
	}
}

func compareKeys(k kind, a, b entry) int {
	switch k {
	case kindString:
		return strings.Compare(a.text, b.text)
	case kindUint64, kindFixed64:
		return cmp.Compare(a.number, b.number)
	}
	return cmp.Compare(int64(a.number), int64(b.number))
}
