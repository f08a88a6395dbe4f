package profile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agy-reader/proto/antigravity"
)

// verify reports everything in a manifest that its schema does not bear out.
func (r *ownReader) verify(name string, m *antigravity.Manifest, s *schema) {
	verifyManifest(m, s, func(member string, err error) { r.problem(name, "profile.json", member, err) })
	builtin, err := r.library.builtin()
	if err != nil {
		r.problem(name, "profile.json", "", err)
		return
	}
	for _, b := range builtin {
		if b.manifest.Name == m.Name {
			r.problem(name, "profile.json", "name", errors.New("a profile of this name comes with the program; choose another name"))
		}
	}
}

func verifyManifest(m *antigravity.Manifest, s *schema, report func(member string, err error)) {
	v := &verifier{m: m, s: s, report: report}
	v.words()
	v.tables()
	v.trajectory()
	for _, open := range m.OpenEnums {
		if s.enums[open.Enum] == nil {
			v.say("openEnums", "enum %s is not in the schema", open.Enum)
		}
	}
	for i := range m.Wrappers {
		if err := s.bindWrapper(&m.Wrappers[i]); err != nil {
			report(fmt.Sprintf("wrappers[%d]", i), err)
		}
	}
	for i, mark := range m.Marks {
		v.mark(fmt.Sprintf("marks[%d]", i), mark)
	}
	for _, reviewed := range m.Reviewed {
		if step := s.messages[stepMessage]; step == nil || !step.hasJSONPath(reviewed.Path) {
			v.say("reviewed", "%s leads nowhere in %s", reviewed.Path, stepMessage)
		}
	}
	for _, answer := range m.Answers {
		if whole := s.messages[m.Trajectory.Message]; whole == nil || !whole.hasJSONPath(answer.Path) {
			v.say("answers", "%s leads nowhere in %s", answer.Path, m.Trajectory.Message)
		}
		if answer.Rule != "held" && answer.Rule != "live" {
			v.say("answers", "%s: rule %q is neither held nor live", answer.Path, answer.Rule)
		}
	}
	for _, form := range m.Steps {
		v.form("steps "+form.Body, form)
	}
}

type verifier struct {
	m      *antigravity.Manifest
	s      *schema
	report func(member string, err error)
}

func (v *verifier) say(member, format string, args ...any) {
	v.report(member, fmt.Errorf(format, args...))
}

// words checks what people read.
func (v *verifier) words() {
	for _, word := range [...]struct{ member, text string }{
		{"title", v.m.Title}, {"product", v.m.Product}, {"versions", v.m.Versions}, {"schemaSource", v.m.SchemaSource},
	} {
		if strings.TrimSpace(word.text) == "" {
			v.say(word.member, "is missing or empty")
		}
	}
	if len(v.m.Storage) == 0 {
		v.say("storage", "is missing or empty; it lists db, pb or both")
	}
	for i, form := range v.m.Storage {
		if form != "db" && form != "pb" {
			v.say(fmt.Sprintf("storage[%d]", i), "%q is neither db nor pb", form)
		}
	}
	for _, version := range [...]struct{ member, text string }{
		{"releases.from", v.m.Releases.From}, {"releases.to", v.m.Releases.To},
	} {
		if _, ok := numbers(version.text); version.text != "" && !ok {
			v.say(version.member, "%q is no version of numbers and dots", version.text)
		}
	}
}

func (v *verifier) tables() {
	for i, table := range v.m.Tables {
		member := fmt.Sprintf("tables[%d]", i)
		if !slices.ContainsFunc(table.Columns, func(c antigravity.Column) bool { return c.Name == table.Key }) {
			v.say(member+".key", "table %s has no column %s", table.Name, table.Key)
		}
		for j, column := range table.Columns {
			member := fmt.Sprintf("%s.columns[%d]", member, j)
			if column.Message != "" && v.s.messages[column.Message] == nil {
				v.say(member+".message", "message %s is not in the schema", column.Message)
			}
			if column.CopyOf == "" {
				continue
			}
			f := v.s.messages[stepMessage].at(column.CopyOf)
			if f == nil || column.Message != "" && (f.msg == nil || f.msg.name != column.Message) {
				v.say(member+".copyOf", "%s is no field of %s, or of another type", column.CopyOf, stepMessage)
			}
		}
	}
}

func (v *verifier) trajectory() {
	t := v.m.Trajectory
	message := v.s.messages[t.Message]
	if message == nil {
		v.say("trajectory.message", "message %q is not in the schema", t.Message)
		return
	}
	for i, member := range t.Members {
		at := fmt.Sprintf("trajectory.members[%d]", i)
		if message.at(member.Field) == nil {
			v.say(at+".field", "%s has no field %s", t.Message, member.Field)
		}
		if !slices.ContainsFunc(v.m.Tables, func(t antigravity.Table) bool {
			return t.Name == member.Table && slices.ContainsFunc(t.Columns, func(c antigravity.Column) bool { return c.Name == member.Column })
		}) {
			v.say(at, "there is no column %s.%s", member.Table, member.Column)
		}
	}
}

func (v *verifier) mark(member string, mark antigravity.Mark) {
	m := v.s.messages[stepMessage]
	var way []uint32
	for name := range strings.SplitSeq(mark.Path, ".") {
		f := m.at(name)
		if f == nil {
			v.say(member+".path", "%s leads nowhere in %s", mark.Path, stepMessage)
			return
		}
		way, m = append(way, uint32(f.number)), f.msg
	}
	if !slices.Equal(way, mark.Numbers) {
		v.say(member+".numbers", "%s is %v in the schema, not %v", mark.Path, way, mark.Numbers)
	}
}

// formKinds are the ways a field of a step form is shown.
var formKinds = []string{"title", "fact", "text", "markdown", "code", "output"}

func (v *verifier) form(member string, form antigravity.StepForm) {
	body := v.s.messages[stepMessage].at(form.Body)
	if body == nil || body.msg == nil || body.repeated || body.oneof < 0 {
		v.say(member, "%s is no body of %s", form.Body, stepMessage)
		return
	}
	for i, field := range form.Fields {
		member := fmt.Sprintf("%s.fields[%d]", member, i)
		f := body.msg.at(field.Field)
		switch {
		case f == nil:
			v.say(member+".field", "%s has no field %s", body.msg.name, field.Field)
		case f.kind != kindString || f.repeated:
			v.say(member+".field", "%s.%s is not one text", body.msg.name, field.Field)
		}
		if !slices.Contains(formKinds, field.As) {
			v.say(member+".as", "%q is none of %s", field.As, strings.Join(formKinds, ", "))
		}
	}
}

// at follows a dotted path of proto field names; nil when it leads nowhere.
func (m *message) at(dotted string) *field {
	var f *field
	for name := range strings.SplitSeq(dotted, ".") {
		if m == nil {
			return nil
		}
		if f = m.table().byName(name); f == nil {
			return nil
		}
		m = f.msg
	}
	return f
}

// hasJSONPath follows a path of JSON names in which repeated fields are written with `[]` and map keys as `*`.
func (m *message) hasJSONPath(dotted string) bool {
	open := false // the part before is a list, and not written as one
	for part := range strings.SplitSeq(dotted, ".") {
		if m == nil || open {
			return false
		}
		name, list := strings.CutSuffix(part, "[]")
		if m.table().entry && name == "*" {
			m = m.at("value").msg
			continue
		}
		i := slices.IndexFunc(m.table().fields, func(f *field) bool { return f.json == name })
		if i < 0 {
			return false
		}
		f := m.table().fields[i]
		if list && (!f.repeated || f.isMap) {
			return false
		}
		m, open = f.msg, f.repeated && !f.isMap && !list
	}
	return true
}
