package mirror

import (
	"strconv"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

func count(value jsontext.Value) *uint64 {
	n, err := strconv.ParseUint(string(value), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// text returns the text of a JSON string, and any other value as it is.
func text(value jsontext.Value) string {
	if value.Kind() != '"' {
		return string(value)
	}
	out, err := jsontext.AppendUnquote(nil, value)
	if err != nil && len(out) == 0 {
		return string(value)
	}
	return unsafe.String(unsafe.SliceData(out), len(out)) // nobody else has it
}

// texts returns the texts of a JSON array of strings.
func texts(value jsontext.Value) ([]string, bool) {
	var list []string
	ok := eachElement(value, func(v jsontext.Value) bool {
		list = append(list, text(v))
		return v.Kind() == '"'
	})
	return list, ok
}

// eachElement calls fn for every element of a JSON array until it says no.
func eachElement(value jsontext.Value, fn func(jsontext.Value) bool) bool {
	d := decoder(value)
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '[' {
		return false
	}
	for k := d.PeekKind(); k != ']' && k != 0; k = d.PeekKind() {
		v, err := d.ReadValue()
		if err != nil || !fn(v) {
			return false
		}
	}
	_, err := d.ReadToken()
	return err == nil
}

// eachMember calls fn for every member of a JSON object until it says no.
func eachMember(value jsontext.Value, fn func(name string, v jsontext.Value) bool) bool {
	d := decoder(value)
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return false
	}
	for d.PeekKind() == '"' {
		name, v, err := readMember(d)
		if err != nil || !fn(name, v) {
			return false
		}
	}
	_, err := d.ReadToken()
	return err == nil
}

func parseCalls(value jsontext.Value, double bool) ([]call, bool) {
	var calls []call
	ok := eachElement(value, func(v jsontext.Value) bool {
		var c call
		ok := eachMember(v, func(name string, v jsontext.Value) bool {
			switch {
			case name == "name" && v.Kind() == '"':
				c.name = text(v)
			case name == "args" && v.Kind() == '{':
				return c.take(v, double)
			case v.Kind() != 'n':
				c.more = append(c.more, extra{name, v.Clone()})
			}
			return true
		})
		calls = append(calls, c)
		return ok
	})
	return calls, ok
}

func parseMedia(value jsontext.Value) ([]medium, bool) {
	var media []medium
	ok := eachElement(value, func(v jsontext.Value) bool {
		var m medium
		ok := eachMember(v, func(name string, v jsontext.Value) bool {
			switch {
			case name == "mime_type" && v.Kind() == '"':
				m.mime = text(v)
			case name == "uri" && v.Kind() == '"':
				m.uri = text(v)
			case v.Kind() != 'n':
				m.more = append(m.more, extra{name, v.Clone()})
			}
			return true
		})
		media = append(media, m)
		return ok
	})
	return media, ok
}
