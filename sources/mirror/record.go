package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// record is one line taken apart. Texts are as they were before JSON quoted them.
type record struct {
	index                         uint32
	source, kind, status, created string
	content, thinking, failure    string
	code                          int64
	hasContent                    bool
	calls                         []call
	cut                           []string
	media                         []medium
	input, output, cached         *uint64
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

// size is about how many bytes a line's texts take as a stored step. An answer of the model is in there twice.
func (r *record) size() int {
	n := len(r.content) + len(r.thinking) + len(r.failure)
	if r.kind == plannerKind {
		n += len(r.content)
	}
	for i := range r.calls {
		n += len(r.calls[i].arguments) + len(r.calls[i].name)
	}
	return n
}

// drop lets go of the texts, which may be large, once they are written, or when only the calls are asked for.
func (r *record) drop() { r.content, r.thinking = "", "" }

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
