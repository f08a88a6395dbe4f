package interpret

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources/profile"
)

// form is how a profile says that a body is shown.
type form []formField

// formField is one field of a body.
type formField struct {
	field               profile.Field
	json                string
	as, label, language string
}

// formsOf declares the fields that the profile's own forms read, and returns the forms by body.
func formsOf(p *profile.Profile, names *profile.Names) map[string]form {
	steps := p.Manifest().Steps
	forms := make(map[string]form, len(steps))
	for _, s := range steps {
		message := p.FieldMessage(stepMessage, s.Body)
		for _, f := range s.Fields {
			forms[s.Body] = append(forms[s.Body], formField{
				field: names.Field(message, f.Field), as: f.As, label: f.Label, language: f.Language,
			})
		}
	}
	return forms
}

// declared shows a body as the profile says, and behind that every value the profile does not speak of.
func (b *builder) declared(f form, v profile.View) {
	for i := range f {
		text := v.Str(f[i].field)
		switch f[i].as {
		case "title":
			b.summary(text)
			b.fact(f[i].labelOr("Title"), text)
		case "fact":
			b.fact(f[i].labelOr(f[i].json), text)
		case "text":
			b.plain(f[i].label, text)
		case "markdown":
			b.markdown(f[i].label, text)
		case "code":
			b.code(f[i].label, f[i].language, text)
		default:
			b.code(f[i].labelOr("Output"), "", text)
		}
	}
	b.flushFacts("")
	b.flatJSON("", b.rest(f, v))
}

func (f *formField) labelOr(other string) string {
	if f.label != "" {
		return f.label
	}
	return other
}

// rest is the JSON of a body without the members that a form shows.
func (b *builder) rest(f form, v profile.View) string {
	raw := v.Raw()
	whole := v.AppendJSON(b.a.texts.open(2*len(raw) + 2))
	shown := make(map[string]bool, len(f))
	for i := range f {
		shown[f[i].json] = true
	}
	rest := []byte{'{'}
	d := jsontext.NewDecoder(bytes.NewReader(whole), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return b.a.texts.closeText(whole)
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadValue()
		if err != nil {
			return b.a.texts.closeText(whole) // deeper than the decoder goes: the whole is shown once more
		}
		skip := shown[string(bytes.Trim(key, `"`))]
		quoted := append([]byte(nil), key...)
		value, err := d.ReadValue()
		if err != nil {
			return b.a.texts.closeText(whole)
		}
		if skip {
			continue
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest = append(append(append(rest, quoted...), ':'), value...)
	}
	b.a.texts.closeText(whole[:0])
	return string(append(rest, '}'))
}
