package verify

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources/profile"
)

// protobuf compares a full answer in wire form with the snapshot.
func (c *check) protobuf(raw []byte) error {
	var own, text []byte
	var m measurer
	lengths := map[string]int{}
	for at := 0; at < len(raw); {
		number, kind, n := protowire.ConsumeTag(raw[at:])
		size := -1
		if n >= 0 {
			size = protowire.ConsumeFieldValue(number, kind, raw[at+n:])
		}
		if size < 0 {
			return fmt.Errorf("full answer: %w", answerf("no protobuf at byte %d", at))
		}
		list := c.shape.number[uint64(number)]
		if list == "" || kind != protowire.BytesType {
			own = append(own, raw[at:at+n+size]...)
			at += n + size
			continue
		}
		value, _ := protowire.ConsumeBytes(raw[at+n:])
		at += n + size
		index := lengths[list]
		lengths[list]++
		var err error
		if text, err = c.transcode(text[:0], c.shape.element[list], list, index, value); err != nil {
			return fmt.Errorf("full answer: %w", err)
		}
		sum, err := m.sum(text, list != listSteps)
		if err != nil {
			return fmt.Errorf("full answer: %w", answerf("%s %d: %w", list, index, err))
		}
		c.element(list, index, sum, suspect{form: c.form, raw: value, wire: true})
	}
	c.lengths(lengths)
	return c.ownProtobuf(own)
}

// transcode writes an answered element as JSON. What the profile does not know in it is an error.
func (c *check) transcode(dst []byte, message, list string, index int, raw []byte) ([]byte, error) {
	var f profile.Findings
	dst, err := c.shape.profile.AppendJSON(dst, message, raw, &profile.JSONOptions{Findings: &f})
	switch {
	case err != nil:
		return dst, answerf("%s %d is no %s: %w", list, index, message, err)
	case !f.Known():
		return dst, answerf("%s %d holds what the profile does not know: %s", list, index, someFinding(&f))
	}
	return dst, nil
}

// ownProtobuf compares the trajectory's own members.
func (c *check) ownProtobuf(raw []byte) error {
	var f profile.Findings
	text, err := c.shape.profile.AppendJSON(nil, c.shape.message, raw, &profile.JSONOptions{Findings: &f})
	if err != nil {
		return fmt.Errorf("full answer: %w", answerf("no %s: %w", c.shape.message, err))
	}
	if len(f.UnknownEnums)+len(f.UnknownWrappers)+f.More > 0 {
		return fmt.Errorf("full answer: %w", answerf("the trajectory holds what the profile does not know: %s", someFinding(&f)))
	}
	for _, u := range f.Unknown {
		c.covered.add(fullPath(u.GetPath(), u.GetNumber()))
	}
	return c.shape.explain(question{form: c.form, message: c.shape.message, step: -1, stored: c.members, rebuilt: text}, &c.covered)
}

// fullPath names a field without a name.
func fullPath(path string, number uint32) string {
	if path != "" {
		path += "."
	}
	return fmt.Sprintf("%s(field %d)", path, number)
}

// someFinding names one of what was found.
func someFinding(f *profile.Findings) string {
	switch {
	case len(f.Unknown) > 0:
		return fullPath(f.Unknown[0].GetPath(), f.Unknown[0].GetNumber())
	case len(f.UnknownEnums) > 0:
		return f.UnknownEnums[0]
	case len(f.UnknownWrappers) > 0:
		return cutName(f.UnknownWrappers[0])
	}
	return "too much to name"
}
