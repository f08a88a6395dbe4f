package contract

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// value is what the keywords of a schema ask of one value, whatever is in it.
type value struct {
	// kind is its name in JSON Schema; a whole number is a number.
	kind string
	// text is the beginning of a text or number, length the number of characters of a text.
	text   string
	length int
	number *big.Rat
	// missing says whether an object lacks a member.
	missing func(name string) bool
}

// scalar is the value of a token that is none of an object or array.
func scalar(token jsontext.Token) value {
	switch token.Kind() {
	case '"':
		text := token.String()
		return value{kind: "string", text: beginning(text, keptText), length: utf8.RuneCountInString(text)}
	case '0':
		text := token.String()
		n, _ := new(big.Rat).SetString(number(text).String())
		return value{kind: "number", text: beginning(text, maxQuoted), number: n}
	case 't', 'f':
		return value{kind: "boolean"}
	}
	return value{kind: "null"}
}

// is reports whether the value is of one of the types; no types are any.
func (v value) is(types []string) bool {
	return len(types) == 0 || slices.Contains(types, v.kind) || v.number != nil && v.number.IsInt() && slices.Contains(types, "integer")
}

// reasons are what a schema has against the value.
func (s *schema) reasons(v value) (all []string) {
	say := func(format string, args ...any) {
		all = append(all, beginning(fmt.Sprintf(format, args...), maxReason))
	}
	if !v.is(s.Type) {
		types := slices.Sorted(slices.Values(s.Type))
		say("got %s, want %s", v.kind, strings.Join(types, " or "))
	}
	if s.Enum != nil && (v.kind != "string" || !slices.Contains(s.Enum, v.text)) {
		say("value must be one of '%s'", strings.Join(s.Enum, "', '"))
	}
	switch v.kind {
	case "object":
		names := slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return !v.missing(name) })
		switch len(names) {
		case 0:
		case 1:
			say("missing property '%s'", names[0])
		default:
			say("missing properties '%s'", strings.Join(names, "', '"))
		}
	case "string":
		if s.MinLength != nil && v.length < *s.MinLength {
			say("minLength: got %d, want %d", v.length, *s.MinLength)
		}
		if !s.pattern.MatchString(v.text) {
			got := beginning(v.text, maxQuoted)
			if got != v.text {
				got += "…"
			}
			say("%q does not have the form %s", got, s.Pattern)
		}
	case "number":
		if s.Minimum != nil && v.number.Cmp(new(big.Rat).SetInt64(*s.Minimum)) < 0 {
			say("minimum: got %s, want %d", v.text, *s.Minimum)
		}
		if s.Maximum != nil && v.number.Cmp(new(big.Rat).SetInt64(*s.Maximum)) > 0 {
			say("maximum: got %s, want %d", v.text, *s.Maximum)
		}
	}
	return all
}
