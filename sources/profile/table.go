package profile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// table is a message compiled for look-ups by field number.
type table struct {
	msg *message
	// dense holds fields by number, sparse the numbers behind it.
	dense  []*field
	sparse map[uint64]*field
	// fields are in order of declaration.
	fields []*field
	// oneofs are names of real oneofs; field.oneof indexes them.
	oneofs []string
	// entry marks the message of a map's entries.
	entry bool
	// err says what of the descriptor could not be used.
	err error
	// byText holds fields by both their names once somebody asked.
	byText atomic.Pointer[map[string]*field]
}

// field is one field of a compiled message.
type field struct {
	name, json string
	// key is the JSON member name quoted, with its colon.
	key    string
	number uint64
	// slot numbers fields by ascending number; members of one real oneof share a slot, since only one of them can be set.
	slot int
	// bit is the slot, and 63 for all slots from 63 on.
	bit  uint8
	kind kind
	// wire is the wire type of one element.
	wire     uint64
	repeated bool
	isMap    bool
	// packable elements may also travel many in one length-delimited item.
	packable bool
	// presence says that a zero on the wire differs from absence.
	presence bool
	// oneof indexes table.oneofs, -1 outside a real oneof.
	oneof int
	msg   *message
	enum  *enum
}

const (
	denseNumbers = 256
	sharedBit    = 63
)

// table returns the compiled form.
func (m *message) table() *table {
	if t := m.compiled.Load(); t != nil {
		return t
	}
	t := m.compile()
	if !m.compiled.CompareAndSwap(nil, t) {
		t = m.compiled.Load()
	}
	return t
}

func (t *table) field(number uint64) *field {
	if number < uint64(len(t.dense)) {
		return t.dense[number]
	}
	return t.sparse[number]
}

// byName returns a field by its proto name, or nil.
func (t *table) byName(name string) *field {
	for _, f := range t.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// accepts reports whether an item of this wire type belongs to the field; otherwise it is an unknown field.
func (f *field) accepts(wire uint64) bool {
	return wire == f.wire || wire == wireBytes && f.packable
}

func (m *message) compile() *table {
	t := &table{msg: m}
	var d descriptorpb.DescriptorProto
	if err := proto.Unmarshal(m.descriptor, &d); err != nil {
		t.err = fmt.Errorf("%s: read descriptor: %w", m.name, err)
		return t
	}
	synthetic := make(map[int32]bool)
	t.entry = d.GetOptions().GetMapEntry()
	for _, f := range d.GetField() {
		if f.GetProto3Optional() && f.OneofIndex != nil {
			synthetic[f.GetOneofIndex()] = true
		}
	}
	for _, o := range d.GetOneofDecl() {
		t.oneofs = append(t.oneofs, o.GetName())
	}
	for _, fd := range d.GetField() {
		f, err := m.schema.compileField(fd)
		if err != nil {
			t.err = errors.Join(t.err, fmt.Errorf("%s.%s: %w", m.name, fd.GetName(), err))
			continue
		}
		if fd.OneofIndex != nil && !synthetic[fd.GetOneofIndex()] {
			f.oneof = int(fd.GetOneofIndex())
		}
		t.fields = append(t.fields, f)
	}
	t.index()
	return t
}

// index fills the look-up structures from fields.
func (t *table) index() {
	byNumber := slices.SortedFunc(slices.Values(t.fields), func(a, b *field) int { return int(a.number) - int(b.number) })
	slots, ofOneof := 0, make(map[int]int)
	for _, f := range byNumber {
		slot, known := ofOneof[f.oneof]
		if f.oneof < 0 || !known {
			slot = slots
			slots++
		}
		if f.oneof >= 0 {
			ofOneof[f.oneof] = slot
		}
		f.slot, f.bit = slot, uint8(min(slot, sharedBit))
		if f.number < denseNumbers {
			t.dense = append(t.dense, make([]*field, int(f.number)+1-len(t.dense))...)
			t.dense[f.number] = f
			continue
		}
		if t.sparse == nil {
			t.sparse = make(map[uint64]*field)
		}
		t.sparse[f.number] = f
	}
}

func (s *schema) compileField(fd *descriptorpb.FieldDescriptorProto) (*field, error) {
	k := kinds[fd.GetType()]
	if k.kind == 0 {
		return nil, fmt.Errorf("kind %v is not supported", fd.GetType())
	}
	f := &field{
		name: fd.GetName(), json: fd.GetJsonName(), number: uint64(fd.GetNumber()), kind: k.kind, wire: k.wire, oneof: -1,
		repeated: fd.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED,
	}
	if f.json == "" {
		f.json = camelCase(f.name)
	}
	f.key = string(append(AppendString(nil, f.json), ':'))
	f.packable = f.repeated && f.wire != wireBytes
	f.presence = fd.OneofIndex != nil || f.kind == kindMessage
	f.msg, f.enum = s.byTypeName(fd)
	switch {
	case f.kind == kindMessage && f.msg == nil, f.kind == kindEnum && f.enum == nil:
		return nil, fmt.Errorf("type %s is not declared", fd.GetTypeName())
	case f.kind == kindMessage && f.repeated:
		f.isMap = f.msg.isMapEntry()
	}
	return f, nil
}

// isMapEntry reports the map_entry option without compiling the message.
func (m *message) isMapEntry() bool {
	entry := false
	_ = eachBytes(m.descriptor, func(number uint64, b []byte) error {
		const options, mapEntry = 7, 7
		for i := 0; number == options && i < len(b); {
			tag, v, _, end := next(b, i)
			if end < 0 {
				return errSet
			}
			if tag == mapEntry<<3 {
				entry = v != 0
			}
			i = end
		}
		return nil
	})
	return entry
}

// camelCase is the JSON name of a field that does not state one.
func camelCase(name string) string {
	var b strings.Builder
	up := false
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_':
			up = true
		case up && 'a' <= c && c <= 'z':
			b.WriteByte(c - 'a' + 'A')
			up = false
		default:
			b.WriteByte(c)
			up = false
		}
	}
	return b.String()
}
