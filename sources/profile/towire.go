package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
)

// Leftovers collects what of a JSON text could not become wire bytes, or not exactly. Nothing is dropped without being in
// it: at most 65,536 of them and 64 MiB of text are kept, More counts the rest.
type Leftovers struct {
	List  []Leftover
	More  int
	bytes int
}

// Leftover is one value of a JSON text.
type Leftover struct {
	// Path is where it stood, like the paths of Findings.
	Path string
	// Reason says in a few words why, for example "unknown member".
	Reason string
	// JSON is the value, byte for byte (copied).
	JSON []byte
	// Kept: the wire bytes hold the value nearly, for example a number rounded.
	Kept bool
}

const maxLeftoverBytes = 64 << 20

func (l *Leftovers) add(path []byte, reason string, value []byte, kept bool) {
	if len(l.List) >= maxFindings || l.bytes+len(path)+len(value) > maxLeftoverBytes {
		l.More++
		return
	}
	l.bytes += len(path) + len(value)
	l.List = append(l.List, Leftover{string(path), reason, bytes.Clone(value), kept})
}

// Clean reports whether the wire bytes say all that the text said.
func (l *Leftovers) Clean() bool { return len(l.List) == 0 && l.More == 0 }

// AppendWire is the way back from AppendJSON: it appends text, a message of the named type as protojson writes it, in wire
// form. Members become fields in the order of the text, so that bytes differ from those the text was once made of; the
// values are the same. Members may have their JSON or their proto name, as protojson allows.
//
// Where protojson refuses, the rest is kept and left says what was left over: a member or an enum name that the profile does
// not know (one in another case apart, since readers that ignore case take it for the known one), a value of the wrong type or out of range, a member that comes a second time or beside another of its oneof,
// anything nested deeper than 100 levels. The first of two counts. An Any that AppendJSON could not open gets its bytes
// back. An error means that text is not one JSON object (or not what a well-known message looks like); dst is then unusable.
func (p *Profile) AppendWire(dst []byte, message string, text []byte, path string, left *Leftovers) ([]byte, error) {
	m := p.schema.messages[message]
	if m == nil {
		return dst, fmt.Errorf("profile %s has no message %s", p.info.Name, message)
	}
	if left == nil {
		left = &Leftovers{}
	}
	r := jsonReader{schema: p.schema, left: left, path: []byte(path)}
	dec := newDecoder(text)
	if m.form == formPlain && dec.PeekKind() != '{' {
		if _, err := dec.ReadValue(); err != nil {
			return dst, jsonError(path, err)
		}
		return dst, errorAt(path, fmt.Errorf("not a %s: not a JSON object", m.name))
	}
	dst, ok, err := r.message(dst, m, dec)
	if err == nil {
		_, err = dec.ReadToken()
	}
	switch {
	case err == nil:
		return dst, errorAt(path, errors.New("not JSON: something follows the value"))
	case !errors.Is(err, io.EOF):
		return dst, jsonError(path, err)
	case !ok:
		return dst, errorAt(path, fmt.Errorf("not a %s", m.name))
	}
	return dst, nil
}

func newDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// jsonError says where text ends to be JSON, and nothing of what is there.
func jsonError(path string, err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return errorAt(path, fmt.Errorf("not JSON at byte %d", syntax.ByteOffset))
	}
	return errorAt(path, fmt.Errorf("not JSON: %w", err))
}

// jsonReader is the state of one AppendWire. Its methods return an error only for text that is not JSON; ok is false when
// the value became no bytes, which is then reported and dst to be cut back.
type jsonReader struct {
	schema *schema
	left   *Leftovers
	// path is where the reader stands.
	path  []byte
	depth int
}

// leave reports the value that comes next.
func (r *jsonReader) leave(dec *jsontext.Decoder, reason string) error {
	raw, err := dec.ReadValue()
	if err == nil {
		r.left.add(r.path, reason, raw, false)
	}
	return err
}

// message writes a message of any form, without tag and length.
func (r *jsonReader) message(dst []byte, m *message, dec *jsontext.Decoder) ([]byte, bool, error) {
	if r.depth == maxDepth {
		return dst, false, r.leave(dec, "nested too deep")
	}
	r.depth++
	defer func() { r.depth-- }()
	if m.form != formPlain {
		return r.wellKnown(dst, m, dec)
	}
	return r.object(dst, m, dec, "")
}

// object writes the members of an object but the one named skip.
func (r *jsonReader) object(dst []byte, m *message, dec *jsontext.Decoder, skip string) ([]byte, bool, error) {
	if dec.PeekKind() != '{' {
		return dst, false, r.leave(dec, "not an object")
	}
	if _, err := dec.ReadToken(); err != nil {
		return dst, false, err
	}
	t, base := m.table(), len(r.path)
	var seen slots
	for dec.PeekKind() != '}' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return dst, false, err
		}
		name := nameOf(quoted)
		if skip != "" && string(name) == skip {
			skip = ""
			if err := dec.SkipValue(); err != nil {
				return dst, false, err
			}
			continue
		}
		f := t.named(name)
		r.path = appendMember(r.path, name)
		switch {
		case f == nil:
			reason := "unknown member"
			if t.folds(string(name)) {
				reason = "a known name in another case"
			}
			err = r.leave(dec, reason)
		case dec.PeekKind() == 'n' && !f.takesNull():
			err = dec.SkipValue()
		case seen.has(f.slot):
			err = r.leave(dec, "a second value")
		default:
			n := len(dst)
			var ok bool
			if dst, ok, err = r.field(dst, f, dec); !ok {
				dst = dst[:n]
				break
			}
			seen.add(f.slot)
		}
		if err != nil {
			return dst, false, err
		}
		r.path = r.path[:base]
	}
	_, err := dec.ReadToken()
	return dst, err == nil, err
}

// field writes a member with its tags.
func (r *jsonReader) field(dst []byte, f *field, dec *jsontext.Decoder) ([]byte, bool, error) {
	switch {
	case f.isMap:
		return r.entries(dst, f, dec)
	case f.repeated:
		return r.elements(dst, f, dec)
	}
	return r.single(dst, f, dec, !f.presence)
}

// single writes one value with its tag. A zero is left out when it means the same as absence.
func (r *jsonReader) single(dst []byte, f *field, dec *jsontext.Decoder, omitZero bool) ([]byte, bool, error) {
	n := len(dst)
	dst = protowire.AppendVarint(dst, f.number<<3|f.wire)
	start := len(dst)
	if f.wire != wireBytes {
		v, ok, err := r.number(f, dec)
		if !ok || err != nil {
			return dst[:n], false, err
		}
		if omitZero && f.isZero(v) {
			return dst[:n], true, nil
		}
		return f.appendNumber(dst, v), true, nil
	}
	dst, ok, err := r.content(append(dst, 0), f, dec)
	if !ok || err != nil {
		return dst[:n], false, err
	}
	if omitZero && len(dst) == start+1 {
		return dst[:n], true, nil
	}
	return closeLength(dst, start), true, nil
}

// content writes a length-delimited value without its length.
func (r *jsonReader) content(dst []byte, f *field, dec *jsontext.Decoder) ([]byte, bool, error) {
	switch f.kind {
	case kindMessage:
		return r.message(dst, f.msg, dec)
	case kindString:
		return r.text(dst, dec)
	}
	return r.base64(dst, dec)
}

// elements writes a repeated member.
func (r *jsonReader) elements(dst []byte, f *field, dec *jsontext.Decoder) ([]byte, bool, error) {
	if dec.PeekKind() != '[' {
		return dst, false, r.leave(dec, "not an array")
	}
	if _, err := dec.ReadToken(); err != nil {
		return dst, false, err
	}
	base, before, start := len(r.path), len(dst), 0
	if f.packable {
		dst = protowire.AppendVarint(dst, f.number<<3|wireBytes)
		start = len(dst)
		dst = append(dst, 0)
	}
	for i := int64(0); dec.PeekKind() != ']'; i++ {
		r.path = append(strconv.AppendInt(append(r.path[:base], '['), i, 10), ']')
		n := len(dst)
		var ok bool
		var err error
		switch {
		case dec.PeekKind() == 'n' && !f.takesNull():
			err = r.leave(dec, "null in an array")
		case f.packable:
			var v uint64
			if v, ok, err = r.number(f, dec); ok {
				dst = f.appendNumber(dst, v)
			}
		default:
			dst, ok, err = r.single(dst, f, dec, false)
		}
		if err != nil {
			return dst, false, err
		}
		if !ok {
			dst = dst[:n]
		}
	}
	r.path = r.path[:base]
	if f.packable {
		if len(dst) == start+1 {
			dst = dst[:before]
		} else {
			dst = closeLength(dst, start)
		}
	}
	_, err := dec.ReadToken()
	return dst, err == nil, err
}

// entries writes the entries of a map.
func (r *jsonReader) entries(dst []byte, f *field, dec *jsontext.Decoder) ([]byte, bool, error) {
	t := f.msg.table()
	key, value := t.field(1), t.field(2)
	switch {
	case key == nil || value == nil || dec.PeekKind() != '{':
		return dst, false, r.leave(dec, "not an object")
	case r.depth == maxDepth:
		return dst, false, r.leave(dec, "nested too deep")
	}
	if _, err := dec.ReadToken(); err != nil {
		return dst, false, err
	}
	r.depth++
	defer func() { r.depth-- }()
	base := len(r.path)
	seen := map[string]bool{}
	for dec.PeekKind() != '}' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return dst, false, err
		}
		name := nameOf(quoted)
		r.path = appendKeyStep(r.path, name)
		n := len(dst)
		dst = protowire.AppendVarint(dst, f.number<<3|wireBytes)
		start := len(dst)
		var ok bool
		dst, ok = appendMapKey(append(dst, 0), key, name)
		switch {
		case !ok:
			err = r.leave(dec, "not a key of this map")
		case seen[string(dst[start+1:])]:
			ok, err = false, r.leave(dec, "a second value")
		case dec.PeekKind() == 'n' && !value.takesNull():
			ok, err = false, r.leave(dec, "null in a map")
		default:
			seen[string(dst[start+1:])] = true
			dst, ok, err = r.single(dst, value, dec, false)
		}
		if err != nil {
			return dst, false, err
		}
		if ok {
			dst = closeLength(dst, start)
		} else {
			dst = dst[:n]
		}
		r.path = r.path[:base]
	}
	_, err := dec.ReadToken()
	return dst, err == nil, err
}

// closeLength puts the length of what follows at the byte kept free for it at start.
func closeLength(dst []byte, start int) []byte {
	size := uint64(len(dst) - start - 1)
	if size < 0x80 {
		dst[start] = byte(size)
		return dst
	}
	var length [10]byte
	head := protowire.AppendVarint(length[:0], size)
	dst = append(dst, head[1:]...)
	copy(dst[start+len(head):], dst[start+1:len(dst)-len(head)+1])
	copy(dst[start:], head)
	return dst
}

// slots are the fields of a message that have come.
type slots struct {
	low  [slotBits / 64]uint64
	high map[int]bool
}

func (s *slots) has(slot int) bool {
	if slot < slotBits {
		return s.low[slot>>6]&(1<<(slot&63)) != 0
	}
	return s.high[slot]
}

func (s *slots) add(slot int) {
	if slot < slotBits {
		s.low[slot>>6] |= 1 << (slot & 63)
		return
	}
	if s.high == nil {
		s.high = map[int]bool{}
	}
	s.high[slot] = true
}
