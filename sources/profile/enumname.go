package profile

import "strconv"

// EnumName is View.Enum for a number that does not come from a message, such as a database column: the short name the
// field's enum has for it, and decimal text when it has none or the profile lacks the field.
func (r *Resolved) EnumName(f Field, number int64) string {
	if e := r.enumOf(f); e != nil {
		if v, _ := e.table().value(number); v.short != "" {
			return v.short
		}
	}
	return strconv.FormatInt(number, 10)
}

// AppendEnum appends the number as the value of the field in JSON: the full name as a string, or the bare number when the
// field's enum has no name for it or the profile lacks the field.
func (r *Resolved) AppendEnum(dst []byte, f Field, number int64) []byte {
	if e := r.enumOf(f); e != nil {
		return appendEnum(dst, e, number)
	}
	return strconv.AppendInt(dst, number, 10)
}

// enumOf returns the enum of a field, nil when it has none.
func (r *Resolved) enumOf(f Field) *enum {
	if r == nil || uint(f.id-1) >= uint(len(r.names)) {
		return nil
	}
	n := &r.names[f.id-1]
	if n.message == nil {
		return nil
	}
	if d := n.message.table().byName(n.field); d != nil && d.kind == kindEnum {
		return d.enum
	}
	return nil
}
