package profile

import (
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Check walks raw as message and records findings with paths below path. An error means the bytes are not a protobuf
// message at all (or nest deeper than 100 levels); it names the path. Findings are added to what f holds, and are those of
// AppendJSON, projecting or not. Content of an Any of a known type is walked; fields of type bytes stay closed. Work is
// linear in the bytes for each level.
func (p *Profile) Check(message string, raw []byte, path string, f *Findings) error {
	m := p.schema.messages[message]
	if m == nil {
		return fmt.Errorf("%s: profile %s has no message %s", path, p.info.Name, message)
	}
	return p.inspect(m, raw, &JSONOptions{Path: path, Findings: f})
}

// inspect is Check, and with Project it also reports what projection leaves out.
func (p *Profile) inspect(m *message, raw []byte, opt *JSONOptions) error {
	w := walkers.Get().(*walker)
	w.schema, w.found, w.base, w.depth = p.schema, opt.Findings, opt.Path, 0
	w.sourceOnly = nil
	if opt.Project {
		w.sourceOnly = opt.SourceOnly
	}
	if w.quiet = w.found == nil; w.quiet {
		w.found = &w.scratch
	}
	err := w.walk(m.table(), raw)
	if err != nil {
		err = errorAt(w.path(), err)
	}
	w.release()
	return err
}

// errorAt says at which path err occurred; empty is the message itself.
func errorAt(path string, err error) error {
	if path == "" {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

// walker is the state of one Check.
type walker struct {
	schema *schema
	found  *Findings
	base   string
	depth  int
	// sourceOnly, if not nil, receives what the display form of wrappers leaves out.
	sourceOnly func(path, message string, value []byte)
	// quiet walks for sourceOnly alone: texts are not examined.
	quiet   bool
	scratch Findings
	// line is a path in the making, slab the memory of paths given to sourceOnly.
	line, slab []byte
	// deepest is how many frames refer to raw bytes.
	deepest int
	frames  [maxDepth]frame
}

// release gives the walker back without a reference to what it walked.
func (w *walker) release() {
	w.found, w.base, w.sourceOnly = nil, "", nil
	for i := range w.frames[:w.deepest] {
		w.frames[i].enter(nil, nil)
	}
	w.deepest = 0
	w.scratch.Reset()
	walkers.Put(w)
}

// walk checks one message. After an error the frames still say where it is.
func (w *walker) walk(t *table, raw []byte) error {
	if w.depth == maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	fr := &w.frames[w.depth]
	w.depth++
	w.deepest = max(w.deepest, w.depth)
	fr.enter(t, raw)
	if t.msg.wrapper != nil && (!w.quiet || w.sourceOnly != nil) {
		w.wrapper(t.msg.wrapper, raw)
	}
	for i := 0; i < len(raw); {
		tag, v, start, end := next(raw, i)
		if end < 0 {
			return malformed(t, i)
		}
		fr.at = i
		i = end
		f := t.field(tag >> 3)
		if f == nil || !f.accepts(tag&7) {
			w.unknown(tag, raw[start:end])
			continue
		}
		if tag&7 == wireBytes && f.wire != wireBytes {
			if err := w.packed(f, raw[start:end]); err != nil {
				return err
			}
			continue
		}
		switch f.kind {
		case kindString:
			if !w.quiet && !utf8.Valid(raw[start:end]) {
				w.badText(f)
			}
		case kindEnum:
			w.enumValue(f, v, -1)
		case kindMessage:
			fr.field = f
			if err := w.walk(f.msg.table(), raw[start:end]); err != nil {
				return err
			}
			fr.field = nil
		}
	}
	if t.msg.form != formPlain {
		w.wellKnown(t.msg, raw)
	}
	w.depth--
	return nil
}

// packed checks a length-delimited run of numbers.
func (w *walker) packed(f *field, b []byte) error {
	elem := 0
	for i := 0; i < len(b); elem++ {
		v, end := packedNumber(b, i, f.wire)
		if end < 0 {
			return fmt.Errorf("not a packed %s: malformed at byte %d", f.name, i)
		}
		if f.kind == kindEnum {
			w.enumValue(f, v, elem)
		}
		i = end
	}
	return nil
}

// wellKnown checks what protojson demands of a well-known message beyond the wire form.
func (w *walker) wellKnown(m *message, raw []byte) {
	if m.form == formAny {
		w.any(raw)
		return
	}
	if what := badValue(m, raw); what != "" && w.found.room() {
		w.found.add(&w.found.BadValues, w.path()+"="+what)
	}
}

// any walks the content of a google.protobuf.Any. Content that is not what its type says is a finding of the wrapper.
func (w *walker) any(raw []byte) {
	url, value := anyParts(raw)
	if len(url) == 0 && len(value) == 0 {
		return
	}
	m := w.schema.byTypeURL(unsafeText(url))
	suffix := ""
	if m != nil {
		depth, before := w.depth, w.found.mark()
		w.frames[depth-1].field = nil
		if w.walk(m.table(), value) == nil {
			return
		}
		w.depth = depth
		w.found.cut(before)
		suffix = ": malformed"
	}
	if w.found.room() {
		w.found.add(&w.found.UnknownWrappers, w.path()+"="+anyLabel(url)+suffix)
	}
}

func (w *walker) unknown(tag uint64, value []byte) {
	if !w.found.room() {
		return
	}
	fr := &w.frames[w.depth-1]
	if fr.path == "" {
		fr.path = w.path()
		w.found.pathBytes += len(fr.path)
	}
	w.found.Unknown = append(w.found.Unknown, &transcriptv1.UnknownField{
		Path: fr.path, Number: uint32(tag >> 3), WireType: uint32(tag & 7), Value: append([]byte(nil), value...),
	})
}

// enumValue checks a number of an enum field; elem is its place in a packed run, -1 outside one.
func (w *walker) enumValue(f *field, v uint64, elem int) {
	number := f.kind.signed(v)
	if _, known := f.enum.table().value(number); known || f.enum.open || !w.found.room() {
		return
	}
	w.found.add(&w.found.UnknownEnums, w.pathOf(f, max(elem, 0))+"="+strconv.FormatInt(number, 10))
}

// anyLabel is a type URL as findings show it.
func anyLabel(url []byte) string {
	const longest = 256
	if len(url) > longest {
		return repaired(string(url[:longest])) + "…"
	}
	return repaired(string(url))
}

func (w *walker) badText(f *field) {
	if w.found.room() {
		w.found.add(&w.found.BadText, w.pathOf(f, 0))
	}
}
