package interpret

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources/profile"
)

// argument is one argument of a tool call. value is plain text for a JSON string, JSON text for anything else.
type argument struct {
	name, value string
}

// arguments are the arguments of a GENERIC step, or, when it has none, those of its call.
func (b *builder) arguments(generic profile.View) []argument {
	list := b.a.scratch.args[:0]
	generic.EachEntry(genericArgs, func(key, value string) bool {
		list = append(list, argument{key, b.a.unquoted(value)})
		return true
	})
	if len(list) == 0 {
		list = b.a.members(list, b.step.GetCall().GetArgumentsJson())
	}
	b.a.scratch.args = list
	return list
}

// unquoted returns the text of a JSON string, and any other text as it is: arguments are stored in both spellings.
func (a *Arena) unquoted(value string) string {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return value
	}
	if inner := value[1 : len(value)-1]; strings.IndexByte(inner, '\\') < 0 && strings.IndexByte(inner, '"') < 0 {
		return inner
	}
	out, err := jsontext.AppendUnquote(a.texts.open(len(value)), raw(value))
	if err != nil {
		return value
	}
	return a.texts.closeText(out)
}

// members appends the members of a JSON object in order, and nothing for any other text.
func (a *Arena) members(list []argument, text string) []argument {
	if strings.TrimSpace(text) == "" {
		return list
	}
	start := len(list)
	d := jsontext.NewDecoder(bytes.NewReader(raw(text)), jsontext.AllowDuplicateNames(true))
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return list
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			return list[:start]
		}
		name := key.String()
		value, err := d.ReadValue()
		if err != nil {
			return list[:start]
		}
		list = append(list, argument{name, a.unquoted(string(value))})
	}
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '}' {
		return list[:start]
	}
	return list
}

// arg returns the value of the first argument with one of the names, and "" when there is none.
func arg(list []argument, names ...string) string {
	for _, name := range names {
		for i := range list {
			if list[i].name == name {
				return list[i].value
			}
		}
	}
	return ""
}
