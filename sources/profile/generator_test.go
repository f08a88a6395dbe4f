package profile

import (
	"math"
	"math/rand/v2"

	"google.golang.org/protobuf/encoding/protowire"
)

// generator makes random wire bytes of a schema: any field order, repeated items apart, packed and unpacked runs, singular
// fields twice, unknown fields, zero values. Everything it makes is something protojson accepts.
type generator struct {
	*rand.Rand
	schema *schema
	budget int
}

func (g *generator) message(m *message, depth int) wire {
	t := m.table()
	switch m.form {
	case formTimestamp:
		return g.pair(int64(g.IntN(4e9))-2e9, int64(g.pick(0, 1e6, 5e8, 123456789, 999999999)))
	case formDuration:
		return g.pair(int64(g.IntN(1000)), int64(g.pick(0, 1e6, 123456789)))
	case formAny:
		return g.any(depth)
	case formFieldMask:
		return wire{}.str(1, "a.b_c").str(1, "foo_bar")
	}
	var items []wire
	fields := min(1+g.IntN(8), len(t.fields)*8)
	for range fields {
		f := t.fields[g.IntN(len(t.fields))]
		times := 1
		if g.IntN(4) == 0 {
			times = 2
		}
		for range times {
			items = append(items, g.item(f, depth))
		}
		if f.repeated {
			items = append(items, g.item(f, depth), g.item(f, depth))
		}
	}
	if g.IntN(3) == 0 {
		items = append(items, wire{}.varint(1900, 7), wire{}.str(1901, "unknown"),
			protowire.AppendTag(protowire.AppendTag(nil, 1902, protowire.StartGroupType), 1902, protowire.EndGroupType))
	}
	if g.IntN(2) == 0 {
		g.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	}
	if m.form == formValue {
		items = append(items, g.item(t.fields[g.IntN(4)], depth))
	}
	var out wire
	for _, it := range items {
		out = append(out, it...)
	}
	return out
}

func (g *generator) pair(s, n int64) wire {
	return wire{}.varint(1, uint64(s)).varint(2, uint64(n))
}

func (g *generator) pick(values ...int) int { return values[g.IntN(len(values))] }

func (g *generator) any(depth int) wire {
	names := []string{
		all, "test.kinds.Small", "google.protobuf.Timestamp", "google.protobuf.Struct", "google.protobuf.Any",
		"google.protobuf.Empty", "google.protobuf.StringValue", "google.protobuf.Duration",
	}
	if g.IntN(8) == 0 {
		return nil
	}
	m := g.schema.messages[names[g.IntN(len(names))]]
	value := wire(nil)
	if depth > 0 {
		value = g.message(m, depth-1)
	}
	return wire{}.str(1, "type.googleapis.com/"+m.name).str(2, string(value))
}

// item makes one item of a field; a message without depth left stays empty where that is valid.
func (g *generator) item(f *field, depth int) wire {
	number := protowire.Number(f.number)
	if f.packable && g.IntN(2) == 0 {
		var run wire
		for range g.IntN(4) {
			run = append(run, g.scalar(f)...)
		}
		return wire{}.str(number, string(run))
	}
	if f.kind == kindMessage {
		g.budget--
		switch {
		case f.isMap:
			return wire{}.str(number, string(g.entry(f, depth)))
		case depth == 0 || g.budget < 0:
			if f.msg.form == formValue {
				return wire{}.str(number, string(wire{}.varint(4, 1)))
			}
			return wire{}.str(number, "")
		}
		return wire{}.str(number, string(g.message(f.msg, depth-1)))
	}
	return append(protowire.AppendTag(nil, number, protowire.Type(f.wire)), g.scalar(f)...)
}

func (g *generator) entry(f *field, depth int) wire {
	t := f.msg.table()
	key, value := t.field(1), t.field(2)
	var out wire
	if g.IntN(6) > 0 {
		out = append(out, g.item(key, 0)...)
	}
	if g.IntN(6) > 0 || value.kind == kindMessage && value.msg.form == formValue {
		out = append(out, g.item(value, depth)...)
	}
	if g.IntN(6) == 0 {
		out = append(append(out, g.item(value, depth)...), wire{}.varint(9, 1)...)
	}
	if g.IntN(6) == 0 {
		out = append(out, g.item(key, 0)...)
	}
	return out
}

func (g *generator) scalar(f *field) wire {
	switch f.wire {
	case wireVarint:
		v := []uint64{0, 1, 2, 77, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 + 5, math.MaxUint64, 5000, g.Uint64()}[g.IntN(11)]
		return protowire.AppendVarint(nil, v)
	case wireFixed32:
		v := []uint32{0, 1, 0x80000000, math.Float32bits(1.5), math.Float32bits(3e-9), math.Float32bits(float32(math.Inf(1))), g.Uint32()}
		return protowire.AppendFixed32(nil, v[g.IntN(len(v))])
	case wireFixed64:
		bits := []uint64{0, 1 << 63, math.Float64bits(1e21), math.Float64bits(1e-7), math.Float64bits(0.1), math.Float64bits(-2e300)}
		return protowire.AppendFixed64(nil, bits[g.IntN(len(bits))])
	}
	texts := []string{"", "a", "b", "plain text of some length", "one\nline\ttab \"quoted\" \\ \x00\x1f\x7f", "<b>&\u2028\u2029ü修\U0001f469\ufffd"}
	return protowire.AppendString(nil, texts[g.IntN(len(texts))])
}
