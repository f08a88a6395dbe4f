package sidecar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// layout is where the block of a document is.
type layout struct {
	block Block
	has   bool // there is a member agyReader
	// opened is behind the `{`; empty says that no member but the block follows.
	opened int64
	empty  bool
	// value is the block's value; cut is what goes with the block when it is removed, commas included.
	value, cut span
	// end is behind the `}`.
	end int64
}

type span struct{ from, to int64 }

// scan reads a document to its end.
func scan(r io.Reader) (layout, error) {
	s := NewScanner(r)
	l := layout{empty: true}
	if err := s.Open(); err != nil {
		return l, err
	}
	if _, err := s.Token(); err != nil {
		return l, err
	}
	l.opened = s.dec.InputOffset()
	before := l.opened // behind the value before
	first, cutToNext := true, false
	for s.Kind() != '}' {
		raw, err := s.Raw()
		if err != nil {
			return l, err
		}
		start := s.dec.InputOffset() - int64(len(raw))
		if cutToNext {
			l.cut.to, cutToNext = start, false
		}
		if !isBlockName(raw) {
			if err := s.Skip(); err != nil {
				return l, err
			}
			l.empty, first, before = false, false, s.dec.InputOffset()
			continue
		}
		if l.has {
			return l, fmt.Errorf("%w: agyReader occurs twice", ErrCorrupt)
		}
		value, err := s.Raw()
		if err != nil {
			return l, err
		}
		l.has = true
		l.value.to = s.dec.InputOffset()
		l.value.from = l.value.to - int64(len(value))
		l.cut = span{before, l.value.to}
		cutToNext, first, before = first, false, l.value.to
		if l.block, err = parseBlock(value); err != nil {
			return l, err
		}
	}
	if _, err := s.Token(); err != nil {
		return l, err
	}
	l.end = s.dec.InputOffset()
	return l, s.End()
}

func isBlockName(raw []byte) bool {
	var name string
	return len(raw) < 8*len(blockName) && json.Unmarshal(raw, &name) == nil && name == blockName
}

// parseBlock takes a block apart. null is an empty one.
func parseBlock(value []byte) (b Block, err error) {
	if string(value) == "null" {
		return b, nil
	}
	if value[0] != '{' {
		return b, fmt.Errorf("%w: agyReader is not an object", ErrCorrupt)
	}
	s := NewScanner(bytes.NewReader(value))
	seen := map[string]bool{}
	err = s.Object(func(name string) error {
		raw, err := s.Raw()
		if err != nil {
			return err
		}
		if seen[name] {
			return fmt.Errorf("%w: agyReader.%s occurs twice", ErrCorrupt, name)
		}
		seen[name] = true
		b.Members = append(b.Members, Member{name, bytes.Clone(raw)})
		return nil
	})
	return b, err
}

// document is what is to be written, and its size.
type document struct {
	io.Reader
	size int64
}

// with is the document with another block and one final newline.
func (l *layout) with(r io.ReaderAt, b Block) document {
	at, text := span{l.opened, l.opened}, []byte(nil)
	switch {
	case len(b.Members) == 0 && l.has:
		at = l.cut
	case len(b.Members) == 0:
	case l.has:
		at, text = l.value, b.text()
	default:
		text = append(append(quote(blockName), ':'), b.text()...)
		if !l.empty {
			text = append(text, ',')
		}
	}
	return document{
		io.MultiReader(io.NewSectionReader(r, 0, at.from), bytes.NewReader(text), io.NewSectionReader(r, at.to, l.end-at.to), bytes.NewReader([]byte{'\n'})),
		at.from + int64(len(text)) + l.end - at.to + 1,
	}
}
