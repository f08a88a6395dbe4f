package interpret

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// minLeaf is the length from which a text of a step must be found in its blocks.
const minLeaf = 20

// leaf is one text of a stored step. path has `[]` for list elements and `*` for map keys.
type leaf struct {
	path, text string
	// siblings are the enum and scalar values beside the text, as name=VALUE.
	siblings []string
	// bare says that the text lies in a wrapper without a step inside: nothing else shows it.
	bare bool
}

// leaves returns every text of a message. The step inside a wrapper counts like a step of its own.
func leaves(t testing.TB, s schema, m protoreflect.Message, path string) []leaf {
	var out []leaf
	if m.Descriptor().FullName() == "google.protobuf.Any" {
		url, value := m.Get(m.Descriptor().Fields().ByName("type_url")).String(), m.Get(m.Descriptor().Fields().ByName("value")).Bytes()
		if strings.HasSuffix(url, ".Step") {
			return leaves(t, s, s.decode(t, value), "")
		}
	}
	var siblings []string
	var below []func()
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		at := f.JSONName()
		if path != "" {
			at = path + "." + at
		}
		add := func(at string, f protoreflect.FieldDescriptor, v protoreflect.Value) {
			switch f.Kind() {
			case protoreflect.StringKind:
				out = append(out, leaf{path: at, text: v.String()})
			case protoreflect.BoolKind:
				siblings = append(siblings, f.JSONName()+"="+v.String())
			case protoreflect.MessageKind:
				below = append(below, func() { out = append(out, leaves(t, s, v.Message(), at)...) })
			case protoreflect.EnumKind:
				if d := f.Enum().Values().ByNumber(v.Enum()); d != nil {
					siblings = append(siblings, f.JSONName()+"="+string(d.Name()))
				}
			}
		}
		switch {
		case f.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				if f.MapKey().Kind() == protoreflect.StringKind {
					out = append(out, leaf{path: at + ".*", text: k.String()})
				}
				add(at+".*", f.MapValue(), v)
				return true
			})
		case f.IsList():
			for i := range v.List().Len() {
				add(at+"[]", f, v.List().Get(i))
			}
		default:
			add(at, f, v)
		}
		return true
	})
	for i := range out {
		out[i].siblings = siblings
		out[i].bare = m.Descriptor().Name() == "GenericStepResult" && !has(m, "payload") && !has(m, "data")
	}
	for _, f := range below {
		f()
	}
	return out
}

func has(m protoreflect.Message, field protoreflect.Name) bool {
	return m.Has(m.Descriptor().Fields().ByName(field))
}

// byLine are reviewed texts of which each line must be found nevertheless: a diff shows them with a mark before the line.
var byLine = []string{
	"codeAction.actionSpec.createFile.instruction",
	"codeAction.actionSpec.command.replacementChunks",
	"codeAction.replacementInfos[].originalChunk",
	"checkpoint.trajectoryFileDiffs[].modifiedContent",
}

// lostLine returns a line of the text that is neither shown nor a line of the old file, which the change left as it was.
func lostLine(l leaf, have, old string) (string, bool) {
	path := nestedStep(l.path)
	if !slices.ContainsFunc(byLine, func(p string) bool { return strings.HasPrefix(path, p) }) {
		return "", false
	}
	for line := range strings.Lines(l.text) {
		if line = strings.TrimRight(line, "\r\n"); len(line) >= minLeaf && !strings.Contains(have, line) &&
			!strings.Contains(old, line) {
			return line, true
		}
	}
	return "", false
}

// shown is every text that a reader of the events can see, with call arguments as stored.
func shown(events []*doc.Event) string {
	var out strings.Builder
	var walk func(m protoreflect.Message)
	walk = func(m protoreflect.Message) {
		m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			list := []protoreflect.Value{v}
			if f.IsList() {
				list = list[:0]
				for i := range v.List().Len() {
					list = append(list, v.List().Get(i))
				}
			}
			for _, v := range list {
				switch f.Kind() {
				case protoreflect.StringKind:
					out.WriteString(v.String())
					out.WriteByte(0)
				case protoreflect.BytesKind:
					out.Write(v.Bytes())
					out.WriteByte(0)
				case protoreflect.MessageKind:
					walk(v.Message())
				}
			}
			return true
		})
	}
	for _, ev := range events {
		walk(ev.ProtoReflect())
	}
	return out.String()
}

// nestedStep cuts the way to a step inside a step off a path, because reviewed paths lie below one step.
func nestedStep(path string) string {
	const way = "subtrajectory.steps[]."
	if i := strings.LastIndex(path, way); i >= 0 {
		return path[i+len(way):]
	}
	return path
}

// isReviewed reports whether the profile says that blocks leave this text out, and remembers which entries it used.
func isReviewed(list []profile.Reviewed, l leaf, used []bool) bool {
	path := nestedStep(l.path)
	for i, r := range list {
		rest, ok := strings.CutPrefix(path, r.Path)
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if r.When != "" && !slices.Contains(l.siblings, r.When) {
			continue
		}
		used[i] = true
		return true
	}
	return false
}

// TestCoverage is the oracle for silent loss: every text of 20 bytes or more of every stored step, of the older encrypted
// conversations too, is found in what the step was turned into, unless the profile's list says why not.
func TestCoverage(t *testing.T) {
	t.Parallel()
	p, s := load(t), loadSchema(t)
	ip := New(p)
	steps := append(corpusSteps(t), legacySteps(t)...)
	used := make([]bool, len(p.Reviewed()))
	missing, texts := make(map[string]int), 0
	example := make(map[string]string)
	for _, st := range steps {
		events := interpret(t, ip, everything, st.in)
		have := shown(events)
		all := leaves(t, s, s.decode(t, st.in.Payload), "")
		var old strings.Builder
		for _, l := range all {
			if strings.HasSuffix(l.path, ".originalContent") {
				old.WriteString(l.text)
			}
		}
		for _, l := range all {
			if len(l.text) < minLeaf {
				continue
			}
			texts++
			if line, lost := lostLine(l, have, old.String()); lost {
				l.text = line
			} else if !l.bare && isReviewed(p.Reviewed(), l, used) || strings.Contains(have, l.text) {
				continue
			}
			missing[l.path]++
			example[l.path] = fmt.Sprintf("%s: %.80q", st.label, l.text)
		}
	}
	if texts < 10000 {
		t.Errorf("only %d texts were looked for", texts)
	}
	var paths []string
	for path := range missing {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		t.Errorf("%s: %d texts are lost, for example %s", path, missing[path], example[path])
	}
	for i, ok := range used {
		if !ok {
			t.Logf("reviewed path %s covers nothing in the corpus", p.Reviewed()[i].Path)
		}
	}
}
