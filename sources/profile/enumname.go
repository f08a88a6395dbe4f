package profile

import "strconv"

// EnumName is View.Enum for a number that does not come from a message, such as a database column: the short name the
// field's enum has for it, and decimal text when it has none or the profile lacks the field.
func (r *Resolved) EnumName(f Field, number int64) string {
	if r != nil && uint(f.id-1) < uint(len(r.names)) {
		if n := &r.names[f.id-1]; n.message != nil {
			if d := n.message.table().byName(n.field); d != nil && d.kind == kindEnum {
				if v, _ := d.enum.table().value(number); v.short != "" {
					return v.short
				}
			}
		}
	}
	return strconv.FormatInt(number, 10)
}
