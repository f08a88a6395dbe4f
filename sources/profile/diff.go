package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Change is one thing that two profiles say differently.
type Change struct {
	// Kind is "message", "field", "enum", "value", or what of profile.json it is: "wrapper", "limit", ….
	Kind string `json:"kind"`
	// Name is the message, the field as message.number, the enum, the value as enum.number, or the key of the entry.
	Name string `json:"name"`
	// Old and New are what the profiles say; empty when a profile does not have it.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// Diff lists what differs between two profiles, ordered by kind and name. Their names and ranks do not count.
func Diff(from, to *Profile) ([]Change, error) {
	a, err := from.facts()
	if err != nil {
		return nil, err
	}
	b, err := to.facts()
	if err != nil {
		return nil, err
	}
	changes := []Change{}
	for key, old := range a {
		if now, both := b[key]; !both || now != old {
			changes = append(changes, Change{key.kind, key.name, old, now})
		}
	}
	for key, now := range b {
		if _, both := a[key]; !both {
			changes = append(changes, Change{key.kind, key.name, "", now})
		}
	}
	slices.SortFunc(changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(kindOrder(x.Kind), kindOrder(y.Kind)), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Name, y.Name))
	})
	return changes, nil
}

// kindOrder puts the schema first.
func kindOrder(kind string) int {
	order := []string{"message", "field", "enum", "value"}
	if i := slices.Index(order, kind); i >= 0 {
		return i
	}
	return len(order)
}

type factKey struct{ kind, name string }

// facts is everything a profile says, one statement an entry.
func (p *Profile) facts() (map[factKey]string, error) {
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(p.set, &set); err != nil {
		return nil, fmt.Errorf("read the schema of profile %s: %w", p.info.Name, err)
	}
	f := factSet{}
	for _, file := range set.GetFile() {
		for _, m := range file.GetMessageType() {
			f.message(file.GetPackage(), m)
		}
		for _, e := range file.GetEnumType() {
			f.enum(file.GetPackage(), e)
		}
	}
	return f, f.manifest(p)
}

type factSet map[factKey]string

func (f factSet) add(kind, name, value string) { f[factKey{kind, name}] = value }

func (f factSet) message(scope string, m *descriptorpb.DescriptorProto) {
	name := scope + "." + m.GetName()
	f.add("message", name, fmt.Sprintf("%d fields", len(m.GetField())))
	for _, field := range m.GetField() {
		kind := strings.ToLower(strings.TrimPrefix(field.GetType().String(), "TYPE_"))
		if field.GetTypeName() != "" {
			kind = strings.TrimPrefix(field.GetTypeName(), ".")
		}
		switch {
		case field.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED:
			kind = "repeated " + kind
		case field.GetProto3Optional():
			kind = "optional " + kind
		}
		f.add("field", fmt.Sprintf("%s.%d", name, field.GetNumber()), kind+" "+field.GetName())
	}
	for _, inner := range m.GetNestedType() {
		f.message(name, inner)
	}
	for _, e := range m.GetEnumType() {
		f.enum(name, e)
	}
}

func (f factSet) enum(scope string, e *descriptorpb.EnumDescriptorProto) {
	name := scope + "." + e.GetName()
	f.add("enum", name, fmt.Sprintf("%d values", len(e.GetValue())))
	for _, v := range e.GetValue() {
		f.add("value", fmt.Sprintf("%s.%d", name, v.GetNumber()), v.GetName())
	}
}

func (f factSet) manifest(p *Profile) error {
	m := p.manifest
	for name, text := range map[string]string{
		"title": m.Title, "product": m.Product, "versions": m.Versions, "schemaSource": m.SchemaSource, "extends": m.Extends,
		"storage": strings.Join(m.Storage, ", "), "releases": m.Releases.From + " to " + m.Releases.To,
	} {
		if text != "" {
			f.add("member", name, text)
		}
	}
	for kind, list := range map[string][]string{"limit": m.Limits, "verified": m.Verified} {
		for _, text := range list {
			f.add(kind, text, "stated")
		}
	}
	for _, s := range m.SQLSchemas {
		f.add("sqlSchema", s.Fingerprint, fmt.Sprintf("user_version %d", s.UserVersion))
	}
	for _, k := range m.FileKeys {
		f.add("fileKey", k.Name, k.Cipher)
	}
	for _, o := range m.OpenEnums {
		f.add("openEnum", o.Enum, o.Reason)
	}
	for _, r := range m.Reviewed {
		f.add("reviewed", strings.TrimSuffix(r.Path+" when "+r.When, " when "), r.Reason)
	}
	for _, a := range m.Answers {
		f.add("answer", a.Path, a.Rule+": "+a.Reason)
	}
	for _, k := range m.Marks {
		f.add("mark", k.Path, k.Reason)
	}
	type described struct {
		kind, name string
		value      any
	}
	all := []described{{"trajectory", m.Trajectory.Message, m.Trajectory}}
	for _, t := range m.Tables {
		all = append(all, described{"table", t.Name, t})
	}
	for _, w := range m.Wrappers {
		all = append(all, described{"wrapper", w.Message, w})
	}
	for _, s := range m.Steps {
		all = append(all, described{"step", s.Body, s})
	}
	for _, one := range all {
		text, err := json.Marshal(one.value)
		if err != nil {
			return err
		}
		f.add(one.kind, one.name, string(text))
	}
	return nil
}
