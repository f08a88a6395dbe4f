package merge

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// withMembers adds to a JSON object the members of another that it does not have. Either may be empty; when the first is no
// object it stays as it is.
func withMembers(own, more []byte) []byte {
	have := map[string]bool{}
	count := 0
	err := eachMember(own, func(name string, _ []byte) {
		have[name] = true
		count++
	})
	end := bytes.LastIndexByte(own, '}')
	switch {
	case len(own) == 0:
		return more
	case err != nil || end < 0:
		return own
	}
	out := append([]byte(nil), own[:end]...)
	err = eachMember(more, func(name string, member []byte) {
		if have[name] {
			return
		}
		if count > 0 {
			out = append(out, ',')
		}
		out = append(out, member...)
		count++
	})
	if err != nil {
		return own
	}
	return append(out, '}')
}

// eachMember calls fn with the name of each member of a JSON object, and with the member as it stands.
func eachMember(object []byte, fn func(name string, member []byte)) error {
	if len(object) == 0 {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadValue()
		if err != nil {
			return err
		}
		name, err := jsontext.AppendUnquote(nil, key)
		if err != nil {
			return err
		}
		member := append(append([]byte(nil), key...), ':')
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		fn(string(name), append(member, value...))
	}
	_, err := d.ReadToken()
	return err
}
