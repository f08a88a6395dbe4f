package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources/profile"
)

// maxOpenMembers is how many members the objects around one place may have together.
const maxOpenMembers = 1 << 20

// maxDepth is how deep JSON may nest. Protobuf ends at 100 levels, each of which may be a list in an object.
const maxDepth = 250

// canonicalizer writes JSON in its canonical form: no white space, members sorted by name, texts escaped in one way, numbers
// by value. Values that differ have different forms. The zero value is ready; it keeps memory and is not safe for concurrent
// use.
type canonicalizer struct {
	// closed says that texts may hold messages the profile does not open; see closedForm.
	closed  bool
	dec     *jsontext.Decoder
	buf     *bytes.Buffer
	members []span
	scratch []byte
	depth   int
}

// span is a member of the object that is being written, with the comma behind it.
type span struct{ start, nameEnd, end int }

// append appends one JSON value, and nothing else, in canonical form. An error is malformed text.
func (c *canonicalizer) append(dst, src []byte) ([]byte, error) {
	c.buf = bytes.NewBuffer(src)
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true)} // they are found when members are sorted
	if c.dec == nil {
		c.dec = jsontext.NewDecoder(c.buf, options...)
	} else {
		c.dec.Reset(c.buf, options...)
	}
	c.members, c.depth = c.members[:0], 0
	dst, err := c.value(dst)
	if err != nil {
		return dst, syntaxError(err)
	}
	if _, err := c.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return dst, errors.New("something follows the value")
	}
	return dst, nil
}

// syntaxError says where text is no JSON, and nothing of what is there.
func syntaxError(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at byte %d", syntax.ByteOffset)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends too early")
	}
	return err
}

func (c *canonicalizer) value(dst []byte) ([]byte, error) {
	switch c.dec.PeekKind() {
	case '{':
		return c.nested(dst, c.object)
	case '[':
		return c.nested(dst, c.array)
	}
	raw, err := c.dec.ReadValue()
	if err != nil {
		return dst, err
	}
	switch raw.Kind() {
	case '"':
		return c.text(dst, raw)
	case '0':
		return appendNumber(dst, raw), nil
	}
	return append(dst, raw...), nil
}

func (c *canonicalizer) nested(dst []byte, write func([]byte) ([]byte, error)) ([]byte, error) {
	if c.depth == maxDepth {
		return dst, fmt.Errorf("JSON nested deeper than %d levels", maxDepth)
	}
	c.depth++
	defer func() { c.depth-- }()
	if _, err := c.dec.ReadToken(); err != nil {
		return dst, err
	}
	dst, err := write(dst)
	if err == nil {
		_, err = c.dec.ReadToken()
	}
	return dst, err
}

func (c *canonicalizer) array(dst []byte) (_ []byte, err error) {
	dst = append(dst, '[')
	for n := 0; c.dec.PeekKind() != ']'; n++ {
		if n > 0 {
			dst = append(dst, ',')
		}
		if dst, err = c.value(dst); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func (c *canonicalizer) object(dst []byte) ([]byte, error) {
	dst = append(dst, '{')
	base, begin := len(c.members), len(dst)
	for c.dec.PeekKind() != '}' {
		m := span{start: len(dst)}
		name, err := c.dec.ReadValue()
		if err != nil {
			return dst, err
		}
		if dst, err = appendText(dst, name); err != nil {
			return dst, err
		}
		m.nameEnd = len(dst)
		if dst, err = c.value(append(dst, ':')); err != nil {
			return dst, err
		}
		dst = append(dst, ',')
		m.end = len(dst)
		if c.members = append(c.members, m); len(c.members) > maxOpenMembers {
			return dst, fmt.Errorf("more than %d members", maxOpenMembers)
		}
	}
	if err := c.sort(dst, begin, c.members[base:]); err != nil {
		return dst, err
	}
	if len(c.members) > base {
		dst = dst[:len(dst)-1]
	}
	c.members = c.members[:base]
	return append(dst, '}'), nil
}

// sort puts the members of an object, which lie in dst from begin on, in order of their names.
func (c *canonicalizer) sort(dst []byte, begin int, members []span) error {
	byName := func(a, b span) int { return bytes.Compare(dst[a.start:a.nameEnd], dst[b.start:b.nameEnd]) }
	sorted := slices.IsSortedFunc(members, byName)
	if !sorted {
		slices.SortStableFunc(members, byName)
	}
	for i := 1; i < len(members); i++ {
		if byName(members[i-1], members[i]) == 0 {
			return errors.New("a name occurs twice in one object")
		}
	}
	if sorted {
		return nil
	}
	c.scratch = c.scratch[:0]
	for _, m := range members {
		c.scratch = append(c.scratch, dst[m.start:m.end]...)
	}
	copy(dst[begin:], c.scratch)
	return nil
}

// text appends a text that is a value.
func (c *canonicalizer) text(dst []byte, quoted jsontext.Value) ([]byte, error) {
	if c.closed {
		if inner := quoted[1 : len(quoted)-1]; len(inner) > 0 && len(inner)%4 == 0 {
			if form, ok := closedText(inner); ok {
				return append(append(append(dst, '"'), form...), '"'), nil
			}
		}
	}
	return appendText(dst, quoted)
}

// appendText appends a text; one without escapes is as it is.
func appendText(dst []byte, quoted jsontext.Value) ([]byte, error) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return append(dst, quoted...), nil
	}
	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return dst, err
	}
	return profile.AppendString(dst, string(text)), nil
}

// appendNumber appends a number by value: its digits without zeros at either end, and a power of ten. Minus zero stays
// apart from zero, since protobuf keeps them apart.
func appendNumber(dst, raw []byte) []byte {
	mantissa, exponent := raw, 0
	if at := bytes.IndexAny(raw, "eE"); at >= 0 {
		n, err := strconv.Atoi(string(raw[at+1:]))
		if err != nil || n > 1<<30 || n < -1<<30 {
			return append(dst, raw...) // no number anybody writes
		}
		mantissa, exponent = raw[:at], n
	}
	start := len(dst)
	if mantissa[0] == '-' {
		dst, mantissa = append(dst, '-'), mantissa[1:]
		start++
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	if len(whole) > 1 || whole[0] != '0' {
		dst = append(dst, whole...)
	}
	dst = append(dst, fraction...)
	exponent -= len(fraction)
	lead := start
	for lead < len(dst) && dst[lead] == '0' {
		lead++
	}
	dst = append(dst[:start], dst[lead:]...)
	for len(dst) > start && dst[len(dst)-1] == '0' {
		dst, exponent = dst[:len(dst)-1], exponent+1
	}
	if len(dst) == start {
		return append(dst, '0')
	}
	if exponent != 0 {
		dst = strconv.AppendInt(append(dst, 'e'), int64(exponent), 10)
	}
	return dst
}
