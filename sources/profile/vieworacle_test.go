package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Views answer as the official library does, for every field of random messages and of the messages in them.
func TestViewEqualsDynamicMessages(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	o := newOracle(t, compileSet(t, "kinds.proto"))
	mt, err := o.types.FindMessageByName(all)
	if err != nil {
		t.Fatal(err)
	}
	n, handles := new(Names), make(map[protoreflect.FullName]Field)
	for name, m := range p.schema.messages {
		for _, f := range m.table().fields {
			handles[protoreflect.FullName(name+"."+f.name)] = n.Field(name, f.name)
		}
	}
	r := p.Resolve(n)
	for seed := range uint64(1500) {
		g := &generator{rand.New(rand.NewPCG(seed, 4)), p.schema, 40}
		raw := g.message(p.schema.messages[all], 3)
		m := mt.New()
		if err := proto.Unmarshal(raw, m.Interface()); err != nil {
			t.Fatal(err)
		}
		c := viewOracle{handles, fmt.Sprintf("seed %d", seed)}
		if c.message(t, m, r.View(all, raw, nil)); t.Failed() {
			t.Fatalf("%x", []byte(raw))
		}
	}
}

type viewOracle struct {
	handles map[protoreflect.FullName]Field
	label   string
}

func (o viewOracle) message(t *testing.T, m protoreflect.Message, v View) {
	t.Helper()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		h := o.handles[fd.FullName()]
		name := o.label + " " + string(fd.FullName())
		switch {
		case fd.IsMap():
			if fd.MapKey().Kind() == protoreflect.StringKind && fd.MapValue().Kind() == protoreflect.StringKind {
				o.entries(t, name, m.Get(fd).Map(), v, h)
			}
		case fd.IsList():
			o.list(t, name, fd, m.Get(fd).List(), v, h)
		default:
			if fd.HasPresence() && m.Has(fd) != v.Has(h) {
				t.Errorf("%s: presence %v", name, v.Has(h))
			}
			if fd.Kind() == protoreflect.MessageKind {
				if m.Has(fd) {
					o.message(t, m.Get(fd).Message(), v.Sub(h))
				}
				continue
			}
			want, got := scalarOf(fd, m.Get(fd)), viewScalar(fd, v, h)
			if want != got {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
	oneofs := m.Descriptor().Oneofs()
	for i := range oneofs.Len() {
		if od := oneofs.Get(i); !od.IsSynthetic() {
			fd := m.WhichOneof(od)
			name, _, ok := v.Which(string(od.Name()))
			if ok != (fd != nil) || ok && name != string(fd.Name()) {
				t.Errorf("%s: oneof %s is %q", o.label, od.Name(), name)
			}
		}
	}
}

func (o viewOracle) list(t *testing.T, name string, fd protoreflect.FieldDescriptor, list protoreflect.List, v View, h Field) {
	t.Helper()
	count := 0
	element := func(got any) bool {
		if want := scalarOf(fd, list.Get(count)); want != got {
			t.Errorf("%s[%d]: %v, want %v", name, count, got, want)
		}
		count++
		return count <= list.Len()
	}
	switch fd.Kind() {
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return // no reader needs them
	case protoreflect.MessageKind:
		v.Each(h, func(v View) bool {
			o.message(t, list.Get(count).Message(), v)
			count++
			return true
		})
	case protoreflect.StringKind, protoreflect.BytesKind:
		v.EachStr(h, func(s string) bool { return element(s) })
	default:
		v.EachInt(h, func(n int64) bool { return element(n) })
	}
	if count != list.Len() {
		t.Errorf("%s: %d elements, want %d", name, count, list.Len())
	}
}

func (o viewOracle) entries(t *testing.T, name string, m protoreflect.Map, v View, h Field) {
	t.Helper()
	count := 0
	v.EachEntry(h, func(key, value string) bool {
		count++
		if got := m.Get(protoreflect.ValueOfString(key).MapKey()); !got.IsValid() || got.String() != value {
			t.Errorf("%s.%s is %q", name, key, value)
		}
		return true
	})
	if count != m.Len() {
		t.Errorf("%s: %d entries, want %d", name, count, m.Len())
	}
}

// scalarOf brings a value to the form in which views answer.
func scalarOf(fd protoreflect.FieldDescriptor, v protoreflect.Value) any {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		if fd.IsList() {
			return map[bool]int64{true: 1}[v.Bool()]
		}
		return v.Bool()
	case protoreflect.StringKind:
		return v.String()
	case protoreflect.BytesKind:
		return string(v.Bytes())
	case protoreflect.EnumKind:
		return int64(v.Enum())
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return math.Float64bits(v.Float())
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind, protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return int64(v.Uint())
	}
	return v.Int()
}

func viewScalar(fd protoreflect.FieldDescriptor, v View, h Field) any {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return v.Bool(h)
	case protoreflect.StringKind, protoreflect.BytesKind:
		return v.Str(h)
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return math.Float64bits(v.Float(h))
	}
	return v.Int(h)
}
