package interpret

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// filler fills messages with texts that occur nowhere else.
type filler struct {
	r *rand.Rand
	n int
}

func (f *filler) text() string {
	f.n++
	return fmt.Sprintf("text number %d of this step", f.n)
}

// message fills every field of a message; of a oneof it takes one member. Fields below depth stay empty.
func (f *filler) message(m protoreflect.Message, depth int) {
	switch m.Descriptor().FullName() {
	case "google.protobuf.Any", "google.protobuf.Struct", "google.protobuf.Timestamp", "google.protobuf.Duration", "gemini_coder.Trajectory":
		return
	}
	taken := make(map[protoreflect.FullName]bool)
	fields := m.Descriptor().Fields()
	for _, i := range f.r.Perm(fields.Len()) {
		d := fields.Get(i)
		if o := d.ContainingOneof(); o != nil && !o.IsSynthetic() {
			if taken[o.FullName()] {
				continue
			}
			taken[o.FullName()] = true
		}
		if d.Kind() == protoreflect.MessageKind && depth == 0 {
			continue
		}
		f.field(m, d, depth)
	}
}

func (f *filler) field(m protoreflect.Message, d protoreflect.FieldDescriptor, depth int) {
	switch {
	case d.IsMap():
		key := protoreflect.ValueOfString(f.text()).MapKey()
		if d.MapKey().Kind() != protoreflect.StringKind {
			return
		}
		value := m.Mutable(d).Map().NewValue()
		if d.MapValue().Kind() == protoreflect.MessageKind {
			f.message(value.Message(), depth-1)
		} else {
			value = f.scalar(d.MapValue())
		}
		m.Mutable(d).Map().Set(key, value)
	case d.IsList():
		for range 2 {
			if d.Kind() == protoreflect.MessageKind {
				e := m.Mutable(d).List().NewElement()
				f.message(e.Message(), depth-1)
				m.Mutable(d).List().Append(e)
				continue
			}
			m.Mutable(d).List().Append(f.scalar(d))
		}
	case d.Kind() == protoreflect.MessageKind:
		f.message(m.Mutable(d).Message(), depth-1)
	default:
		m.Set(d, f.scalar(d))
	}
}

func (f *filler) scalar(d protoreflect.FieldDescriptor) protoreflect.Value {
	n := f.r.IntN(4)
	switch d.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(f.text())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(nil)
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n%2 == 0)
	case protoreflect.EnumKind:
		values := d.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(n % values.Len()).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(n))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(n))
	default:
		return protoreflect.ValueOfInt64(int64(n))
	}
}

// notShown are texts that no reader misses, by the end of their path: JSON keeps them.
var notShown = map[string]string{
	"thoughtSignature":                      "signature of the provider, opaque",
	"plannerResponse.signature":             "signature of the provider, opaque",
	"providerAssignedMessageId":             "a second id of the model call",
	"plannerResponse.messageId":             "id of the model call; shown with its usage",
	"filePermissionRequest.absolutePathUri": "permission requests stay in JSON",
	"renderInfo.icon6":                      "name of an icon",
	"renderInfo.aggregationKey":             "how the product groups steps on its screen",
	"stepRenderInfo.icon6":                  "name of an icon",
	"stepRenderInfo.aggregationKey":         "how the product groups steps on its screen",
	"metadata.argumentsOrder[]":             "names of the call's arguments once more",
	"edit.completionId":                     "id inside the product",
	"edit.promptId":                         "id inside the product",
	"edit.fileContentHash":                  "hash inside the product",
	"checkpoint.hash28":                     "hash inside the product",
	"checkpoint.hash29":                     "hash inside the product",
}

// notShownBelow are messages that no reader misses.
var notShownBelow = map[string]string{
	"metadata.modelInfo.":               "settings of the model",
	"metadata.snapshotMetadata.":        "where the product keeps copies of the workspace",
	".edit.originalContent":             "the whole old file beside a diff",
	".replacementInfos[].originalChunk": "the asked replacement beside a diff",
	".replacementChunks[].":             "the asked replacement beside a diff",
}

func excused(l leaf) bool {
	for end := range notShown {
		if strings.HasSuffix(l.path, end) {
			return true
		}
	}
	for part := range notShownBelow {
		if strings.Contains(l.path+".", part) {
			return true
		}
	}
	return strings.HasSuffix(l.path, "unifiedDiff.lines[].text") &&
		!slices.Contains(l.siblings, "type=UNIFIED_DIFF_LINE_TYPE_INSERT") && !slices.Contains(l.siblings, "type=UNIFIED_DIFF_LINE_TYPE_DELETE")
}

// TestEveryTextOfEveryKind fills each kind of body with texts in every field and looks for each of them.
func TestEveryTextOfEveryKind(t *testing.T) {
	t.Parallel()
	s, p := loadSchema(t), load(t)
	ip := New(p)
	members := s.step.Oneofs().ByName("step").Fields()
	var bodies []protoreflect.FieldDescriptor
	for i := range members.Len() {
		if members.Get(i).Kind() == protoreflect.MessageKind {
			bodies = append(bodies, members.Get(i))
		}
	}
	for _, name := range []protoreflect.Name{"metadata", "error", "task_details", "user_annotations"} {
		bodies = append(bodies, s.step.Fields().ByName(name))
	}
	for _, d := range bodies {
		t.Run(string(d.Name()), func(t *testing.T) {
			t.Parallel()
			lost := make(map[string]string)
			for seed := range uint64(12) {
				f := &filler{r: rand.New(rand.NewPCG(seed, 7))}
				m := dynamicpb.NewMessage(s.step)
				f.field(m, d, 5)
				raw, err := proto.Marshal(m)
				if err != nil {
					t.Fatal(err)
				}
				have, used := shown(interpret(t, ip, everything, input(1, raw))), make([]bool, len(p.Reviewed()))
				for _, l := range leaves(t, s, m, "") {
					if len(l.text) >= minLeaf && !excused(l) && (l.bare || !isReviewed(p.Reviewed(), l, used)) && !strings.Contains(have, l.text) {
						lost[l.path] = l.text
					}
				}
			}
			var paths []string
			for path := range lost {
				paths = append(paths, path)
			}
			sort.Strings(paths)
			for _, path := range paths {
				t.Errorf("%s is lost", path)
			}
		})
	}
}
