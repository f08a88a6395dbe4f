package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// record is one line taken apart. Texts are as they were before JSON quoted them.
type record struct {
	index                                 uint32
	source, kind, status, created         string
	content, thinking, failure, failureID string
	code                                  int64
	hasContent                            bool
	calls                                 []call
	cut                                   []string
	media                                 []medium
	input, output, cached                 *uint64
	// more are members that are not known, as JSON.
	more []extra
	// repaired: the line had bytes that are no text.
	repaired bool
}

type extra struct {
	name string
	json jsontext.Value
}

// call is a tool call of a planner's line.
type call struct {
	name string
	// arguments is one JSON object.
	arguments string
	list      []argument
	// cut is how many bytes the product left out of the arguments; whole is false when it left out any.
	cut   uint64
	isCut bool
	more  []extra
}

// argument is one argument. text is plain for a JSON string and JSON for anything else.
type argument struct {
	name, text string
}

type medium struct {
	mime, uri string
	more      []extra
}

// size is about how many bytes of text a line has.
func (r *record) size() int {
	n := len(r.content) + len(r.thinking) + len(r.failure)
	for i := range r.calls {
		n += len(r.calls[i].arguments) + len(r.calls[i].name)
	}
	return n
}

var errNoRecord = errors.New("the line is no step")

// parse takes a line apart. double says that each argument is JSON text inside a string, as the short log has them.
func parse(line []byte, double bool) (*record, error) {
	line = bytes.Trim(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), " \t\r\n\x00")
	d := decoder(line)
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil, errNoRecord
	}
	r := &record{}
	for d.PeekKind() == '"' {
		name, value, err := readMember(d)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errNoRecord, err)
		}
		if err := r.take(name, value, double); err != nil {
			return nil, err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoRecord, err)
	}
	return r, nil
}

// decoder reads JSON out of a slice without a copy. What a product writes is not always what JSON allows.
func decoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func readMember(d *jsontext.Decoder) (string, jsontext.Value, error) {
	name, err := d.ReadToken()
	if err != nil {
		return "", nil, err
	}
	key := name.String()
	value, err := d.ReadValue()
	return key, value, err
}

func (r *record) take(name string, value jsontext.Value, double bool) error {
	target := map[string]*string{
		"source": &r.source, "type": &r.kind, "status": &r.status, "created_at": &r.created,
		"content": &r.content, "thinking": &r.thinking, "error": &r.failure,
	}[name]
	switch {
	case value.Kind() == 'n':
		return nil
	case target != nil && value.Kind() == '"':
		*target = text(value)
		r.hasContent = r.hasContent || name == "content"
		return nil
	}
	switch name {
	case "step_index":
		n, err := strconv.ParseUint(string(value), 10, 32)
		if err != nil {
			return errNoRecord
		}
		r.index = uint32(n)
		return nil
	case "error_code":
		if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
			r.code = n
			return nil
		}
	case "input_tokens":
		if r.input = count(value); r.input != nil {
			return nil
		}
	case "output_tokens":
		if r.output = count(value); r.output != nil {
			return nil
		}
	case "cache_read_tokens":
		if r.cached = count(value); r.cached != nil {
			return nil
		}
	case "truncated_fields":
		if list, ok := texts(value); ok {
			r.cut = list
			return nil
		}
	case "tool_calls":
		if calls, ok := parseCalls(value, double); ok {
			r.calls = calls
			for i := range calls {
				r.keep(fmt.Sprintf("tool_calls[%d].", i), calls[i].more)
			}
			return nil
		}
	case "media":
		if media, ok := parseMedia(value); ok {
			r.media = media
			for i := range media {
				r.keep(fmt.Sprintf("media[%d].", i), media[i].more)
			}
			return nil
		}
	}
	r.more = append(r.more, extra{name, value.Clone()})
	return nil
}

// keep remembers members of a value inside the line.
func (r *record) keep(path string, more []extra) {
	for _, e := range more {
		r.more = append(r.more, extra{path + e.name, e.json})
	}
}

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
