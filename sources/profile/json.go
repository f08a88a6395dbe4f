package profile

import (
	"errors"
	"fmt"
	"sync"
)

// JSONOptions controls AppendJSON. The nil options are valid.
type JSONOptions struct {
	// Path is the prefix of the paths in findings, for example `steps[3]`.
	Path string
	// Findings receives what Check would; may be nil. A caller that has already checked raw leaves it nil.
	Findings *Findings
	// ValidText says that raw passed Check without BadText, so that texts are not examined again.
	ValidText bool
	// Project writes wrappers in their display form, as profile.json says. A wrapper that cannot be projected, and one more
	// than eight wrappers deep, is written as stored.
	Project bool
	// SourceOnly receives, when Project is set, stored fields that the display form does not hold, before anything is
	// written: the path of the field (it may be kept), the message in value (the entry message of a map, "" for a scalar), and its wire bytes
	// without tag and length. value is valid during the call only.
	SourceOnly func(path, message string, value []byte)
}

const (
	maxFailures = 8
	// maxWrapped is how many wrappers inside each other are projected. Those further in stay as stored.
	maxWrapped = 8
)

var errTooDeep = errors.New("nested too deep")

// AppendJSON appends raw, a message of the named type, as protojson would write it after decoding with this schema: same
// members, same values; member order follows the wire (field numbers where the wire repeats or interleaves fields), map
// keys are sorted. It is the product's own JSON form. An error leaves dst unusable; bytes that passed Check give none.
// Without Findings, damage inside a value that a later one replaces goes unnoticed: Check first.
//
// Where protojson refuses, nothing is lost: an Any that cannot be opened becomes {"@type":…,"value":base64}, a well-known
// value without a JSON form (Findings.BadValues) a plain object of its fields, and bad UTF-8 is repaired, where keys of a
// map that would become the same get `~2`, `~3` and so on behind them. No name repeats within an object.
func (p *Profile) AppendJSON(dst []byte, message string, raw []byte, opt *JSONOptions) ([]byte, error) {
	m := p.schema.messages[message]
	if m == nil {
		return dst, fmt.Errorf("profile %s has no message %s", p.info.Name, message)
	}
	if opt == nil {
		opt = &JSONOptions{}
	}
	validText := opt.ValidText
	if opt.Findings != nil || opt.Project && opt.SourceOnly != nil {
		out, ok := p.transcodeClean(dst, m, raw)
		if ok {
			return out, nil
		}
		dst = out[:len(dst)]
		before := 0
		if opt.Findings != nil {
			before = len(opt.Findings.BadText) + opt.Findings.More
		}
		if err := p.inspect(m, raw, opt); err != nil {
			return dst, err
		}
		validText = validText || opt.Findings != nil && len(opt.Findings.BadText)+opt.Findings.More == before
	}
	dst, err := p.transcode(dst, m, raw, validText, opt.Project)
	if err != nil {
		return dst, errorAt(opt.Path, err)
	}
	return dst, nil
}

// AppendJSON appends the message as protojson would write it; null for the zero View and for bytes that are no message.
func (v View) AppendJSON(dst []byte) []byte {
	n := len(dst)
	if v.t != nil {
		out, err := v.r.profile.transcode(dst, v.t.msg, v.raw, !v.r.repair, false)
		if err == nil {
			return out
		}
	}
	return append(dst[:n], "null"...)
}

var writers = sync.Pool{New: func() any { return new(writer) }}

func (p *Profile) transcode(dst []byte, m *message, raw []byte, validText, project bool) ([]byte, error) {
	w := writers.Get().(*writer)
	w.begin(p.schema, validText, project)
	dst, err := w.message(dst, m, raw)
	w.release()
	return dst, err
}

// writer is the state of one transcoding. Its slices are stacks: each level takes what it needs and gives it back.
type writer struct {
	schema    *schema
	validText bool
	project   bool
	depth     int
	// failures counts wrappers that turned out broken inside. Each is written twice, so their number is bounded: after
	// maxFailures the others stay as stored.
	failures int
	// wrapped counts the projected wrappers around: each holds a copy of what is in it.
	wrapped int
	// collect skips the attempt to write in wire order.
	collect bool
	// clean looks for what transcodeClean does not write. It is found as errOdd, or as odd where writing goes on.
	clean, odd bool
	items      []item
	entries    []entry
	spare      []byte
}

// begin makes a writer from the pool ready.
func (w *writer) begin(s *schema, validText, project bool) {
	w.schema, w.validText, w.project, w.depth, w.wrapped, w.collect, w.failures = s, validText, project, 0, 0, false, 0
	w.clean, w.odd = false, false
}

// release gives the writer back without references to what it wrote. Stacks that one odd message made huge are dropped.
func (w *writer) release() {
	const keep, keepBytes = 1 << 16, 1 << 20
	clear(w.items[:cap(w.items)])
	clear(w.entries[:cap(w.entries)])
	w.items, w.entries, w.spare = w.items[:0], w.entries[:0], w.spare[:0]
	if cap(w.items) > keep {
		w.items = nil
	}
	if cap(w.entries) > keep {
		w.entries = nil
	}
	if cap(w.spare) > keepBytes {
		w.spare = nil
	}
	w.schema = nil
	writers.Put(w)
}

// message writes a message of any form.
func (w *writer) message(dst []byte, m *message, raw []byte) ([]byte, error) {
	if w.depth == maxDepth {
		return dst, errTooDeep
	}
	w.depth++
	var err error
	if m.form == formPlain {
		dst, err = w.object(append(dst, '{'), m, raw)
	} else {
		dst, err = w.wellKnown(dst, m, raw)
	}
	w.depth--
	return dst, err
}

// object writes the members of a message and the closing brace; dst ends with the opening brace or a comma.
func (w *writer) object(dst []byte, m *message, raw []byte) ([]byte, error) {
	var err error
	if w.clean && m.wrapper != nil && m.wrapper.wraps(raw) {
		return dst, errOdd
	}
	if w.project && m.wrapper != nil && w.depth < maxDepth && w.wrapped < maxWrapped {
		n, state := len(dst), w.state()
		w.depth++
		w.wrapped++
		if shown := m.wrapper.display(&w.spare, raw); shown != nil {
			if dst, err = w.object(dst, m, shown); err == nil {
				w.restore(state)
				return dst, nil
			}
			dst = dst[:n]
			w.failures++
			w.project = w.failures < maxFailures
		}
		w.restore(state)
	}
	if dst, err = w.members(dst, m.table(), raw); err != nil {
		return dst, err
	}
	return closed(dst, '}'), nil
}

// closed replaces the last comma by a closing brace or bracket.
func closed(dst []byte, end byte) []byte {
	if last := len(dst) - 1; dst[last] == ',' {
		dst[last] = end
		return dst
	}
	return append(dst, end)
}

// state is how high the stacks are.
type state struct {
	depth, wrapped, items, entries, spare int
	collect                               bool
}

func (w *writer) state() state {
	return state{w.depth, w.wrapped, len(w.items), len(w.entries), len(w.spare), w.collect}
}

func (w *writer) restore(s state) {
	w.depth, w.wrapped, w.collect = s.depth, s.wrapped, s.collect
	w.items, w.entries, w.spare = w.items[:s.items], w.entries[:s.entries], w.spare[:s.spare]
}
