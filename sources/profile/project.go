package profile

import (
	"fmt"
	"slices"
	"strings"

	"agy-reader/proto/antigravity"
)

// wrapper is a compiled antigravity.Wrapper.
type wrapper struct {
	message *message
	body    *field
	// payloads are ways from the body to an Any.
	payloads [][]*field
	typeURL  string
	// outer says by slot which fields of the wrapper win.
	outer []bool
}

func (s *schema) bindWrapper(m *antigravity.Wrapper) error {
	msg := s.messages[m.Message]
	if msg == nil {
		return fmt.Errorf("wrapper %s is not in the schema", m.Message)
	}
	t := msg.table()
	w := &wrapper{message: msg, typeURL: m.TypeURL, outer: make([]bool, len(t.fields))}
	if w.body = t.byName(m.Body); w.body == nil || w.body.kind != kindMessage || w.body.repeated {
		return fmt.Errorf("wrapper %s: body %s is not a message field", m.Message, m.Body)
	}
	for _, name := range m.Outer {
		f := t.byName(name)
		if f == nil || f.oneof >= 0 {
			return fmt.Errorf("wrapper %s: outer field %s is not a field outside oneofs", m.Message, name)
		}
		w.outer[f.slot] = true
	}
	for _, dotted := range m.Payload {
		way, err := w.body.msg.way(dotted)
		if err != nil {
			return fmt.Errorf("wrapper %s: payload %s: %w", m.Message, dotted, err)
		}
		w.payloads = append(w.payloads, way)
	}
	msg.wrapper = w
	return nil
}

// way resolves a dotted path of singular message fields that ends at an Any.
func (m *message) way(dotted string) ([]*field, error) {
	var way []*field
	for name := range strings.SplitSeq(dotted, ".") {
		f := m.table().byName(name)
		if f == nil || f.kind != kindMessage || f.repeated {
			return nil, fmt.Errorf("%s.%s is not a singular message field", m.name, name)
		}
		way = append(way, f)
		m = f.msg
	}
	if m.form != formAny {
		return nil, fmt.Errorf("ends at %s, not at a google.protobuf.Any", m.name)
	}
	return way, nil
}

// carried is what a wrapper holds.
type carried struct {
	// way is the one of wrapper.payloads that is present; nil when the message is no wrapper.
	way []*field
	url []byte
	raw []byte
}

// carried opens a stored message.
func (w *wrapper) carried(raw []byte) (outer View, c carried) {
	outer = (*Resolved)(nil).open(w.message.table(), raw)
	if outer.seen>>w.body.bit&1 == 0 {
		return outer, c
	}
	_, body, ok := outer.value(w.body)
	if !ok {
		return outer, c
	}
	for _, way := range w.payloads {
		if payload, ok := follow(w.body.msg, body, way); ok {
			c.way = way
			c.url, c.raw = anyParts(payload)
			return outer, c
		}
	}
	return outer, c
}

// wraps reports whether a stored message carries anything.
func (w *wrapper) wraps(raw []byte) bool {
	_, c := w.carried(raw)
	return c.way != nil
}

// follow goes from a message along singular message fields.
func follow(m *message, raw []byte, way []*field) ([]byte, bool) {
	for _, f := range way {
		v := (*Resolved)(nil).open(m.table(), raw)
		if v.seen>>f.bit&1 == 0 {
			return nil, false
		}
		_, inner, ok := v.value(f)
		if !ok {
			return nil, false
		}
		m, raw = f.msg, inner
	}
	return raw, true
}

// fits reports whether the carried message is of the type that the wrapper projects to, and not empty.
func (w *wrapper) fits(c carried) bool {
	return c.way != nil && string(c.url) == w.typeURL && len(c.raw) > 0
}

// display returns the display form of a wrapper as wire bytes, and nil for a message that stays as stored. It is built on
// top of the stack spare.
func (w *wrapper) display(spare *[]byte, raw []byte) []byte {
	outer, c := w.carried(raw)
	if !w.fits(c) {
		return nil
	}
	base := len(*spare)
	out, ok := w.take(slices.Grow(*spare, len(raw)), raw, func(f *field) bool { return w.outer[f.slot] })
	if ok {
		out, ok = w.take(out, c.raw, func(f *field) bool { return !w.wins(&outer, f) })
	}
	*spare = out
	if !ok {
		return nil
	}
	return out[base:]
}

// wins reports whether the wrapper's own value of a field replaces the carried one.
func (w *wrapper) wins(outer *View, f *field) bool {
	if !w.outer[f.slot] || outer.seen>>f.bit&1 == 0 {
		return false
	}
	_, _, ok := outer.value(f)
	return ok
}

// take appends the items of a message whose fields keep wants; ok is false when raw is malformed.
func (w *wrapper) take(dst, raw []byte, keep func(*field) bool) (_ []byte, ok bool) {
	t := w.message.table()
	for i := 0; i < len(raw); {
		tag, _, _, end := next(raw, i)
		if end < 0 {
			return dst, false
		}
		if f := t.field(tag >> 3); f != nil && f.accepts(tag&7) && keep(f) {
			dst = append(dst, raw[i:end]...)
		}
		i = end
	}
	return dst, true
}
