package profile

import (
	"fmt"
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
	// outer are fields of the wrapper that win, by slot of message's table.
	outer map[*field]bool
}

func (s *schema) bindWrapper(m *antigravity.Wrapper) error {
	msg := s.messages[m.Message]
	if msg == nil {
		return fmt.Errorf("wrapper %s is not in the schema", m.Message)
	}
	w := &wrapper{message: msg, typeURL: m.TypeURL, outer: make(map[*field]bool, len(m.Outer))}
	t := msg.table()
	if w.body = t.byName(m.Body); w.body == nil || w.body.kind != kindMessage || w.body.repeated {
		return fmt.Errorf("wrapper %s: body %s is not a message field", m.Message, m.Body)
	}
	for _, name := range m.Outer {
		f := t.byName(name)
		if f == nil {
			return fmt.Errorf("wrapper %s: outer field %s is not in the schema", m.Message, name)
		}
		w.outer[f] = true
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
