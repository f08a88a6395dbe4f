package profile

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// named returns the field with this JSON name, else the one with this proto name, or nil.
func (t *table) named(name []byte) *field {
	names := t.byText.Load()
	if names == nil {
		all := make(map[string]*field, 2*len(t.fields))
		for _, f := range t.fields {
			all[f.name] = f
		}
		for _, f := range t.fields {
			all[f.json] = f
		}
		t.byText.Store(&all)
		names = &all
	}
	return (*names)[string(name)]
}

// folds reports whether a name is one of a field but for upper and lower case.
func (t *table) folds(name string) bool {
	for _, f := range t.fields {
		if strings.EqualFold(name, f.json) || strings.EqualFold(name, f.name) {
			return true
		}
	}
	return false
}

// number returns the number of a name, aliases included.
func (e *enum) number(name []byte) (int32, bool) {
	names := e.byText.Load()
	if names == nil {
		var d descriptorpb.EnumDescriptorProto
		_ = proto.Unmarshal(e.descriptor, &d) // Profile.verify finds a bad one
		all := make(map[string]int32, len(d.GetValue()))
		for _, v := range d.GetValue() {
			all[v.GetName()] = v.GetNumber()
		}
		e.byText.Store(&all)
		names = &all
	}
	n, ok := (*names)[string(name)]
	return n, ok
}

// takesNull reports whether null is a value of the field: of a singular google.protobuf.Value or NullValue, or of one
// element of such a member.
func (f *field) takesNull() bool {
	return f.kind == kindMessage && f.msg.form == formValue || f.kind == kindEnum && f.enum.name == "google.protobuf.NullValue"
}

// nameOf returns the text of a quoted name; it may refer to the quoted one.
func nameOf(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	text, _ := jsontext.AppendUnquote(nil, quoted) // what is not Unicode is repaired
	return text
}

// appendMember appends the name of a member to a path. Names nobody knows are written so that the path stays readable.
func appendMember(path, name []byte) []byte {
	if !plainKey(name) {
		return append(AppendString(append(path, '['), string(cutKey(name))), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, cutKey(name)...)
}

// appendKeyStep appends the key of a map entry to a path, as appendEntryKey does.
func appendKeyStep(path, key []byte) []byte {
	if short := cutKey(key); plainKey(short) {
		return append(append(path, '.'), short...)
	}
	return append(AppendString(append(path, '['), string(cutKey(key))), ']')
}

// cutKey is a key as paths show it.
func cutKey(key []byte) []byte {
	const longest = 64
	if len(key) <= longest {
		return key
	}
	cut := longest
	for cut > longest-utf8.UTFMax && !utf8.RuneStart(key[cut]) {
		cut--
	}
	return append(append([]byte(nil), key[:cut]...), "…"...)
}

// appendMapKey writes the key of a map entry with its tag.
func appendMapKey(dst []byte, key *field, name []byte) ([]byte, bool) {
	dst = protowire.AppendVarint(dst, key.number<<3|key.wire)
	switch key.kind {
	case kindString:
		return protowire.AppendBytes(dst, name), true
	case kindBool:
		if string(name) != "true" && string(name) != "false" {
			return dst, false
		}
		return append(dst, byte(len("false")-len(name))), true
	}
	if !isNumber(name) {
		return dst, false
	}
	v, ok := wholeNumber(key.kind, string(name))
	return key.appendNumber(dst, v), ok
}
