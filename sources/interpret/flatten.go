package interpret

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources/profile"
)

// generic shows a body that has no form of its own: each value with its path, long texts as blocks. Nothing is left out.
func (b *builder) generic(v profile.View) {
	b.flat("", v)
}

// flat shows every value of a message under its path, below prefix.
func (b *builder) flat(prefix string, v profile.View) {
	if !v.Valid() {
		return
	}
	raw := v.Raw()
	text := b.a.texts.closeText(v.AppendJSON(b.a.texts.open(2*len(raw) + 2)))
	b.flatJSON(prefix, text)
}

// flatJSON shows every value of a JSON text under its path, below prefix. A text that is not JSON, or nests deeper than
// its decoder goes, is shown as it is.
func (b *builder) flatJSON(prefix, text string) {
	if text == "" || text == "{}" {
		return
	}
	b.flushFacts("")
	mark := len(b.a.scratch.blocks)
	path := append(b.a.scratch.path[:0], prefix...)
	d := jsontext.NewDecoder(bytes.NewReader(raw(text)), jsontext.AllowDuplicateNames(true))
	b.flatLeft = 64<<10 + 8*len(text)
	path, err := b.flatValue(d, path)
	b.a.scratch.path = path
	if err == nil {
		_, err = d.ReadToken()
	}
	if !errors.Is(err, io.EOF) {
		b.a.scratch.blocks = b.a.scratch.blocks[:mark]
		b.a.scratch.facts = b.a.scratch.facts[:0]
		b.code(prefix, "json", text)
	}
}

// maxFlat is the depth below which a value is shown as JSON and not by paths.
const maxFlat = 24

// errTooMuch stops flattening when paths would repeat far more text than there is.
var errTooMuch = errors.New("paths repeat too much")

// leaf shows one value under its path.
func (b *builder) leaf(path []byte, value string) error {
	if b.flatLeft -= len(path) + len(value); b.flatLeft < 0 {
		return errTooMuch
	}
	b.fact(b.a.join(view(path)), b.a.join(value))
	return nil
}

// flatValue shows the next value. path is the memory of the path, which it returns with its old length.
func (b *builder) flatValue(d *jsontext.Decoder, path []byte) ([]byte, error) {
	kind := d.PeekKind()
	if d.StackDepth() >= maxFlat && (kind == '{' || kind == '[') {
		kind = 0
	}
	switch kind {
	case '{', '[':
		if _, err := d.ReadToken(); err != nil {
			return path, err
		}
		n := len(path)
		for i := 0; ; i++ {
			if k := d.PeekKind(); k == '}' || k == ']' {
				if i == 0 && n > 0 {
					if err := b.leaf(path, emptyOf(kind)); err != nil {
						return path, err
					}
				}
				_, err := d.ReadToken()
				return path[:n], err
			}
			if kind == '{' {
				key, err := d.ReadToken()
				if err != nil {
					return path, err
				}
				if n > 0 {
					path = append(path, '.')
				}
				path = append(path, key.String()...)
			} else {
				path = append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
			}
			var err error
			if path, err = b.flatValue(d, path); err != nil {
				return path, err
			}
			path = path[:n]
		}
	case '"':
		tok, err := d.ReadToken()
		if err != nil {
			return path, err
		}
		text := tok.String()
		if text == "" {
			text = `""`
		}
		return path, b.leaf(path, text)
	}
	value, err := d.ReadValue()
	if err != nil {
		return path, err
	}
	return path, b.leaf(path, view(value))
}

func emptyOf(kind jsontext.Kind) string {
	if kind == '{' {
		return "{}"
	}
	return "[]"
}
