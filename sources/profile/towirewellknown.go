package profile

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
)

// wellKnown writes a message that has a JSON form of its own. The plain form, which AppendJSON takes for values without
// one, is read too where the two cannot be mistaken.
func (r *jsonReader) wellKnown(dst []byte, m *message, dec *jsontext.Decoder) ([]byte, bool, error) {
	t, next := m.table(), dec.PeekKind()
	switch m.form {
	case formAny:
		return r.any(dst, dec)
	case formStruct:
		if f := t.field(1); f != nil {
			return r.entries(dst, f, dec)
		}
	case formList:
		if f := t.field(1); f != nil {
			return r.elements(dst, f, dec)
		}
	case formWrapper:
		if f := t.field(1); f != nil {
			return r.single(dst, f, dec, true)
		}
	case formValue:
		return r.dynamic(dst, t, dec)
	}
	if next == '{' {
		return r.object(dst, m, dec, "")
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return dst, false, err
	}
	ok := false
	if raw.Kind() == '"' {
		text := string(nameOf(raw))
		switch m.form {
		case formTimestamp:
			dst, ok = appendTimestampWire(dst, text)
		case formDuration:
			dst, ok = appendDurationWire(dst, text)
		case formFieldMask:
			dst, ok = appendMaskWire(dst, text)
		}
	}
	if !ok {
		r.left.add(r.path, "not a "+strings.ToLower(strings.TrimPrefix(m.name, "google.protobuf.")), raw, false)
	}
	return dst, ok, nil
}

// dynamic writes a google.protobuf.Value.
func (r *jsonReader) dynamic(dst []byte, t *table, dec *jsontext.Decoder) ([]byte, bool, error) {
	name := ""
	switch dec.PeekKind() {
	case 'n':
		name = "null_value"
	case '0':
		name = "number_value"
	case '"':
		name = "string_value"
	case 't', 'f':
		name = "bool_value"
	case '{':
		name = "struct_value"
	case '[':
		name = "list_value"
	}
	f := t.byName(name)
	if f == nil {
		return dst, false, r.leave(dec, "not a value")
	}
	return r.single(dst, f, dec, false)
}

// any writes a google.protobuf.Any.
func (r *jsonReader) any(dst []byte, dec *jsontext.Decoder) ([]byte, bool, error) {
	if dec.PeekKind() != '{' {
		return dst, false, r.leave(dec, "not an object")
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return dst, false, err
	}
	url, value, others := anyMembers(raw)
	if url == nil {
		if others == 0 && value == nil {
			return dst, true, nil
		}
		r.left.add(r.path, "no type URL", raw, false)
		return dst, false, nil
	}
	dst = protowire.AppendBytes(protowire.AppendVarint(dst, 1<<3|wireBytes), url)
	dst = protowire.AppendVarint(dst, 2<<3|wireBytes)
	start := len(dst)
	m := r.schema.byTypeURL(string(url))
	// Bytes that could not be opened came as base64.
	if m == nil || m.form == formPlain && value != nil && others == 0 && m.table().named([]byte("value")) == nil {
		content, ok := []byte(nil), value == nil && others == 0
		if value != nil && others == 0 && value.Kind() == '"' {
			content, ok = unbase64(nameOf(value))
		}
		if !ok {
			r.left.add(r.path, "content of an unknown type", raw, false)
			return dst, false, nil
		}
		return closeLength(append(append(dst, 0), content...), start), true, nil
	}
	if r.depth == maxDepth {
		r.left.add(r.path, "nested too deep", raw, false)
		return dst, false, nil
	}
	r.depth++
	defer func() { r.depth-- }()
	ok := false
	if dst = append(dst, 0); m.form == formPlain {
		dst, ok, err = r.object(dst, m, newDecoder(raw), "@type")
	} else if value == nil {
		r.left.add(r.path, "no value", raw, false)
	} else {
		if others > 0 {
			r.left.add(r.path, "unknown members beside a value", raw, true)
		}
		dst, ok, err = r.wellKnown(dst, m, newDecoder(value))
	}
	if !ok || err != nil {
		return dst, false, err
	}
	return closeLength(dst, start), true, nil
}

// anyMembers returns the type URL and the value of an Any, nil for what it does not have, and how many others there are.
// The first of several counts.
func anyMembers(raw []byte) (url []byte, value jsontext.Value, others int) {
	dec := newDecoder(raw)
	_, _ = dec.ReadToken() // raw is an object that was read before
	for dec.PeekKind() == '"' {
		quoted, _ := dec.ReadValue()
		name := string(nameOf(quoted))
		v, err := dec.ReadValue()
		switch {
		case err != nil:
			return url, value, others
		case name == "@type" && url == nil && v.Kind() == '"':
			url = append([]byte{}, nameOf(v)...)
		case name == "value" && value == nil:
			value = v
		default:
			others++
		}
	}
	return url, value, others
}

// appendPair writes seconds and nanoseconds.
func appendPair(dst []byte, seconds, nanos int64) []byte {
	if seconds != 0 {
		dst = protowire.AppendVarint(protowire.AppendVarint(dst, 1<<3|wireVarint), uint64(seconds))
	}
	if nanos != 0 {
		dst = protowire.AppendVarint(protowire.AppendVarint(dst, 2<<3|wireVarint), uint64(nanos))
	}
	return dst
}

func appendTimestampWire(dst []byte, text string) ([]byte, bool) {
	const fraction = 9
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || at.Unix() < minTimestamp || at.Unix() > maxTimestamp {
		return dst, false
	}
	if _, behind, ok := strings.Cut(text, "."); ok && strings.IndexAny(behind, "Zz+-") > fraction {
		return dst, false
	}
	return appendPair(dst, at.Unix(), int64(at.Nanosecond())), true
}

func appendDurationWire(dst []byte, text string) ([]byte, bool) {
	const fraction = 9
	text, ok := strings.CutSuffix(text, "s")
	if !ok {
		return dst, false
	}
	text, negative := strings.CutPrefix(text, "-")
	whole, part, dot := strings.Cut(text, ".")
	seconds, err := strconv.ParseUint(whole, 10, 63)
	if err != nil || seconds > maxDuration || dot && part == "" || len(part) > fraction {
		return dst, false
	}
	nanos, err := strconv.ParseUint(part+strings.Repeat("0", fraction-len(part)), 10, 32)
	if err != nil {
		return dst, false
	}
	s, n := int64(seconds), int64(nanos)
	if negative {
		s, n = -s, -n
	}
	return appendPair(dst, s, n), true
}

func appendMaskWire(dst []byte, text string) ([]byte, bool) {
	if text == "" {
		return dst, true
	}
	for path := range strings.SplitSeq(text, ",") {
		path = strings.TrimSpace(path)
		snake := snakeCase(path)
		if strings.Contains(path, "_") || !isFullName(snake) {
			return dst, false
		}
		dst = protowire.AppendString(protowire.AppendVarint(dst, 1<<3|wireBytes), snake)
	}
	return dst, true
}
