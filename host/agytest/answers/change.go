package answers

import (
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Older is a copy as the conversation may have been a moment ago, with equal counts and times: the last text is half as long.
func (s *Session) Older() *Session {
	c := s.Clone()
	steps := c.Steps()
	for i := steps.Len() - 1; i >= 0; i-- {
		if change(steps.Get(i).Message(), func(text string) string { return text[:middle(text)] }) {
			break
		}
	}
	return c
}

// Other is a copy in which one letter of the first text is another.
func (s *Session) Other() *Session {
	c := s.Clone()
	steps := c.Steps()
	for i := range steps.Len() {
		if change(steps.Get(i).Message(), otherLetter) {
			break
		}
	}
	return c
}

// OtherStatus is a copy whose first step has a status that no schema knows.
func (s *Session) OtherStatus() *Session {
	c := s.Clone()
	if steps := c.Steps(); steps.Len() > 0 {
		step := steps.Get(0).Message()
		step.Set(step.Descriptor().Fields().ByName("status"), protoreflect.ValueOfEnum(99))
	}
	return c
}

// middle is where the second half of a text begins.
func middle(text string) int {
	at := len(text) / 2
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

func otherLetter(text string) string {
	at := middle(text)
	r, size := utf8.DecodeRuneInString(text[at:])
	letter := "x"
	if r == 'x' {
		letter = "y"
	}
	return text[:at] + letter + text[at+size:]
}

// said are the fields with what somebody said; they are changed rather than an id.
var said = map[protoreflect.Name]bool{"response": true, "user_response": true, "message": true, "content": true, "text": true}

// change changes the longest text in the body of a step that is no wrapper, and reports whether there was one.
func change(step protoreflect.Message, to func(string) string) bool {
	body := step.WhichOneof(step.Descriptor().Oneofs().ByName("step"))
	if body == nil || body.Name() == "generic" || body.Message() == nil {
		return false
	}
	var longest string
	var set func(string)
	best := 1
	find(step.Mutable(body).Message(), func(name protoreflect.Name, text string, replace func(string)) {
		weight := len(text)
		if said[name] && weight > 1 {
			weight += 1 << 30
		}
		if weight > best {
			best, longest, set = weight, text, replace
		}
	})
	if set == nil {
		return false
	}
	set(to(longest))
	return true
}

// find calls fn for every text in single fields and lists of messages.
func find(m protoreflect.Message, fn func(protoreflect.Name, string, func(string))) {
	if m.Descriptor().FullName() == anyName {
		return
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
		case f.IsList():
			if f.Message() != nil {
				list := v.List()
				for i := range list.Len() {
					find(list.Get(i).Message(), fn)
				}
			}
		case f.Message() != nil:
			find(v.Message(), fn)
		case f.Kind() == protoreflect.StringKind:
			fn(f.Name(), v.String(), func(text string) { m.Set(f, protoreflect.ValueOfString(text)) })
		}
		return true
	})
}
