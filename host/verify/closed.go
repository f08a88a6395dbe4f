package verify

import (
	"bytes"
	"encoding/base64"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxClosedDepth is how deep closed messages are put in order. What lies deeper is taken byte for byte.
const maxClosedDepth = 16

// closedText puts the message inside a base64 text in order; ok is false when it holds none. The result is base64 again.
func closedText(text []byte) (_ []byte, ok bool) {
	raw, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	if err != nil {
		return nil, false
	}
	form, ok := closedForm(raw, 0)
	if !ok {
		return nil, false
	}
	return base64.StdEncoding.AppendEncode(nil, form), true
}

// closedForm returns a message without a schema in one order: fields by number, and entries that look like those of a map
// by their bytes. The product writes maps in random order. Nothing else changes, so messages that differ in more than order
// have different forms. ok is false for bytes that are no message.
func closedForm(raw []byte, depth int) (_ []byte, ok bool) {
	type field struct {
		number protowire.Number
		tag    []byte // with the value, unless it has a length
		value  []byte
		sized  bool
	}
	var fields []field
	for at := 0; at < len(raw); {
		number, kind, n := protowire.ConsumeTag(raw[at:])
		if n < 0 {
			return raw, false
		}
		size := protowire.ConsumeFieldValue(number, kind, raw[at+n:])
		if size < 0 {
			return raw, false
		}
		f := field{number: number, tag: raw[at : at+n+size]}
		if kind == protowire.BytesType {
			value, width := protowire.ConsumeBytes(raw[at+n:])
			f.tag, f.value, f.sized = raw[at:at+n+width-len(value)], value, true
		}
		fields = append(fields, f)
		at += n + size
	}
	if len(fields) == 0 {
		return raw, false
	}
	for i := range fields {
		if f := &fields[i]; f.sized && depth < maxClosedDepth {
			f.value, _ = closedForm(f.value, depth+1)
		}
	}
	slices.SortStableFunc(fields, func(a, b field) int { return int(a.number) - int(b.number) })
	for from := 0; from < len(fields); {
		to := from + 1
		for to < len(fields) && fields[to].number == fields[from].number {
			to++
		}
		group := fields[from:to]
		if len(group) > 1 && !slices.ContainsFunc(group, func(f field) bool { return !f.sized || !isEntry(f.value) }) {
			slices.SortStableFunc(group, func(a, b field) int { return bytes.Compare(a.value, b.value) })
		}
		from = to
	}
	out := make([]byte, 0, len(raw))
	for _, f := range fields {
		out = append(append(out, f.tag...), f.value...)
	}
	return out, true
}

// isEntry reports whether a message could be the entry of a map: a key in field 1, at most a value in field 2.
func isEntry(raw []byte) bool {
	var seen [3]bool
	for at := 0; at < len(raw); {
		number, _, n := protowire.ConsumeField(raw[at:])
		if n < 0 || number > 2 || seen[number] {
			return false
		}
		seen[number] = true
		at += n
	}
	return seen[1]
}
