package interpret

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// TestManyElements gives every list of every body thousands of elements. What comes out stays in proportion; a list that is
// compared with itself element by element would not end before the test does.
func TestManyElements(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	bodies := s.step.Oneofs().ByName("step").Fields()
	for i := range bodies.Len() {
		d := bodies.Get(i)
		if d.Kind() != protoreflect.MessageKind {
			continue
		}
		for j := range d.Message().Fields().Len() {
			f := d.Message().Fields().Get(j)
			if !f.IsList() {
				continue
			}
			fill := &filler{r: rand.New(rand.NewPCG(1, 7))}
			m := dynamicpb.NewMessage(s.step)
			list := m.Mutable(d).Message().Mutable(f).List()
			for range 300 {
				if f.Kind() == protoreflect.MessageKind {
					e := list.NewElement()
					fill.message(e.Message(), 2)
					list.Append(e)
				} else {
					list.Append(fill.scalar(f))
				}
			}
			raw, err := proto.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			size := 0
			for _, ev := range interpret(t, ip, everything, input(0, raw)) {
				size += proto.Size(ev)
			}
			if size > 64<<10+60*len(raw) {
				t.Errorf("%s: %d bytes became %d", f.FullName(), len(raw), size)
			}
		}
	}
}
