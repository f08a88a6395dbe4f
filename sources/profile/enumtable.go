package profile

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// enumTable is an enum compiled for look-ups by number.
type enumTable struct {
	// dense holds names by number, sparse the numbers behind and below it.
	dense  []enumName
	sparse map[int64]enumName
	err    error
}

type enumName struct{ full, short string }

const denseValues = 1024

func (e *enum) table() *enumTable {
	if t := e.compiled.Load(); t != nil {
		return t
	}
	t := e.compile()
	if !e.compiled.CompareAndSwap(nil, t) {
		t = e.compiled.Load()
	}
	return t
}

// value returns the names of a number; ok is false when it has none.
func (t *enumTable) value(number int64) (n enumName, ok bool) {
	if 0 <= number && number < int64(len(t.dense)) {
		n = t.dense[number]
		return n, n.full != ""
	}
	n, ok = t.sparse[number]
	return n, ok
}

// shortName returns the short name of a number, the number as text when it has none, and "" when it is not set.
func (t *enumTable) shortName(number int64, set bool) string {
	if !set {
		return ""
	}
	if n, ok := t.value(number); ok {
		return n.short
	}
	return strconv.FormatInt(number, 10)
}

func (e *enum) compile() *enumTable {
	t := &enumTable{}
	var d descriptorpb.EnumDescriptorProto
	if err := proto.Unmarshal(e.descriptor, &d); err != nil {
		t.err = fmt.Errorf("%s: read descriptor: %w", e.name, err)
		return t
	}
	prefix := enumPrefix(d.GetValue())
	for _, v := range d.GetValue() {
		number := int64(v.GetNumber())
		if _, taken := t.value(number); taken {
			continue // an alias; the first name counts
		}
		name := enumName{full: v.GetName(), short: v.GetName()}
		if rest := strings.TrimPrefix(name.full, prefix); rest != "" {
			name.short = rest
		}
		if 0 <= number && number < denseValues {
			for int64(len(t.dense)) <= number {
				t.dense = append(t.dense, enumName{})
			}
			t.dense[number] = name
			continue
		}
		if t.sparse == nil {
			t.sparse = make(map[int64]enumName)
		}
		t.sparse[number] = name
	}
	return t
}

// enumPrefix returns the longest part of the zero value's name, up to an underscore, with which at least half of the other
// values begin.
func enumPrefix(values []*descriptorpb.EnumValueDescriptorProto) string {
	zero := ""
	for _, v := range values {
		if v.GetNumber() == 0 {
			zero = v.GetName()
			break
		}
	}
	for end := strings.LastIndexByte(zero, '_'); end >= 0; end = strings.LastIndexByte(zero[:end], '_') {
		with, other := 0, 0
		for _, v := range values {
			switch {
			case v.GetName() == zero:
			case strings.HasPrefix(v.GetName(), zero[:end+1]):
				with++
			default:
				other++
			}
		}
		if with >= other && with > 0 || with+other == 0 {
			return zero[:end+1]
		}
	}
	return ""
}
