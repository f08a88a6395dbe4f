package profile

import (
	"encoding/base64"
	"strings"
)

// wellKnown writes a message that has a JSON form of its own.
func (w *writer) wellKnown(dst []byte, m *message, raw []byte) ([]byte, error) {
	if w.clean && !plainTime(m, raw) {
		return dst, errOdd
	}
	if m.form != formAny && badValue(m, raw) != "" {
		return w.object(append(dst, '{'), m, raw)
	}
	t := m.table()
	switch m.form {
	case formAny:
		return w.any(dst, m, raw)
	case formTimestamp:
		s, n := secondsNanos(raw)
		return appendTimestamp(dst, s, n), wellFormed(t, raw)
	case formDuration:
		s, n := secondsNanos(raw)
		return appendDuration(dst, s, n), wellFormed(t, raw)
	case formFieldMask:
		return w.mask(dst, t, raw)
	case formStruct:
		return w.all(append(dst, '{'), t, raw, '}')
	case formList:
		return w.all(append(dst, '['), t, raw, ']')
	}
	return w.single(dst, t, raw)
}

// wellFormed reports bytes that are no message.
func wellFormed(t *table, raw []byte) error {
	for i := 0; i < len(raw); {
		_, _, _, end := next(raw, i)
		if end < 0 {
			return malformed(t, i)
		}
		i = end
	}
	return nil
}

// single writes a message that stands for its one field: a wrapper of a scalar, or a Value.
func (w *writer) single(dst []byte, t *table, raw []byte) ([]byte, error) {
	if err := wellFormed(t, raw); err != nil {
		return dst, err
	}
	v := (*Resolved)(nil).open(t, raw)
	f := t.field(1)
	if t.msg.form == formValue {
		f = v.last(0)
	}
	if f == nil {
		return append(dst, "null"...), nil
	}
	number, value, _ := v.value(f)
	return w.value(dst, f, number, value)
}

// all writes a message that stands for its one repeated field.
func (w *writer) all(dst []byte, t *table, raw []byte, end byte) ([]byte, error) {
	f, base := t.field(1), len(w.entries)
	for i := 0; i < len(raw); {
		tag, v, start, end := next(raw, i)
		if end < 0 {
			return dst, malformed(t, i)
		}
		i = end
		if g := t.field(tag >> 3); g == nil || g != f || !f.accepts(tag&7) {
			continue
		}
		var err error
		if dst, err = w.element(dst, f, tag&7, v, raw[start:end]); err != nil {
			return dst, err
		}
	}
	if f != nil && f.isMap {
		var err error
		if dst, err = w.sorted(dst, f, base); err != nil {
			return dst, err
		}
	}
	return closed(dst, end), nil
}

// mask writes the paths of a FieldMask as one string.
func (w *writer) mask(dst []byte, t *table, raw []byte) ([]byte, error) {
	var paths []string
	for i := 0; i < len(raw); {
		tag, _, start, end := next(raw, i)
		if end < 0 {
			return dst, malformed(t, i)
		}
		i = end
		if f := t.field(tag >> 3); f != nil && f.kind == kindString && f.accepts(tag&7) {
			paths = append(paths, camelCase(unsafeText(raw[start:end])))
		}
	}
	return w.string(dst, strings.Join(paths, ",")), nil
}

// any writes a google.protobuf.Any. Content that cannot be opened stays as bytes.
func (w *writer) any(dst []byte, a *message, raw []byte) ([]byte, error) {
	if err := wellFormed(a.table(), raw); err != nil {
		return dst, err
	}
	url, value := anyParts(raw)
	if len(url) == 0 && len(value) == 0 {
		return append(dst, '{', '}'), nil
	}
	dst = append(w.string(append(dst, `{"@type":`...), unsafeText(url)), ',')
	n, state := len(dst), w.state()
	if m := w.schema.byTypeURL(unsafeText(url)); m != nil {
		out, err := w.content(dst, m, value)
		if err == nil {
			return out, nil
		}
		dst = out
		w.restore(state)
	}
	dst = append(dst[:n], `"value":"`...)
	return append(base64.StdEncoding.AppendEncode(dst, value), '"', '}'), nil
}

// content writes the message inside an Any behind its type URL.
func (w *writer) content(dst []byte, m *message, value []byte) ([]byte, error) {
	if w.depth == maxDepth {
		return dst, errTooDeep
	}
	w.depth++
	var err error
	if m.form == formPlain {
		dst, err = w.object(dst, m, value)
	} else {
		dst, err = w.wellKnown(append(dst, `"value":`...), m, value)
		dst = append(dst, '}')
	}
	w.depth--
	return dst, err
}
